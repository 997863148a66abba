import type { BacktestRun, BotRun, Ghost, PlayedContest, PlayedMove, PriceLine } from '../../../src/backtest/result.ts'
import { MODES } from '../../../src/contract/enums.ts'
import { keyedUuid } from '../../../src/core/ids.ts'
import { priceFromNumber } from '../../../src/core/price.ts'
import { keyedRandom, type Random } from '../../../src/core/random.ts'
import { type Mint, TOKENS, USDC_MINT } from '../../../src/core/tokens.ts'
import { usdc } from '../../../src/core/usdc.ts'

// Runs for tests: plausible ones of any size, made of a seed, and single contests that are as the test says.

/** 12:00 UTC of a day. */
const START_MS = Date.UTC(2025, 6, 21, 12)
const RAKE_BPS = 500n
const MINTS = TOKENS.map(({ mint }) => mint).filter((mint) => mint !== USDC_MINT)

/** A contest of 1 USDC that was won, unless it is said otherwise. */
export function testContest(changes: Partial<PlayedContest> = {}): PlayedContest {
  return {
    contestId: keyedUuid('contest'),
    mode: 'draft_basket',
    opponents: 'AGENT',
    stake: usdc('1'),
    durationSec: 60,
    enteredAt: START_MS,
    startsAt: START_MS + 5000,
    endsAt: START_MS + 65_000,
    endedAt: START_MS + 66_000,
    result: 'WIN',
    payout: usdc('1.9'),
    profit: usdc('0.9'),
    swapProfit: 0n,
    score: '1.25',
    moves: [],
    others: [],
    prices: [],
    ...changes,
  }
}

export function testBot(changes: Partial<BotRun> = {}): BotRun {
  return {
    name: 'alice',
    strategies: [{ kind: 'queue', name: 'ladder', params: { stake: '1000000', modes: ['draft_basket'] }, code: 'c0de'.repeat(16) }],
    config: 'c0f1'.repeat(16),
    fingerprint: 'f1f1'.repeat(16),
    bankroll: usdc('100'),
    contests: [],
    expired: 0,
    refused: {},
    swaps: { filled: 0, failed: 0 },
    swapProfit: 0n,
    warnings: [],
    coarseModes: [],
    ruined: null,
    ...changes,
  }
}

export interface TestRunOptions {
  readonly seed?: number
  readonly contests?: number
  readonly bots?: readonly string[]
  /** Of the contests that are decided. */
  readonly winShare?: number
}

/** A whole run of random contests: every mode, every ending, prices and moves included. Equal options give equal runs. */
export function testRun({ seed = 1, contests = 60, bots = ['alice'], winShare = 0.56 }: TestRunOptions = {}): BacktestRun {
  return {
    synthetic: false,
    logs: ['recordings/2025-07-21'],
    bots: bots.map((name) => {
      const random = keyedRandom(seed, name)
      return testBot({
        name,
        contests: Array.from({ length: contests }, (_, index) => randomContest(random, index, winShare)).sort(
          (a, b) => a.endedAt - b.endedAt,
        ),
        expired: random.integer(0, 5),
        refused: { STAKE_OVER_LIMIT: random.integer(1, 40), DAILY_LOSS: random.integer(1, 9) },
        swaps: { filled: random.integer(0, 99), failed: random.integer(0, 9) },
        swapProfit: BigInt(random.integer(-2_000_000, 2_000_000)),
      })
    }),
    priceUpdates: 1_843_200,
    events: 12_480,
    decisions: 3170,
    elapsedMs: 1840,
    fingerprint: keyedUuid(seed, contests, ...bots),
    assumptions: {
      figures: [
        { name: 'half spread', value: 4.2, unit: 'bps', samples: 118 },
        { name: 'latency of an action', value: 212, unit: 'ms', samples: 640 },
        { name: 'rake', value: 500, unit: 'bps', samples: 0 },
        { name: 'swaps that fail', value: 0.02, unit: 'share', samples: 0 },
      ],
    },
  }
}

function randomContest(random: Random, index: number, winShare: number): PlayedContest {
  const enteredAt = START_MS + index * 90_000 + random.integer(0, 9000)
  const durationSec = random.pick([20, 60, 300]) ?? 60
  const startsAt = enteredAt + 5000
  const endsAt = startsAt + durationSec * 1000
  const stake = usdc(random.pick(['1', '2', '5']) ?? '1')
  const shared = {
    ...{ contestId: keyedUuid('contest', index, random.next()), mode: random.pick(MODES) ?? 'up_down' },
    ...{ opponents: random.pick(['AGENT', 'HUMAN', 'MIXED'] as const) ?? 'AGENT', stake, durationSec, enteredAt },
  }
  if (random.next() < 0.03) {
    const cancelled = {
      startsAt: null,
      endsAt: null,
      endedAt: enteredAt + 30_000,
      result: null,
      payout: 0n,
      profit: 0n,
      swapProfit: 0n,
      score: null,
    }
    return { ...shared, ...cancelled, moves: [], others: [], prices: [] }
  }
  const mints = Array.from({ length: random.integer(1, 3) }, () => random.pick(MINTS) ?? '')
  const luck = random.next()
  const result = luck < 0.04 ? 'REFUND' : luck < 0.08 ? 'DRAW' : random.next() < winShare ? 'WIN' : 'LOSS'
  const pot = stake * 2n - (stake * 2n * RAKE_BPS) / 10_000n
  const payout = { WIN: pot, LOSS: 0n, DRAW: pot / 2n, REFUND: stake }[result]
  return testContest({
    ...{ ...shared, startsAt, endsAt, endedAt: endsAt + 1000, result, payout, profit: payout - stake },
    score: (random.normal() * 3).toFixed(4),
    moves: randomMoves(random, startsAt, durationSec, mints),
    others: [randomGhost(random, startsAt, durationSec, mints)],
    prices: [...new Set(mints)].map((mint) => randomPrices(random, mint, enteredAt, endsAt)),
  })
}

function randomMoves(random: Random, startsAt: number, durationSec: number, mints: readonly Mint[]): PlayedMove[] {
  const symbols = mints.map((mint) => TOKENS.find((token) => token.mint === mint)?.symbol ?? mint)
  const times = Array.from({ length: random.integer(1, 3) }, () => startsAt + random.integer(0, durationSec * 900))
  return times.sort((a, b) => a - b).map((at) => ({ at, text: `pick ${random.pick(symbols)}` }))
}

function randomGhost(random: Random, startsAt: number, durationSec: number, mints: readonly Mint[]): Ghost {
  return {
    kind: random.next() < 0.5 ? 'AGENT' : 'HUMAN',
    source: random.next() < 0.7 ? 'recorded' : 'reference',
    side: random.next() < 0.5 ? null : 'UP',
    score: (random.normal() * 3).toFixed(4),
    moves: randomMoves(random, startsAt, durationSec, mints),
  }
}

const PRICE_POINTS = 60

function randomPrices(random: Random, mint: Mint, from: number, to: number): PriceLine {
  let price = 10 ** random.integer(-4, 2)
  const points = Array.from({ length: PRICE_POINTS }, (_, index) => {
    price *= 1 + random.normal() / 500
    return [Math.round(from + ((to - from) * index) / (PRICE_POINTS - 1)), priceFromNumber(price)] as const
  })
  return { mint, points }
}
