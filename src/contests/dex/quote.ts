import { ceilDivide } from '../../core/ceilDivide.ts'
import type { Price } from '../../core/price.ts'
import { type Mint, symbolOf, tokenOfMint, USDC_MINT } from '../../core/tokens.ts'
import { ONE_USD, unitValue } from '../money/usdValue.ts'
import { type Rational, rational, rationalText } from '../rational.ts'
import { SANDBOX_VENUE, type Venue } from './tokenMarket.ts'

/** Looks a price up, in USD; null for a token without one. */
export type PriceOf = (mint: Mint) => Price | null

export type SwapMode = 'ExactIn' | 'ExactOut'

export interface QuoteRequest {
  readonly inputMint: Mint
  readonly outputMint: Mint
  /** Base units: of the input token for ExactIn, of the output token for ExactOut. */
  readonly amount: bigint
  readonly swapMode: SwapMode
  /** Whole basis points, 0 to 10,000. */
  readonly slippageBps: number
}

/** What a swap would come to now. Amounts are in base units. */
export interface Quote extends Omit<QuoteRequest, 'amount'> {
  readonly inAmount: bigint
  readonly outAmount: bigint
  /** ExactIn: the least that may come out. ExactOut: the most that may go in. */
  readonly otherAmountThreshold: bigint
  /** Share of the output lost to the size of the trade, as a decimal fraction: `'0.01'` is 1 %. */
  readonly priceImpactPct: string
  /** Of the input token, within `inAmount`. */
  readonly feeAmount: bigint
  readonly feeMint: Mint
}

export type QuoteRefusalCode =
  | 'SAME_TOKEN'
  | 'UNKNOWN_TOKEN'
  | 'NO_PRICE'
  /** 0, negative, or more than a token account holds. */
  | 'AMOUNT_INVALID'
  | 'SLIPPAGE_INVALID'
  /** So little goes in that nothing would come out. */
  | 'TOO_SMALL'
  /** Worth more than the depth of a token it trades. */
  | 'TOO_LARGE'

export interface QuoteRefused {
  readonly ok: false
  readonly code: QuoteRefusalCode
  readonly message: string
}

export type QuoteAnswer = { readonly ok: true; readonly quote: Quote } | QuoteRefused

const BPS = 10_000n
/** Costs of a venue are counted in hundredths of a basis point. */
const HUNDREDTHS = 100
const WHOLE = BPS * BigInt(HUNDREDTHS)
const HALF_SPREADS = 2n * WHOLE
/** What an SPL token account holds at most. */
const MOST_UNITS = 2n ** 64n - 1n

/**
 * What a swap of any two tokens comes to at their mid prices. The fee comes off the input; then every
 * token but USDC is a trade against USD, which pays half the token's spread and moves along a
 * constant-product pool of its depth. All is rounded against the trader. ExactOut is the smallest
 * input whose ExactIn gives at least the amount asked for.
 *
 * @param venue where it would be made; default: where the sandbox trades
 */
export function quoteSwap(request: QuoteRequest, priceOf: PriceOf, venue: Venue = SANDBOX_VENUE): QuoteAnswer {
  const { inputMint, outputMint, swapMode, slippageBps } = request
  if (!Number.isInteger(slippageBps) || slippageBps < 0 || slippageBps > Number(BPS))
    return refuse('SLIPPAGE_INVALID', `slippageBps ${slippageBps} must be a whole number from 0 to ${BPS}`)
  const swapped = swapAmounts(request, priceOf, venue)
  if (!swapped.ok) return swapped
  const { route, inAmount, outAmount } = swapped
  const form = { inputMint, outputMint, swapMode, slippageBps, feeMint: inputMint }
  const { impact, ...terms } = termsOf(swapped, { swapMode, slippageBps })
  const costs = { priceImpactPct: rationalText(impact), feeAmount: feeOf(route.path.fee, inAmount) }
  return { ok: true, quote: { ...form, ...costs, ...terms, inAmount, outAmount } }
}

/** What amounts are quoted with, for a swap of whole basis points from 0 to 10,000. */
export function termsOf(
  { route, inAmount, outAmount }: SwapAmounts,
  { swapMode, slippageBps }: Pick<QuoteRequest, 'swapMode' | 'slippageBps'>,
): { readonly otherAmountThreshold: bigint; readonly impact: Rational } {
  const slippage = BigInt(slippageBps)
  const otherAmountThreshold = swapMode === 'ExactIn' ? ceilDivide(outAmount * (BPS - slippage), BPS) : (inAmount * (BPS + slippage)) / BPS
  return { otherAmountThreshold, impact: impactOf(route, inAmount) }
}

