import { z } from 'zod'

/** What a schema says of itself, or of the one it gives a default to. */
export function descriptionOf(field: z.ZodType): string | undefined {
  if (field.description !== undefined) return field.description
  const isWrapper = field instanceof z.ZodDefault || field instanceof z.ZodPrefault || field instanceof z.ZodOptional
  return isWrapper ? descriptionOf(field.def.innerType as z.ZodType) : undefined
}

/** Whether the bigints of a parameter are amounts of USDC. A schema has no word for what a bigint is an amount of: its description begins with it. */
export const saysUsdc = (field: z.ZodType): boolean => descriptionOf(field)?.startsWith('USDC') === true
