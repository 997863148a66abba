import { ceilDivide } from '../core/ceilDivide.ts'
import { PRICE_SCALE_DIGITS, scalePrice } from '../core/price.ts'
import { type Mint, TOKENS, USDC_MINT } from '../core/tokens.ts'
import type { Usdc } from '../core/usdc.ts'
import type { SwapAction } from '../strategy/action.ts'
import type { GuardView } from './view.ts'

// What tokens are worth by the price feed, exactly: a price has 18 decimals and a token at most 18, so
// every value is a whole number of 10⁻³⁶ USD, and no comparison rounds.

const MOST_DECIMALS = 18
const UNITS_PER_MICRO_USDC = 10n ** BigInt(PRICE_SCALE_DIGITS + MOST_DECIMALS - 6)
const USDC_PRICE = 10n ** BigInt(PRICE_SCALE_DIGITS)
const BPS = 10_000n
/** What a scaled price is multiplied by, to be the value of one base unit. */
const FACTORS = new Map(TOKENS.map(({ mint, decimals }) => [mint, 10n ** BigInt(MOST_DECIMALS - decimals)]))

/** The newest value: the rules of one swap ask for the same one several times. */
let newest: { readonly amount: bigint; readonly mint: Mint; readonly price: bigint; readonly value: bigint } | undefined

/** The value of base units of a token, in 10⁻³⁶ USD; undefined without decimals or a price. A USDC is a dollar. */
export function feedValue(amount: bigint, mint: Mint, view: GuardView): bigint | undefined {
  const price = mint === USDC_MINT ? USDC_PRICE : scaledPrice(mint, view)
  if (price === undefined) return undefined
  if (newest !== undefined && newest.mint === mint && newest.amount === amount && newest.price === price) return newest.value
  const factor = FACTORS.get(mint) ?? factorOf(view.token(mint)?.decimals)
  if (factor === undefined) return undefined
  const value = amount * price * factor
  newest = { amount, mint, price, value }
  return value
}

const factorOf = (decimals: number | undefined): bigint | undefined =>
  decimals === undefined || decimals > MOST_DECIMALS ? undefined : 10n ** BigInt(MOST_DECIMALS - decimals)

function scaledPrice(mint: Mint, view: GuardView): bigint | undefined {
  const known = view.price(mint)
  return known === undefined ? undefined : scalePrice(known.price)
}

/** A value in micro-USDC, rounded down. */
export const toMicro = (value: bigint): Usdc => value / UNITS_PER_MICRO_USDC

/** A value in micro-USDC, rounded up. */
export const toMicroUp = (value: bigint): Usdc => ceilDivide(value, UNITS_PER_MICRO_USDC)

export const valueOfMicro = (amount: Usdc): bigint => amount * UNITS_PER_MICRO_USDC

/**
 * The most a swap can lose by itself, in micro-USDC: a quote whose least outcome lies further under the feed than
 * `guard.maxFeedGapBps` is refused. Undefined while the token given has no price.
 */
export function swapRisk(action: SwapAction, view: GuardView): Usdc | undefined {
  const value = feedValue(action.amount, action.from, view)
  if (value === undefined) return undefined
  const { maxFeedGapBps } = view.config
  if (newestRisk?.value === value && newestRisk.maxFeedGapBps === maxFeedGapBps) return newestRisk.risk
  const risk = lossOf(value, maxFeedGapBps)
  newestRisk = { value, maxFeedGapBps, risk }
  return risk
}

/** @param value of what is swapped, in 10⁻³⁶ USD @returns the most that the swap can lose, in micro-USDC */
export const lossOf = (value: bigint, maxFeedGapBps: number): Usdc => ceilDivide(value * BigInt(maxFeedGapBps), BPS * UNITS_PER_MICRO_USDC)

/** A rule asks for it, and what holds it back for the swap does at once after it. */
let newestRisk: { readonly value: bigint; readonly maxFeedGapBps: number; readonly risk: Usdc } | undefined

/**
 * A swap into USDC, as every sweep is. It ends a risk and begins none, so the caps on losses do not stand in its way:
 * who has reached them must still be able to sell.
 */
export const isSale = (action: SwapAction): boolean => action.to === USDC_MINT