export interface SwapAmounts {
  readonly ok: true
  readonly route: Route
  readonly inAmount: bigint
  readonly outAmount: bigint
}

/** What goes in and what comes out, as `quoteSwap` has it: for a swap that is made, of which nobody asks the terms. */
export function swapAmounts(
  { inputMint, outputMint, amount, swapMode }: Omit<QuoteRequest, 'slippageBps'>,
  priceOf: PriceOf,
  venue: Venue = SANDBOX_VENUE,
): SwapAmounts | QuoteRefused {
  if (amount < 1n || amount > MOST_UNITS)
    return refuse('AMOUNT_INVALID', `amount ${amount} must be 1 to ${MOST_UNITS} base units of the token`)
  const found = findRoute(inputMint, outputMint, priceOf, venue)
  if (!found.ok) return found
  const { route } = found
  const inAmount = swapMode === 'ExactIn' ? amount : smallestInput(route, amount)
  if (inAmount === null || inAmount * route.inUnit > route.path.shallowest)
    return refuse(
      'TOO_LARGE',
      `amount ${amount} is worth more than the depth of ${symbolOf(inputMint)} to ${symbolOf(outputMint)}: trade less`,
    )
  const outAmount = swapMode === 'ExactIn' ? outputOf(route, amount) : amount
  if (outAmount === 0n) return refuse('TOO_SMALL', `amount ${amount} of ${symbolOf(inputMint)} is too little to get anything: trade more`)
  return { ok: true, route, inAmount, outAmount }
}

/** One trade against USD. */
interface Leg {
  /** As a value, like everything here that is not base units. */
  readonly depth: bigint
  /** What the spread leaves, in hundredths of half a basis point. */
  readonly kept: bigint
}

/** What two tokens are swapped through, whatever they are worth. */
interface Path {
  /** Off the input, in hundredths of a basis point. */
  readonly fee: bigint
  readonly legs: readonly Leg[]
  /** The least of their depths: no more than that can go in. */
  readonly shallowest: bigint
}

interface Route {
  readonly path: Path
  /** The values of one base unit. */
  readonly inUnit: bigint
  readonly outUnit: bigint
}

type FoundRoute = { readonly ok: true; readonly route: Route } | QuoteRefused

/** What a route was found for. */
interface RouteKey {
  readonly inputMint: Mint
  readonly outputMint: Mint
  readonly inPrice: Price
  readonly outPrice: Price
  readonly venue: Venue
}

/** The newest: a swap is quoted and carried out at the same prices, more often than not. */
let newestRoute: { readonly key: RouteKey; readonly found: FoundRoute } | undefined

function findRoute(inputMint: Mint, outputMint: Mint, priceOf: PriceOf, venue: Venue): FoundRoute {
  const priceIn = (mint: Mint) => (mint === USDC_MINT ? '1' : (priceOf(mint) ?? '0'))
  const key = { inputMint, outputMint, inPrice: priceIn(inputMint), outPrice: priceIn(outputMint), venue }
  if (newestRoute !== undefined && isSame(newestRoute.key, key)) return newestRoute.found
  const found = routeOf(key)
  newestRoute = { key, found }
  return found
}

function isSame(one: RouteKey, other: RouteKey): boolean {
  return (
    one.inputMint === other.inputMint &&
    one.outputMint === other.outputMint &&
    one.inPrice === other.inPrice &&
    one.outPrice === other.outPrice &&
    one.venue === other.venue
  )
}

function routeOf({ inputMint, outputMint, inPrice, outPrice, venue }: RouteKey): FoundRoute {
  if (inputMint === outputMint) return refuse('SAME_TOKEN', `${symbolOf(inputMint)} cannot be swapped for itself: name two tokens`)
  if (tokenOfMint(inputMint) === undefined) return unknownToken(inputMint)
  if (tokenOfMint(outputMint) === undefined) return unknownToken(outputMint)
  const [inUnit, outUnit] = [unitValue(inputMint, () => inPrice), unitValue(outputMint, () => outPrice)]
  if (inUnit === 0n || outUnit === 0n)
    return refuse('NO_PRICE', `${symbolOf(inUnit === 0n ? inputMint : outputMint)} has no price now: trade another token`)
  return { ok: true, route: { path: pathOf(inputMint, outputMint, venue), inUnit, outUnit } }
}

