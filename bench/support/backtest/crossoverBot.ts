import { map } from 'rxjs'
import { z } from 'zod'
import type { BacktestRun } from '../../../src/backtest/result.ts'
import { DAY_MS } from '../../../src/core/day.ts'
import { keyedUuid } from '../../../src/core/ids.ts'
import { SOL_MINT } from '../../../src/core/tokens.ts'
import { usdc } from '../../../src/core/usdc.ts'
import type { ContestLine } from '../../../src/recording/index.ts'
import { enqueue } from '../../../src/strategy/action.ts'
import { type BotConfig, readConfig, sandbox } from '../../../src/strategy/config.ts'
import { defineQueuePolicy, defineTrader } from '../../../src/strategy/define.ts'
import { oneAtATime } from '../../../src/strategy/oneAtATime.ts'
import { buy, heldOf, sellAll } from '../../../src/strategy/orders.ts'
import type { Positions } from '../../../src/strategy/view.ts'
import { MINUTE_MS, START_MS } from './candles.ts'
import { type BenchTrade, FAST, RollingMean, SLOW } from './crossover.ts'

const TERMS = { mode: 'pnl_usd', stake: usdc('1'), chain: 'solana' } as const
const HOUR_SEC = 3600
const DAY_MINUTES = DAY_MS / MINUTE_MS
/** A contest begins a few seconds after it is offered. */
const SPARE_MINUTES = 2

/** How many minutes of prices pass from contest to contest. */
export interface Pace {
  readonly everyMinutes: number
}
/** A contest a day, from shortly after midnight to shortly before the next one. */
export const DAILY: Pace = { everyMinutes: DAY_MINUTES }
/** One contest of all these prices, up to the last minutes. */
export const once = (ticks: number): Pace => ({ everyMinutes: ticks })

const durationSec = ({ everyMinutes }: Pace): number => (everyMinutes - SPARE_MINUTES) * 60

export function contestsOf(ticks: number, pace: Pace): Omit<ContestLine, 'kind'>[] {
  const { stake, ...terms } = TERMS
  return Array.from({ length: Math.ceil(ticks / pace.everyMinutes) }, (_, index) => ({
    ...{ at: START_MS + index * pace.everyMinutes * MINUTE_MS, contestId: keyedUuid('contest', index) },
    ...{ ...terms, durationSec: durationSec(pace), stake: stake.toString() },
    ...({ format: 'duel', capacity: 2, opponents: 'AGENT', params: {}, via: 'queue' } as const),
  }))
}

const always = defineQueuePolicy({
  name: 'always',
  params: z.object({ durationSec: z.number() }),
  everySec: DAY_MS / 1000,
  decide: ({ params: { durationSec }, tickets, contests }) =>
    tickets.length + contests.length > 0 ? [] : [enqueue({ ...TERMS, durationSec, waitSec: HOUR_SEC })],
})

const crossover = defineTrader({
  name: 'crossover',
  modes: ['pnl_usd'],
  params: z.object({ amount: z.bigint().default(usdc('10')) }),
  trade(context) {
    const { params, prices, positions$ } = context
    const [fastMean, slowMean] = [new RollingMean(FAST), new RollingMean(SLOW)]
    for (const { price } of prices.history(SOL_MINT, (SLOW + 1) * 60)) {
      fastMean.add(price)
      slowMean.add(price)
    }
    let held: Pick<Positions, 'holdings'> = { holdings: [] }
    let isLong = false
    // Both end with the contest.
    positions$.subscribe((positions) => {
      isLong = heldOf(positions, SOL_MINT) > 0n
      held = positions
    })
    return prices.price$(SOL_MINT).pipe(
      map(({ price }) => {
        const fast = fastMean.add(price)
        const slow = slowMean.add(price)
        if (isLong) return fast < slow ? sellAll(held, SOL_MINT) : undefined
        return fast > slow ? buy(context, SOL_MINT, params.amount) : undefined
      }),
      oneAtATime(context),
    )
  },
})

/** A bot with the caps of its guard out of the way of what is measured. */
export function benchBot(strategies: BotConfig['strategies'], guard: Partial<BotConfig['guard']> = {}): BotConfig {
  const caps = { maxStake: usdc('5'), dailyLoss: usdc('1000'), maxOpenContests: 50, maxSwapsPerContest: 10_000, maxSwapsPerMinute: 600 }
  const ages = { maxPriceAgeMs: 2 * MINUTE_MS, maxQuoteAgeMs: MINUTE_MS }
  const config = { service: sandbox(), bots: [{ name: 'bench', strategies, guard: { ...caps, ...ages, ...guard } }] }
  const [bot] = readConfig(config, 'bench').bots
  if (bot === undefined) throw new Error('there is a bot')
  return bot
}

export const crossoverBot = (pace: Pace): BotConfig => benchBot([always({ durationSec: durationSec(pace) }), crossover()])

/** What it has swapped in its contests, and at which candle. */
export const tradesOf = ({ bots }: Pick<BacktestRun, 'bots'>): BenchTrade[] =>
  bots
    .flatMap(({ contests }) => contests.flatMap(({ moves }) => moves))
    .map(({ at, text }) => ({ bar: Math.floor((at - START_MS) / MINUTE_MS), side: text.includes(' USDC for ') ? 'buy' : 'sell' }))
