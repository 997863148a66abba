import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FIRST_TICK_MS, testPrices } from '../../../test/support/backtest/testPrices.ts'
import { quoteSwap, SANDBOX_VENUE, tokenMarket, type Venue } from '../../contests/index.ts'
import { priceFromNumber } from '../../core/price.ts'
import { keyedRandom, type Random } from '../../core/random.ts'
import { type Mint, TOKENS, tokenOfMint, USDC_MINT } from '../../core/tokens.ts'
import type { QuotedSwap } from '../log/samples.ts'
import { swapCosts } from '../log/swapCosts.ts'
import { fitVenue, LEAST_SWAPS } from './fitVenue.ts'

const mintOf = (symbol: string): Mint => TOKENS.find((token) => token.symbol === symbol)?.mint ?? ''
const [SOL, BONK, MEW] = [mintOf('SOL'), mintOf('BONK'), mintOf('MEW')] as const
const FIRST_PRICES: Readonly<Record<Mint, number>> = { [SOL]: 180, [BONK]: 0.00003, [MEW]: 0.004 }
const TICKS = 4000
/** Of a second. */
const VOLATILITY = 0.0002

interface Planted {
  readonly seed: number
  readonly venue: Venue
  readonly swaps: number
  /** Share of swaps that are of two tokens. */
  readonly pairs?: number
  /** USD, evenly by their logarithm. */
  readonly sizes: readonly [number, number]
}

/** The costs in a log whose swaps were quoted by a venue, each within the second after a tick. */
function plantedCosts({ seed, venue, swaps, pairs = 0, sizes: [least, most] }: Planted) {
  const random = keyedRandom(seed, 'planted')
  const walks = Object.fromEntries(Object.entries(FIRST_PRICES).map(([mint, first]) => [mint, walkFrom(first, random)]))
  const filled: QuotedSwap[] = Array.from({ length: swaps }, () => {
    const second = random.integer(0, TICKS - 1)
    // What the price has moved since the tick is what the log does not show.
    const moved = Math.exp(random.normal() * VOLATILITY * Math.sqrt(random.next()))
    const mids = new Map(Object.entries(walks).map(([mint, walk]) => [mint, (walk[second] ?? 0) * moved]))
    const [from, to] = pairOf(random, pairs)
    const usd = least * (most / least) ** random.next()
    const amount = BigInt(Math.round((usd / (mids.get(from) ?? 1)) * 10 ** (tokenOfMint(from)?.decimals ?? 0)))
    const priceOf = (mint: Mint) => priceFromNumber(mids.get(mint) ?? 1, 12)
    const answer = quoteSwap({ inputMint: from, outputMint: to, amount, swapMode: 'ExactIn', slippageBps: 0 }, priceOf, venue)
    if (!answer.ok) throw new Error(answer.message)
    return { at: FIRST_TICK_MS + second * 1000 + 300, from, to, inAmount: amount, outAmount: answer.quote.outAmount }
  })
  return { filled, costs: swapCosts(filled, testPrices(walks)) }
}

function walkFrom(first: number, random: Random): number[] {
  let price = first
  return Array.from({ length: TICKS }, () => {
    price *= Math.exp(random.normal() * VOLATILITY)
    return price
  })
}

function pairOf(random: Random, pairs: number): readonly [Mint, Mint] {
  const tokens = Object.keys(FIRST_PRICES)
  const token = random.pick(tokens) ?? ''
  if (random.next() < pairs) return [token, random.pick(tokens.filter((other) => other !== token)) ?? '']
  return random.next() < 0.5 ? [USDC_MINT, token] : [token, USDC_MINT]
}

/** Every token alike, and so many times shallower than stated. */
const venueOf = (halfSpreadBps: number, shallower: number, feeBps: number): Venue => ({
  feeBps,
  marketOf: (mint) => {
    const market = tokenMarket(mint)
    return market && { spreadBps: 2 * halfSpreadBps, depthUsd: BigInt(Math.round(Number(market.depthUsd) / shallower)) }
  },
})

const MINTS = Object.keys(FIRST_PRICES)
const marketIn = (venue: Venue, mint: Mint) => {
  const market = venue.marketOf(mint)
  return { halfSpread: (market?.spreadBps ?? Number.NaN) / 2, depth: Number(market?.depthUsd) }
}
const samplesOf = (figures: ReturnType<typeof fitVenue>['figures']) => figures.map(({ samples }) => samples)

