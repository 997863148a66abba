import { relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { tokenOfMint } from '../../../core/tokens.ts'
import { formatUsdc } from '../../../core/usdc.ts'
import type { Parameter } from './parameters.ts'
import type { ListedStrategy, StrategyList } from './strategyList.ts'

/** What is in a folder of strategies, for a person. */
export function formatStrategies({ strategies, broken }: StrategyList): string[] {
  return [
    ...strategies.flatMap((strategy) => [...describe(strategy), '']),
    ...broken.map(({ file, error }) => `cannot be read: ${error.startsWith(relative('.', file)) ? '' : `${file}: `}${error}`),
  ]
}

function describe({ name, kind, modes, file, description, parameters }: ListedStrategy): string[] {
  const rows = parameters.map(inUsdc).map((parameter) => [parameter.name, rangeOf(parameter), defaultOf(parameter), purposeOf(parameter)])
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)))
  return [
    `${name} (${kind}${modes === null ? '' : `: ${modes.join(', ')}`}) ${file}`,
    ...(description === null ? [] : [`  ${description}`]),
    ...rows.map((row) => `    ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd()),
  ]
}

/** A person reads USDC, not its smallest unit. */
function inUsdc(parameter: Parameter): Parameter {
  const { unit, type, min, max, default: value } = parameter
  if (unit === undefined) return parameter
  const shown = (digits: unknown): unknown => (Array.isArray(digits) ? digits.map(shown) : formatUsdc(BigInt(String(digits))))
  return {
    ...parameter,
    // Of a list, that of its length.
    ...(type === 'USDC' && min !== undefined ? { min: String(shown(min)) } : {}),
    ...(type === 'USDC' && max !== undefined ? { max: String(shown(max)) } : {}),
    ...(value === undefined ? {} : { default: shown(value) }),
  }
}

/** A list of values that is longer than this would push all else off the screen. */
const SHORT = 40
const listOf = ({ values = [] }: Parameter): string => values.join(', ')
const isLong = (parameter: Parameter): boolean => listOf(parameter).length > SHORT

/** `integer 5 to 3600`, `USDC above 0`, `one of UP, DOWN`. */
function rangeOf(parameter: Parameter): string {
  const { type, values = [], min, max, aboveMin } = parameter
  const least = min === undefined ? '' : aboveMin === true ? `above ${min}` : max === undefined ? `from ${min}` : min
  const most = max === undefined ? '' : least === '' ? `up to ${max}` : ` to ${max}`
  const size = type === 'string' || type === 'list of' ? '' : `${least}${most}`
  return [type, isLong(parameter) ? `${values.length}` : listOf(parameter), size].filter((part) => part !== '').join(' ')
}

function defaultOf({ isRequired, default: value, values }: Parameter): string {
  if (isRequired) return 'required'
  if (value === undefined) return ''
  if (isDeepStrictEqual(value, values)) return 'all'
  if (typeof value !== 'string') return JSON.stringify(value)
  return tokenOfMint(value)?.symbol ?? value
}

function purposeOf(parameter: Parameter): string {
  const { description = '' } = parameter
  return isLong(parameter) ? `${description} (${listOf(parameter)})`.trim() : description
}
