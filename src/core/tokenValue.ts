import { memoize } from './memoize.ts'
import { PRICE_SCALE_DIGITS, type Price, scalePrice } from './price.ts'
import type { Token } from './tokens.ts'
import type { Usdc } from './usdc.ts'

const MICRO_DIGITS = 6
/** A micro-USDC, in base units of a token at a scaled price. */
const oneMicro = memoize((decimals: number) => 10n ** BigInt(decimals + PRICE_SCALE_DIGITS - MICRO_DIGITS), 32)

/**
 * What base units of a token are worth at a price, in micro-USDC: exact, then rounded down.
 *
 * @throws CornermanError `PRICE_INVALID` for text that is no price
 * @example tokenValue(SOL, 2_000_000_000n, '187.25') // 374_500_000n
 */
export function tokenValue({ decimals }: Pick<Token, 'decimals'>, units: bigint, price: Price): Usdc {
  const scaled = units * scalePrice(price)
  const one = oneMicro(decimals)
  // Division of a bigint cuts toward zero: a loss is rounded away from it.
  const cut = scaled / one
  return scaled < 0n && cut * one !== scaled ? cut - 1n : cut
}
