import { z } from 'zod'
import { plainJson } from '../../../core/plainJson.ts'
import { saysUsdc, unwrapped } from '../../../strategy/parameterSchema.ts'

/** A parameter of a strategy, as its schema has it. */
export interface Parameter {
  readonly name: string
  /** `integer`, `number`, `USDC`, `bigint`, `string`, `boolean`, `one of`, `list of`, or what zod calls it. */
  readonly type: string
  /** Of an amount: what its digits count. Absent where the schema does not say what it is an amount of. */
  readonly unit?: 'micro-USDC'
  /** The values there are, for `one of` and a list of them. */
  readonly values?: readonly string[]
  /** Of a string or a list, its length. `aboveMin`: the minimum itself is not allowed. */
  readonly min?: string
  readonly max?: string
  readonly aboveMin?: boolean
  /** Undefined where it has to be given. */
  readonly default?: unknown
  readonly isRequired: boolean
  readonly description?: string
}

/** What a schema's checks say of size. */
interface Check {
  readonly check: string
  readonly value?: number | bigint
  readonly inclusive?: boolean
  readonly minimum?: number
  readonly maximum?: number
}

/** Reads the parameters of a strategy off its schema, in the order in which it lists them. */
export function parametersOf(schema: z.ZodObject): Parameter[] {
  return Object.entries(schema.shape).map(([name, field]) => parameterOf(name, field as z.ZodType))
}

function parameterOf(name: string, field: z.ZodType): Parameter {
  const { inner, isOptional, byDefault, description } = unwrapped(field)
  const isUsdc = saysUsdc(field) && (inner instanceof z.ZodArray ? inner.element : inner) instanceof z.ZodBigInt
  const { min, max, aboveMin } = sizeOf(inner)
  return {
    name,
    type: isUsdc && inner instanceof z.ZodBigInt ? 'USDC' : typeOf(inner),
    ...(isUsdc ? { unit: 'micro-USDC' } : {}),
    ...valuesOf(inner),
    ...(min === undefined ? {} : { min: String(min) }),
    ...(max === undefined ? {} : { max: String(max) }),
    ...(aboveMin ? { aboveMin } : {}),
    ...(byDefault === undefined ? {} : { default: plainJson(byDefault) }),
    isRequired: !isOptional,
    ...(description === undefined ? {} : { description }),
  }
}

function typeOf(field: z.ZodType): string {
  if (field instanceof z.ZodNumber) return checksOf(field).some(({ check }) => check === 'number_format') ? 'integer' : 'number'
  if (field instanceof z.ZodEnum) return 'one of'
  return field instanceof z.ZodArray ? 'list of' : field.def.type
}

function valuesOf(field: z.ZodType): { readonly values?: readonly string[] } {
  if (field instanceof z.ZodEnum) return { values: field.options.map(String) }
  if (!(field instanceof z.ZodArray)) return {}
  const element = field.element as z.ZodType
  return { values: valuesOf(element).values ?? [typeOf(element)] }
}

function sizeOf(field: z.ZodType): { readonly min?: number | bigint; readonly max?: number | bigint; readonly aboveMin: boolean } {
  let size: ReturnType<typeof sizeOf> = { aboveMin: false }
  for (const { check, value, inclusive, minimum, maximum } of checksOf(field)) {
    if (check === 'greater_than' && value !== undefined) size = { ...size, min: value, aboveMin: inclusive === false }
    if (check === 'less_than' && value !== undefined) size = { ...size, max: value }
    if (minimum !== undefined) size = { ...size, min: minimum }
    if (maximum !== undefined) size = { ...size, max: maximum }
  }
  return size
}

const checksOf = (field: z.ZodType): Check[] => (field.def.checks ?? []).map((check) => check._zod.def as unknown as Check)
