import { ignoreElements, map, merge, tap } from 'rxjs'
import { z } from 'zod'
import { DAY_MS } from '../../../src/core/day.ts'
import { keyedUuid } from '../../../src/core/ids.ts'
import { SOL_MINT, USDC_MINT } from '../../../src/core/tokens.ts'
import { usdc } from '../../../src/core/usdc.ts'
import type { ContestLine } from '../../../src/recording/index.ts'
import { enqueue } from '../../../src/strategy/action.ts'
import { type BotConfig, readConfig, sandbox } from '../../../src/strategy/config.ts'
import { defineQueuePolicy, defineTrader } from '../../../src/strategy/define.ts'
import { oneAtATime } from '../../../src/strategy/oneAtATime.ts'
import { buy, heldOf, sellAll } from '../../../src/strategy/orders.ts'
import type { Positions } from '../../../src/strategy/view.ts'
import { MINUTE_MS, START_MS } from './candles.ts'
import { FAST, mayHold, RollingMean, SLOW } from './crossover.ts'

const TERMS = { mode: 'pnl_usd', stake: usdc('1'), durationSec: 85_200, chain: 'solana' } as const
const HOUR_SEC = 3600
const DAY_MINUTES = DAY_MS / MINUTE_MS

/** One contest a day, from shortly after midnight to shortly before the next one. */
export function dailyContests(ticks: number): Omit<ContestLine, 'kind'>[] {
  const { stake, ...terms } = TERMS
  return Array.from({ length: Math.ceil((ticks * MINUTE_MS) / DAY_MS) }, (_, day) => ({
    ...{ at: START_MS + day * DAY_MS, contestId: keyedUuid('day', day), ...terms, stake: stake.toString() },
    ...({ format: 'duel', capacity: 2, opponents: 'AGENT', params: {}, via: 'queue' } as const),
  }))
}

const daily = defineQueuePolicy({
  name: 'daily',
  params: z.object({}),
  everySec: DAY_MS / 1000,
  decide: ({ tickets, contests }) => (tickets.length + contests.length > 0 ? [] : [enqueue({ ...TERMS, waitSec: HOUR_SEC })]),
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
    const held$ = positions$.pipe(
      tap((positions) => {
        isLong = heldOf(positions, SOL_MINT) > 0n
        held = positions
      }),
      ignoreElements(),
    )
    const wish$ = prices.price$(SOL_MINT).pipe(
      map(({ at, price }) => {
        const fast = fastMean.add(price)
        const slow = slowMean.add(price)
        const isOpen = mayHold(Math.floor((at - START_MS) / MINUTE_MS) % DAY_MINUTES)
        if (isLong) return fast < slow || !isOpen ? sellAll(held, SOL_MINT) : undefined
        return fast > slow && isOpen ? buy(context, SOL_MINT, params.amount) : undefined
      }),
    )
    return merge(held$, wish$).pipe(oneAtATime(context))
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

export const crossoverBot = (): BotConfig => benchBot([daily(), crossover()])

export const isBuy = ({ from }: { readonly from: string }): boolean => from === USDC_MINT
