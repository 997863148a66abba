import { map, of, switchMap, take } from 'rxjs'
import { z } from 'zod'
import { MODES, TRADING_MODES } from '../../../src/contract/enums.ts'
import { keyedUuid } from '../../../src/core/ids.ts'
import { priceFromNumber } from '../../../src/core/price.ts'
import { keyedRandom } from '../../../src/core/random.ts'
import { SOL_MINT, TOKENS, USDC_MINT } from '../../../src/core/tokens.ts'
import { usdc } from '../../../src/core/usdc.ts'
import { enqueue } from '../../../src/strategy/action.ts'
import type { BotConfig } from '../../../src/strategy/config.ts'
import { defineDraftPicker, definePredictor, defineQueuePolicy, defineTrader } from '../../../src/strategy/define.ts'
import { buy } from '../../../src/strategy/orders.ts'
import { MINUTE_MS, START_MS } from './candles.ts'
import { benchBot } from './crossoverBot.ts'
import type { BenchLog } from './writeLog.ts'

const TICKS = 30 * 24 * 60
const TOKENS_PRICED = 30
export const CONTESTS = 2000
const EVERY_SEC = Math.floor(((TICKS - 60) * 60) / CONTESTS)
const EVERY_MS = EVERY_SEC * 1000
const DURATION_SEC = 600
const STAKE = usdc('1')

const offerAt = (index: number): number => START_MS + (index + 1) * EVERY_MS
const modeAt = (index: number) => MODES[index % MODES.length] ?? 'up_down'

/** A month of one-minute prices of as many tokens as there are, with contests of all modes that wait in the queue. */
export function monthLog(): BenchLog {
  const mints = TOKENS.map(({ mint }) => mint)
    .filter((mint) => mint !== USDC_MINT)
    .slice(0, TOKENS_PRICED)
  const walks = mints.map((mint) => {
    const random = keyedRandom('month', mint)
    let price = 10 ** random.integer(-2, 2)
    return Array.from({ length: TICKS }, () => {
      price *= 1 + random.normal() / 1000
      return priceFromNumber(price)
    })
  })
  const contests = Array.from({ length: CONTESTS }, (_, index) => ({
    ...{ at: offerAt(index), contestId: keyedUuid('month', index), mode: modeAt(index), chain: 'solana', stake: STAKE.toString() },
    ...({ format: 'duel', durationSec: DURATION_SEC, capacity: 2, opponents: 'AGENT', params: {}, via: 'queue' } as const),
  }))
  return {
    mints,
    ticks: TICKS,
    timeOf: (tick) => START_MS + tick * MINUTE_MS,
    priceOf: (tick, column) => walks[column]?.[tick] ?? '1',
    contests,
  }
}

/** Asked at least once between any two offers, it queues for the next one. */
const punctual = defineQueuePolicy({
  name: 'punctual',
  params: z.object({}),
  everySec: EVERY_SEC,
  decide({ clock, tickets }) {
    const next = Math.floor((clock.now() - START_MS) / EVERY_MS)
    if (tickets.length > 0 || next >= CONTESTS) return []
    return [enqueue({ mode: modeAt(next), stake: STAKE, durationSec: DURATION_SEC, chain: 'solana', waitSec: 2 * EVERY_SEC })]
  },
})

const first = defineDraftPicker({ name: 'first', params: z.object({}), pick: ({ draft }) => draft.available[0] })

const still = definePredictor({
  name: 'still',
  params: z.object({}),
  predict({ contest, prices }) {
    if (contest.mode === 'up_down') return { side: 'UP' }
    const price = contest.token === undefined ? undefined : prices.text(contest.token)
    return price === undefined ? undefined : { price }
  },
})

const once = defineTrader({
  name: 'once',
  modes: [...TRADING_MODES],
  params: z.object({}),
  trade: (context) =>
    of(context.contest.token ?? SOL_MINT).pipe(
      switchMap((token) => context.prices.price$(token).pipe(map(() => token))),
      map((token) => buy(context, token, usdc('5'))),
      switchMap((wish) => (wish === undefined ? [] : [wish])),
      take(1),
    ),
})

export const monthBot = (): BotConfig => benchBot([punctual(), first(), still(), once()])