describe('fitVenue', () => {
  test('gives back the spread, the impact and the fee that a log was made with', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.double({ min: 2, max: 60, noNaN: true }),
        fc.double({ min: 3, max: 30, noNaN: true }),
        fc.double({ min: 0, max: 40, noNaN: true }),
        (seed, halfSpreadBps, shallower, feeBps) => {
          const planted = venueOf(halfSpreadBps, shallower, feeBps)
          const { costs } = plantedCosts({ seed, venue: planted, swaps: 400, pairs: 0.3, sizes: [50, 20_000] })
          const { venue, figures } = fitVenue(costs, MINTS)
          for (const mint of MINTS) {
            const [fitted, made] = [marketIn(venue, mint), marketIn(planted, mint)]
            expect(Math.abs(fitted.halfSpread - made.halfSpread)).toBeLessThan(2)
            expect(Math.abs(fitted.depth / made.depth - 1)).toBeLessThan(0.1)
          }
          expect(Math.abs(venue.feeBps - feeBps)).toBeLessThan(2)
          expect(samplesOf(figures).every((samples) => samples > LEAST_SWAPS)).toBe(true)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('without swaps of two tokens the fee stays as stated, and what a swap costs is given back all the same', () => {
    const planted = venueOf(25, 8, 1)
    const { venue, figures } = fitVenue(plantedCosts({ seed: 1, venue: planted, swaps: 300, sizes: [50, 20_000] }).costs, MINTS)
    expect(figures.at(-1)).toEqual({ name: 'fee of a swap', value: 5, unit: 'bps', samples: 0 })
    for (const mint of MINTS) expect(Math.abs(venue.feeBps + marketIn(venue, mint).halfSpread - 26)).toBeLessThan(1)
  })

  test('a venue cheaper than the stated fee is no dearer for it', () => {
    const { costs } = plantedCosts({ seed: 2, venue: venueOf(0.5, 8, 1), swaps: 300, sizes: [50, 20_000] })
    const { venue } = fitVenue(costs, MINTS)
    for (const mint of MINTS) expect(venue.feeBps + marketIn(venue, mint).halfSpread).toBeLessThan(3)
  })

  test("of the sandbox's own swaps it is the sandbox's model", () => {
    const { costs } = plantedCosts({ seed: 3, venue: SANDBOX_VENUE, swaps: 300, pairs: 0.3, sizes: [10, 500] })
    const { venue } = fitVenue(costs, MINTS)
    for (const mint of MINTS) {
      const [fitted, made] = [marketIn(venue, mint), marketIn(SANDBOX_VENUE, mint)]
      expect(Math.abs(venue.feeBps + fitted.halfSpread - SANDBOX_VENUE.feeBps - made.halfSpread)).toBeLessThan(0.5)
    }
  })

  test('a token that was hardly swapped costs as much over its stated cost as the others', () => {
    const { costs } = plantedCosts({ seed: 4, venue: venueOf(30, 1, 5), swaps: 200, sizes: [10, 500] })
    const { venue } = fitVenue(
      costs.filter(({ from, to }) => from !== MEW && to !== MEW),
      MINTS,
    )
    expect(marketIn(venue, MEW).halfSpread).toBeGreaterThan(25)
  })

  test.each([0, LEAST_SWAPS - 1])('%i swaps say nothing: all stays as stated', (swaps) => {
    const { costs } = plantedCosts({ seed: 5, venue: venueOf(50, 20, 30), swaps, pairs: 0, sizes: [50, 20_000] })
    const { venue, figures } = fitVenue(costs, MINTS)
    expect(venue).toBe(SANDBOX_VENUE)
    expect(figures.map(({ name, value, unit, samples }) => [name, value, unit, samples])).toEqual([
      ['half spread', expect.any(Number), 'bps', 0],
      ['impact of 1,000 USD', expect.any(Number), 'bps', 0],
      ['fee of a swap', 5, 'bps', 0],
    ])
  })

  test('a fifth of swaps at any price at all does not sway it', () => {
    const planted = venueOf(20, 10, 5)
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0.01, max: 100, noNaN: true }), (seed, times) => {
        const { costs } = plantedCosts({ seed, venue: planted, swaps: 300, sizes: [50, 20_000] })
        const spoilt = costs.map((cost, at) => (at % 5 === 0 ? { ...cost, inPerOut: cost.inPerOut * times } : cost))
        const { venue } = fitVenue(spoilt, MINTS)
        for (const mint of MINTS) {
          expect(Math.abs(venue.feeBps + marketIn(venue, mint).halfSpread - 25)).toBeLessThan(6)
          expect(Math.abs(marketIn(venue, mint).depth / marketIn(planted, mint).depth - 1)).toBeLessThan(0.5)
        }
      }),
      { numRuns: 40 },
    )
  })

  test('whatever swaps cost, it is a venue that quotes', () => {
    const cost = fc.record({
      from: fc.constantFrom(USDC_MINT, ...MINTS),
      to: fc.constantFrom(USDC_MINT, ...MINTS),
      sizeUsd: fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
      inPerOut: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
    })
    fc.assert(
      fc.property(fc.array(cost, { minLength: LEAST_SWAPS, maxLength: 60 }), (costs) => {
        const { venue } = fitVenue(costs, MINTS)
        const answer = quoteSwap(
          { inputMint: USDC_MINT, outputMint: SOL, amount: 1_000_000n, swapMode: 'ExactIn', slippageBps: 0 },
          () => '180',
          venue,
        )
        expect(answer.ok).toBe(true)
      }),
    )
  })
})

test('a swap counts only against prices of its own seconds', () => {
  const swap = { from: USDC_MINT, to: SOL, inAmount: 180_000_000n, outAmount: 1_000_000_000n }
  const costAt = (seconds: number) => swapCosts([{ ...swap, at: FIRST_TICK_MS + seconds * 1000 }], testPrices({ [SOL]: [179, 180] }))
  expect(costAt(0)).toEqual([{ from: USDC_MINT, to: SOL, sizeUsd: 180, inPerOut: 180 / 179 }])
  expect(costAt(6)).toEqual([{ from: USDC_MINT, to: SOL, sizeUsd: 180, inPerOut: 1 }])
  expect(costAt(7)).toEqual([])
  expect(costAt(-1)).toEqual([])
})
