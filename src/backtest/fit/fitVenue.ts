import { median } from 'simple-statistics'
import { SANDBOX_VENUE, type TokenMarket, type Venue } from '../../contests/index.ts'
import { type Mint, TOKENS, USDC_MINT } from '../../core/tokens.ts'
import type { SwapCost } from '../log/swapCosts.ts'
import type { Assumption } from '../result.ts'
import { commonSlope } from './commonSlope.ts'

// A swap of a value V between USDC and a token takes V ÷ out = A + V ÷ depth, exactly, in the price model of
// `contests/dex`: A is 1 ÷ ((1 - fee) × (1 - half spread)), the fixed part of what it costs. So spread and fee are a level
// of its own for every token, and depths are fitted as one factor on the stated ones: what sizes of one token tell of
// it, they tell of all.

/** Fewer swaps than this say nothing: prices move by more than a spread between two looks at them. */
export const LEAST_SWAPS = 20

const BPS = 10_000
const MOST_HALF_SPREAD_BPS = 500
const MOST_FEE_BPS = 300
/** How much shallower than stated, or deeper, a venue is taken to be at most. */
const MOST_TIMES = 1000
const IMPACT_USD = 1000

interface FittedVenue {
  readonly venue: Venue
  readonly figures: readonly Assumption[]
}

/** One swap between USDC and a token. */
interface Leg {
  readonly token: Mint
  /** Value ÷ stated depth. */
  readonly x: number
  readonly y: number
}

/**
 * Spread, impact and fee as the swaps of a log had them, each at the sandbox's where they are too few to tell. The fee is
 * told from the spread only where two tokens were swapped for each other: such a swap pays it once, and both spreads.
 *
 * @param mints the tokens of the log, for the figures where nothing is fitted
 */
export function fitVenue(costs: readonly SwapCost[], mints: readonly Mint[]): FittedVenue {
  const legs = costs.flatMap(legOf)
  const byToken = Map.groupBy(legs, ({ token }) => token)
  const shallower = fitShallower(byToken, legs.length)
  const fixed = fitFixed(byToken, legs, shallower ?? 1)
  const fee = fitFee(costs, fixed, shallower ?? 1)
  const isFitted = fixed.size > 0 || shallower !== null
  const feeBps = fee.bps
  const markets = new Map(TOKENS.map(({ mint }) => [mint, marketOf(mint, { fixed: fixed.get(mint), feeBps, shallower })]))
  const venue: Venue = isFitted ? { feeBps, marketOf: (mint) => markets.get(mint) ?? stated(mint) } : SANDBOX_VENUE
  const tokens = legs.length > 0 ? legs.map(({ token }) => token) : mints.filter((mint) => stated(mint) !== null)
  const typical = (of: (market: TokenMarket) => number) => {
    const values = tokens.flatMap((mint) => venue.marketOf(mint) ?? []).map(of)
    return values.length === 0 ? 0 : median(values)
  }
  return {
    venue,
    figures: [
      { name: 'half spread', value: typical(({ spreadBps }) => spreadBps / 2), unit: 'bps', samples: fixed.size === 0 ? 0 : legs.length },
      {
        name: 'impact of 1,000 USD',
        value: typical(({ depthUsd }) => (BPS * IMPACT_USD) / Number(depthUsd)),
        unit: 'bps',
        samples: shallower === null ? 0 : legs.length,
      },
      { name: 'fee of a swap', value: feeBps, unit: 'bps', samples: fee.samples },
    ],
  }
}

const stated = (mint: Mint): TokenMarket | null => (mint === USDC_MINT ? null : SANDBOX_VENUE.marketOf(mint))

function legOf({ from, to, sizeUsd, inPerOut }: SwapCost): Leg[] {
  if (from !== USDC_MINT && to !== USDC_MINT) return []
  const token = from === USDC_MINT ? to : from
  const market = stated(token)
  return market === null ? [] : [{ token, x: sizeUsd / Number(market.depthUsd), y: inPerOut }]
}

/** By how much markets are shallower than stated; null where sizes are too few or too alike to show an impact at all. */
function fitShallower(byToken: ReadonlyMap<Mint, readonly Leg[]>, count: number): number | null {
  const fit = count < LEAST_SWAPS ? null : commonSlope(byToken.values())
  return fit === null || fit.low <= 0 ? null : clamp(fit.slope, 1 / MOST_TIMES, MOST_TIMES)
}

/**
 * The fixed part of the cost (A) by token: its own where it was swapped often enough, else as much over the stated one as
 * those of all tokens together. Empty where they are too few.
 */
function fitFixed(byToken: ReadonlyMap<Mint, readonly Leg[]>, legs: readonly Leg[], shallower: number): Map<Mint, number> {
  if (legs.length < LEAST_SWAPS) return new Map()
  const levelOf = ({ x, y }: Leg) => y - shallower * x
  const excess = median(legs.map((leg) => levelOf(leg) - statedFixed(leg.token)))
  return new Map(
    TOKENS.map(({ mint }) => {
      const own = byToken.get(mint) ?? []
      return [mint, own.length < LEAST_SWAPS ? statedFixed(mint) + excess : median(own.map(levelOf))]
    }),
  )
}

const statedFixed = (mint: Mint): number => 1 / ((1 - SANDBOX_VENUE.feeBps / BPS) * (1 - (stated(mint)?.spreadBps ?? 0) / (2 * BPS)))

/** What a swap of two tokens is spared of the fixed costs of both is one fee. */
function fitFee(costs: readonly SwapCost[], fixed: ReadonlyMap<Mint, number>, shallower: number) {
  const fees = costs.flatMap(({ from, to, sizeUsd, inPerOut }) => {
    const [a, b, first, second] = [fixed.get(from), fixed.get(to), stated(from), stated(to)]
    if (a === undefined || b === undefined || first === null || second === null) return []
    const moved = shallower * sizeUsd * (1 / Number(first.depthUsd) + 1 / Number(second.depthUsd))
    return [BPS * (1 - (inPerOut - moved) / (a * b))]
  })
  // A fee above what a whole swap costs would leave a spread below 0.
  const most = Math.min(MOST_FEE_BPS, ...[...fixed.values()].map((level) => BPS * (1 - 1 / level)))
  const isTold = fees.length >= LEAST_SWAPS
  return { bps: clamp(isTold ? median(fees) : SANDBOX_VENUE.feeBps, 0, Math.max(0, most)), samples: isTold ? fees.length : 0 }
}

interface Fits {
  readonly fixed: number | undefined
  readonly feeBps: number
  readonly shallower: number | null
}

function marketOf(mint: Mint, { fixed, feeBps, shallower }: Fits): TokenMarket | null {
  const market = stated(mint)
  if (market === null) return null
  const halfSpread = fixed === undefined ? market.spreadBps / 2 : BPS * (1 - 1 / (fixed * (1 - feeBps / BPS)))
  const depthUsd = shallower === null ? market.depthUsd : BigInt(Math.max(1, Math.round(Number(market.depthUsd) / shallower)))
  return { depthUsd, spreadBps: 2 * clamp(halfSpread, 0, MOST_HALF_SPREAD_BPS) }
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))
