import { formatUnits } from '../../../core/formatUnits.ts'
import type { Micro } from '../../watch/views.ts'

const MICRO_OF_CENT = 10_000n
const THOUSANDS = /\B(?=(?:\d{3})+$)/g

export const UNKNOWN = '–'

/** USDC to the cent, rounded half away from zero: `1,234.50`. A dash for what is not known. */
export function usdcText(amount: Micro | undefined, { isSigned = false } = {}): string {
  if (amount === undefined) return UNKNOWN
  const micro = BigInt(amount)
  const cents = ((micro < 0n ? -micro : micro) + MICRO_OF_CENT / 2n) / MICRO_OF_CENT
  const sign = cents === 0n ? '' : micro < 0n ? '−' : isSigned ? '+' : ''
  const whole = (cents / 100n).toString().replace(THOUSANDS, ',')
  return `${sign}${whole}.${(cents % 100n).toString().padStart(2, '0')}`
}

/** USDC to the last digit, as programs read it: `-1234.567891`. */
export const decimalText = (amount: Micro): string => formatUnits(BigInt(amount), 6, 2)

/** USDC to the last digit: `1,234.567891`. */
export function usdcExactText(amount: Micro | undefined): string {
  if (amount === undefined) return UNKNOWN
  const [whole = '', fraction = ''] = decimalText(amount).split('.')
  return `${whole.replace('-', '−').replace(THOUSANDS, ',')}.${fraction}`
}

export const sumOf = (amounts: readonly (Micro | undefined)[]): Micro =>
  amounts.reduce((sum, amount) => sum + BigInt(amount ?? 0), 0n).toString()

/** For a scale or a chart, where the last digit does not matter. */
export const usdcNumber = (amount: Micro): number => Number(amount) / 1_000_000

/** The class of an amount that is good above zero and bad below. The sign says the same to who sees no colours. */
export function toneOf(amount: Micro | undefined): 'up' | 'down' | 'even' {
  if (amount === undefined || BigInt(amount) === 0n) return 'even'
  return amount.startsWith('-') ? 'down' : 'up'
}
