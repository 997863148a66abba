import { CornermanError } from './error.ts'
import { formatUnits } from './formatUnits.ts'
import { show } from './show.ts'

/** An amount of USDC in micro-USDC: 1_000_000n is 1 USDC. No float ever holds an amount. */
export type Usdc = bigint

const MICRO_DIGITS = 6
const CENT_DIGITS = 2
const AMOUNT = /^(-?)(\d{1,15})(?:\.(\d{1,6}))?$/

/**
 * Reads an amount of USDC as a person writes it.
 *
 * @param amount decimal text with at most six decimals, such as `'5'` or `'0.25'`
 * @returns micro-USDC
 * @throws CornermanError `USDC_INVALID` for anything else, a number included: 0.1 is not exact
 * @example usdc('5') // 5_000_000n
 */
export function usdc(amount: string): Usdc {
  const match = typeof amount === 'string' ? AMOUNT.exec(amount) : null
  if (match === null) {
    throw new CornermanError(
      'USDC_INVALID',
      `${show(amount)} is not an amount of USDC: write it as text with at most six decimals, such as usdc('2.50')`,
      { details: { amount } },
    )
  }
  const [, sign, whole = '0', fraction = ''] = match
  const micro = BigInt(whole + fraction.padEnd(MICRO_DIGITS, '0'))
  return sign === '-' ? -micro : micro
}

/** Micro-USDC as digits, as the wire has them. What a number holds exactly is written as one, in a third of the time. */
export function microText(amount: Usdc): string {
  const micro = Number(amount)
  return Number.isSafeInteger(micro) ? String(micro) : amount.toString()
}

/**
 * Writes micro-USDC as USDC with at least two decimals.
 *
 * @example formatUsdc(-2_500_000n) // '-2.50'
 */
export function formatUsdc(amount: Usdc): string {
  return formatUnits(amount, MICRO_DIGITS, CENT_DIGITS)
}

export const minUsdc = (a: Usdc, b: Usdc): Usdc => (a < b ? a : b)
