import { z } from 'zod'
import { saysUsdc, unwrapped } from '../../strategy/parameterSchema.ts'

/** The numbers that a parameter takes; amounts in USDC. A bound that there is not is undefined. */
export interface ParameterRange {
  readonly low: number | undefined
  readonly high: number | undefined
  /** Undefined where any number between the bounds will do. */
  readonly step: number | undefined
}

/** USDC: what amounts are told apart by. */
const CENT = 0.01
const MICRO = 1e6

/** What the schema says of a number or a bigint; undefined for anything else. */
export function parameterRange(field: z.ZodType): ParameterRange | undefined {
  const { inner } = unwrapped(field)
  if (inner instanceof z.ZodNumber) return ofNumber(inner)
  return inner instanceof z.ZodBigInt ? ofBigInt(inner, saysUsdc(field)) : undefined
}

const boundsSchema = z.object({
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  multipleOf: z.number().optional(),
  type: z.string().optional(),
})
type Bounds = Omit<z.output<typeof boundsSchema>, 'multipleOf' | 'type'>

function ofNumber(inner: z.ZodNumber): ParameterRange {
  const { type, multipleOf, ...bounds } = boundsSchema.parse(z.toJSONSchema(inner, { io: 'input', unrepresentable: 'any' }))
  return rangeOf(bounds, multipleOf ?? (type === 'integer' ? 1 : undefined))
}

function ofBigInt(inner: z.ZodBigInt, isUsdc: boolean): ParameterRange {
  const unit = isUsdc ? MICRO : 1
  const bounds: Record<string, number> = {}
  for (const { _zod } of inner.def.checks ?? []) {
    const { check, value, inclusive } = _zod.def as { check: string; value?: bigint; inclusive?: boolean }
    if (check !== 'greater_than' && check !== 'less_than') continue
    const name = check === 'greater_than' ? 'inimum' : 'aximum'
    bounds[inclusive === true ? `m${name}` : `exclusiveM${name}`] = Number(value) / unit
  }
  return rangeOf(bounds, isUsdc ? CENT : 1)
}

/** An open bound is a step away from what is left out; a closed one is moved in to the next multiple of the step. */
function rangeOf(bounds: Bounds, step: number | undefined): ParameterRange {
  const [low, high] = [bounds.minimum ?? bounds.exclusiveMinimum, bounds.maximum ?? bounds.exclusiveMaximum]
  if (!isBound(low) || !isBound(high)) return { low: isBound(low) ? low : undefined, high: isBound(high) ? high : undefined, step }
  const apart = step ?? fineStep(low, high)
  const first = step === undefined ? low : tidy(Math.ceil(low / step - TOLERANCE) * step)
  const last = step === undefined ? high : tidy(Math.floor(high / step + TOLERANCE) * step)
  return {
    low: first === bounds.exclusiveMinimum ? tidy(first + apart) : first,
    high: last === bounds.exclusiveMaximum ? tidy(last - apart) : last,
    step,
  }
}

const TOLERANCE = 1e-9
const tidy = (value: number): number => Number(value.toPrecision(12))

/** Whole numbers that zod bounds of its own accord, and nobody else, are at the end of what is exact. */
const isBound = (value: number | undefined): value is number => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER

/** Where a schema names no step, some thousand values between the bounds are told apart. */
export function fineStep(low: number, high: number): number {
  return 10 ** (Math.floor(Math.log10(high - low)) - 3)
}
