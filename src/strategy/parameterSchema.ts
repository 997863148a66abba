import { z } from 'zod'

/** A parameter's schema without what stands around it. */
export interface Unwrapped {
  readonly inner: z.ZodType
  readonly isOptional: boolean
  readonly byDefault?: unknown
  /** The outermost there is. */
  readonly description?: string
}

/** Takes a schema out of `default()`, `prefault()` and `optional()`. */
export function unwrapped(field: z.ZodType): Unwrapped {
  const own = field.description === undefined ? {} : { description: field.description }
  const hasDefault = field instanceof z.ZodDefault || field instanceof z.ZodPrefault
  if (!hasDefault && !(field instanceof z.ZodOptional)) return { inner: field, isOptional: false, ...own }
  const within = unwrapped(field.def.innerType as z.ZodType)
  return { ...within, isOptional: true, ...(hasDefault ? { byDefault: field.def.defaultValue } : {}), ...own }
}

/** Whether the bigints of a parameter are amounts of USDC. A schema has no word for what a bigint is an amount of: its description begins with it. */
export const saysUsdc = (field: z.ZodType): boolean => unwrapped(field).description?.startsWith('USDC') === true
