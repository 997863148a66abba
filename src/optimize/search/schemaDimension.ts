import { z } from 'zod'
import type { Strategy } from '../../strategy/define.ts'
import { saysUsdc, unwrapped } from '../../strategy/parameterSchema.ts'
import { readParameter } from '../../strategy/parameterText.ts'
import { type Dimension, type Scale, sizeOf, type Value } from './dimension.ts'
import { fineStep, parameterRange } from './parameterRange.ts'
import { searchMeta } from './searchMeta.ts'
import type { Fixed } from './space.ts'
import { refused, type Vary } from './vary.ts'

/** Both bounds above 0 and so far apart: the smaller numbers matter as much as the larger ones. */
const LOG_RATIO = 20
/** They change which contests are met, so that two variants meet few of the same. */
const OF_ENTRY = /^(?:stakes?|modes?|durationSec)$/

/** The dimension that a schema makes of a parameter, or why it stays as it is. */
export function schemaDimension({ kind }: Strategy, name: string, field: z.ZodType): Dimension | Fixed['because'] {
  const { inner } = unwrapped(field)
  const parameter = name.slice(name.indexOf('.') + 1)
  if (kind === 'queue' && (OF_ENTRY.test(parameter) || saysUsdc(field))) return 'varied only if named'
  const range = parameterRange(field)
  const dimension =
    inner instanceof z.ZodBoolean
      ? ({ kind: 'choice', name, values: [false, true] } as const)
      : inner instanceof z.ZodEnum
        ? ({ kind: 'choice', name, values: inner.options.map(String) } as const)
        : range?.low === undefined || range.high === undefined || range.low > range.high
          ? undefined
          : rangeDimension({ name, low: range.low, high: range.high, step: range.step, scale: searchMeta(field).scale })
  if (dimension === undefined) return 'no bounds'
  return sizeOf(dimension) < 2 ? 'one value' : dimension
}

interface RangeParts {
  readonly name: string
  readonly low: number
  readonly high: number
  readonly step: number | undefined
  readonly scale: Scale | undefined
}

function rangeDimension({ name, low, high, step, scale }: RangeParts): Dimension {
  const isPositive = low > 0
  const usual = isPositive && high / low >= LOG_RATIO ? 'log' : 'linear'
  const chosen = isPositive ? (scale ?? usual) : 'linear'
  return { kind: 'range', name, low, high, step: step ?? fineStep(low, chosen === 'log' ? 2 * low : high), scale: chosen }
}

/** The dimension that a `--vary` names. @throws CornermanError `USAGE` for values that the schema does not allow */
export function saidDimension({ over, text }: Vary, name: string, field: z.ZodType): Dimension {
  const { inner } = unwrapped(field)
  if ('values' in over) {
    for (const value of over.values) expectAllowed(text, field, value)
    const isNumber = parameterRange(field) !== undefined
    return {
      ...{ kind: 'choice', name },
      values: over.values.map((value): Value => (isNumber ? Number(value) : inner instanceof z.ZodBoolean ? value === 'true' : value)),
    }
  }
  const range = parameterRange(field)
  if (range === undefined) throw refused(text, 'it is no number: name its values, as in NAME.PARAMETER=VALUE,VALUE')
  const dimension = rangeDimension({ name, low: over.low, high: over.high, step: range.step, scale: over.scale ?? searchMeta(field).scale })
  for (const bound of [over.low, over.high]) expectAllowed(text, field, String(bound))
  if (sizeOf(dimension) < 2) throw refused(text, `there is one value between ${over.low} and ${over.high}`)
  return dimension
}

function expectAllowed(text: string, field: z.ZodType, value: string): void {
  const read = field.safeParse(readParameter(field, value))
  if (!read.success) throw refused(text, `${value}: ${read.error.issues.map(({ message }) => message).join('; ')}`)
}