/** By venue, then by the tokens that go in and come out. */
const paths = new WeakMap<Venue, Map<Mint, Map<Mint, Path>>>()

function pathOf(inputMint: Mint, outputMint: Mint, venue: Venue): Path {
  const known = paths.get(venue)?.get(inputMint)?.get(outputMint)
  if (known !== undefined) return known
  const legs = [...legsOf(inputMint, venue), ...legsOf(outputMint, venue)]
  let shallowest: bigint | undefined
  for (const { depth } of legs) if (shallowest === undefined || depth < shallowest) shallowest = depth
  const path = { fee: hundredths(venue.feeBps), legs, shallowest: shallowest ?? 0n }
  const ofVenue = paths.get(venue) ?? new Map<Mint, Map<Mint, Path>>()
  const ofInput = ofVenue.get(inputMint) ?? new Map<Mint, Path>()
  paths.set(venue, ofVenue.set(inputMint, ofInput.set(outputMint, path)))
  return path
}

const unknownToken = (mint: Mint): QuoteRefused => refuse('UNKNOWN_TOKEN', `token ${mint} is not traded here: see the token list`)

/** The trade of a token against USD; none for USDC, which is the dollar itself. */
function legsOf(mint: Mint, venue: Venue): readonly Leg[] {
  const market = mint === USDC_MINT ? null : venue.marketOf(mint)
  return market === null ? [] : [{ depth: market.depthUsd * ONE_USD, kept: HALF_SPREADS - hundredths(market.spreadBps) }]
}

const outputOf = (route: Route, amount: bigint): bigint => throughLegs(route, amount).out

/** What comes out of the legs, as a value and in base units of the output, and the value it would have if it moved no pool. */
interface Through {
  readonly value: bigint
  readonly still: bigint
  readonly out: bigint
}

/** The newest: a quote asks for its output and its impact, and what carries it out for the same output again. */
let newestThrough: { readonly route: Route; readonly amount: bigint; readonly through: Through } | undefined

function throughLegs(route: Route, amount: bigint): Through {
  if (newestThrough !== undefined && newestThrough.route === route && newestThrough.amount === amount) return newestThrough.through
  const through = legByLeg(route, amount)
  newestThrough = { route, amount, through }
  return through
}

function legByLeg({ path: { fee, legs }, inUnit, outUnit }: Route, amount: bigint): Through {
  let value = (amount - feeOf(fee, amount)) * inUnit
  let still = value
  let isMoved = false
  for (const leg of legs) {
    const left = lessSpread(leg, value)
    still = isMoved ? lessSpread(leg, still) : left
    value = moved(leg, left)
    isMoved = true
  }
  return { value, still, out: value / outUnit }
}

/** The smallest input that gives at least that much; null when the largest one does not. More input never gives less. */
function smallestInput(route: Route, out: bigint): bigint | null {
  let [least, most] = [1n, route.path.shallowest / route.inUnit]
  if (most < least || outputOf(route, most) < out) return null
  while (least < most) {
    const middle = (least + most) / 2n
    if (outputOf(route, middle) >= out) most = middle
    else least = middle + 1n
  }
  return least
}

/** What is lost to moving the pools, of what would come out if they did not move. */
function impactOf(route: Route, amount: bigint): Rational {
  const { value, still } = throughLegs(route, amount)
  return still === 0n ? NO_IMPACT : rational(still - value, still)
}

const NO_IMPACT = rational(0n, 1n)

const lessSpread = ({ kept }: Leg, value: bigint): bigint => (value * kept) / HALF_SPREADS

/** Constant product: with `depth` on both sides, `value` put into one takes this much out of the other. */
const moved = ({ depth }: Leg, value: bigint): bigint => (depth * value) / (depth + value)

/** @param fee in hundredths of a basis point */
const feeOf = (fee: bigint, amount: bigint): bigint => ceilDivide(amount * fee, WHOLE)

const hundredths = (bps: number): bigint => BigInt(Math.round(bps * HUNDREDTHS))

const refuse = (code: QuoteRefusalCode, message: string): QuoteRefused => ({ ok: false, code, message })
