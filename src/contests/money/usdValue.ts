import { invariant } from '../../core/error.ts'
import { PRICE_SCALE_DIGITS, scalePrice } from '../../core/price.ts'
import { type Mint, TOKENS, tokenOfMint, USDC_MINT } from '../../core/tokens.ts'

// The value of an amount of any token is a whole number of 10⁻²⁷ USD: prices have 18 decimals and
// tokens at most 9, so that nothing is rounded.

const MOST_DECIMALS = 9
const ONE_PRICE = scalePrice('1')
const MICRO_DIGITS = 6

/** Decimals of a value in USD. */
const USD_VALUE_DIGITS = PRICE_SCALE_DIGITS + MOST_DECIMALS

/** One USD as a value. */
export const ONE_USD = 10n ** BigInt(USD_VALUE_DIGITS)

/** What the scaled price of a token is multiplied by, to be the value of one base unit. */
const FACTORS = new Map(TOKENS.map(({ mint, decimals }) => [mint, 10n ** BigInt(MOST_DECIMALS - decimals)]))

/** The same as numbers, of a price that is one. */
const NEAR_FACTORS = new Map([...FACTORS].map(([mint, factor]) => [mint, Number(factor * ONE_PRICE)]))

/** Of a token that the config, or the log, brought. */
function learntFactor(mint: Mint): bigint | undefined {
  const decimals = tokenOfMint(mint)?.decimals
  return decimals === undefined || decimals > MOST_DECIMALS ? undefined : 10n ** BigInt(MOST_DECIMALS - decimals)
}

function learntNear(mint: Mint): number {
  const factor = learntFactor(mint)
  return factor === undefined ? Number.NaN : Number(factor * ONE_PRICE)
}

/** The value of one base unit of a known token. USDC is always 1, whatever is said of it. */
export function unitValue(mint: Mint, priceOf: (mint: Mint) => string): bigint {
  const factor = FACTORS.get(mint) ?? learntFactor(mint)
  invariant(factor !== undefined, `${mint} is not in the token table`)
  return factor * (mint === USDC_MINT ? ONE_PRICE : scalePrice(priceOf(mint)))
}

/** The same as a number, of a price that is one. */
export function nearUnitValue(mint: Mint, priceOf: (mint: Mint) => number): number {
  const price = mint === USDC_MINT ? 1 : priceOf(mint)
  return (NEAR_FACTORS.get(mint) ?? learntNear(mint)) * price
}

/** A value in whole micro-USDC, cut, as digits. */
export const microUsd = (value: bigint): string => (value / 10n ** BigInt(USD_VALUE_DIGITS - MICRO_DIGITS)).toString()
