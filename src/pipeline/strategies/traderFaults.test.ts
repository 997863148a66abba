import { map, merge, type Observable, of, throwError } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { alwaysSays, ENDS_MS, predictionEvents, revealsOf, servePrediction } from '../../../test/support/predictionContest.ts'
import { START_MS } from '../../../test/support/rawEvents.ts'
import { buy, CONTEST, contestOf, openTradingBot, sell, type TradingBot } from '../../../test/support/tradingBot.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT } from '../../core/tokens.ts'
import type { SwapIntent } from '../../strategy/action.ts'
import type { TradeContext } from '../../strategy/define.ts'

type Trade = (context: TradeContext<unknown>) => Observable<SwapIntent>

const OTHER = keyedUuid('other contest')
const nonsense = (value: unknown) => value as SwapIntent

const faults: readonly [string, Trade, string][] = [
  [
    'throws before it returns',
    () => {
      throw new Error('boom')
    },
    'boom',
  ],
  [
    'returns what is no observable',
    () => nonsense(7) as unknown as Observable<SwapIntent>,
    'such as every(5).pipe(map(…)), and returned 7',
  ],
  [
    'returns nothing',
    () => nonsense(undefined) as unknown as Observable<SwapIntent>,
    'such as every(5).pipe(map(…)), and returned undefined',
  ],
  ['fails at once', () => throwError(() => new Error('boom')), 'boom'],
  [
    'fails on a price',
    ({ prices }) =>
      prices.price$(SOL_MINT).pipe(
        map((): SwapIntent => {
          throw new Error('boom')
        }),
      ),
    'boom',
  ],
  [
    'fails on a period, with another',
    ({ every }) =>
      merge(every(1), every(1)).pipe(
        map((): SwapIntent => {
          throw new Error('boom')
        }),
      ),
    'boom',
  ],
  ['emits what is no swap', ({ every }) => every(1).pipe(map(() => nonsense({ type: 'bet' }))), 'not a swap'],
  ['emits nothing at all', ({ every }) => every(1).pipe(map(() => nonsense(undefined))), 'not a swap'],
  ['names another contest', ({ every }) => every(1).pipe(map(() => ({ ...buy(), contestId: OTHER }))), 'contestId'],
  ['gives its amount as a number', ({ every }) => every(1).pipe(map(() => ({ ...buy(), amount: nonsense(5) as never }))), 'amount'],
]

/** Time passes, with a price each second. */
async function seconds(bot: TradingBot, count: number): Promise<void> {
  for (let second = 0; second < count; second++) {
    bot.refresh()
    await bot.run(1000)
  }
}

const errorsOf = (bot: TradingBot, contestId: string) =>
  bot.steps.flatMap(({ notes }) => notes.filter(({ level, fields }) => level === 'error' && fields.contestId === contestId))

describe.each(faults)('a trader that %s', (_, trade, message) => {
  test('is started again, left alone in that contest after three faults, and stops nothing else', async () => {
    const honest: string[] = []
    const bot = await openTradingBot({
      trade: (context) => {
        if (context.contest.contestId === CONTEST) return trade(context)
        honest.push(context.contest.contestId)
        return context.every(1).pipe(map(() => buy()))
      },
      strategies: [alwaysSays('187.25')],
      prepare: ({ contests }) => contests.push(contestOf({ contestId: OTHER, mode: 'pnl_usd' })),
    })
    servePrediction(bot.service, () => bot.clock.now())
    await bot.tell(...predictionEvents())
    await seconds(bot, (ENDS_MS - START_MS) / 1000 + 1)
    const errors = errorsOf(bot, CONTEST)
    expect(errors.map(({ fields }) => fields.faults)).toEqual([1, 2, 3])
    for (const error of errors) expect(error.message).toContain(message)
    expect(errors.at(-1)?.message).toContain('left alone in this contest')
    expect(honest).toEqual([OTHER])
    expect(bot.service.sent('agent.trade.signAndSend').every(({ contestId }) => contestId === OTHER)).toBe(true)
    expect(bot.status().actions.swapsFilled).toBeGreaterThan(10)
    expect(revealsOf(bot)).toHaveLength(1)
    expect(bot.end).toBeUndefined()
  })
})

test('of periods that end together, one that fails leaves no other behind to wake the bot', async () => {
  const trade: Trade = ({ every }) =>
    merge(every(0.1), every(0.1)).pipe(
      map((): SwapIntent => {
        throw new Error('boom')
      }),
    )
  const bot = await openTradingBot({ trade })
  await bot.run(2000)
  const before = bot.steps.length
  await bot.run(5000)
  expect(bot.steps.slice(before).filter(({ input }) => input.type === 'timer').length).toBeLessThan(5)
})

describe('a trader that insists', () => {
  /** Asks for more than there is at its start, and again whatever comes of it. */
  const insists =
    (ask: () => SwapIntent): Trade =>
    ({ outcomes$ }) =>
      merge(of(undefined), outcomes$).pipe(map(ask))

  test('on what is refused does not go on for ever in one step, and is left alone in the end', async () => {
    const bot = await openTradingBot({ trade: insists(() => sell(1n)) })
    await seconds(bot, 10)
    expect(Math.max(...bot.steps.map(({ refused }) => refused.length))).toBe(1)
    const errors = errorsOf(bot, CONTEST)
    expect(errors.map(({ fields }) => [fields.code, fields.faults])).toEqual([1, 2, 3].map((fault) => ['STRATEGY_INSISTS', fault]))
    const refused = bot.refusals().length
    expect(refused).toBe(60)
    await seconds(bot, 5)
    expect(bot.refusals()).toHaveLength(refused)
  })

  test('on what one swap that goes through interrupts is not', async () => {
    let asked = 0
    const trade: Trade = ({ every }) => every(0.2).pipe(map(() => (++asked % 15 === 0 ? buy({ amount: 1_000_000n }) : sell(10n ** 12n))))
    const bot = await openTradingBot({ trade })
    await seconds(bot, 20)
    expect(bot.refusals().length).toBeGreaterThan(60)
    expect(errorsOf(bot, CONTEST)).toEqual([])
  })

  test('on what fails at once leaves the bot time for other things', async () => {
    const bot = await openTradingBot({ trade: ({ outcomes$, every }) => merge(every(1), outcomes$).pipe(map(() => buy())) })
    bot.swapper.onQuote = () => ({ ok: false, reason: 'ECONNREFUSED', retryable: true })
    await seconds(bot, 2)
    expect(bot.swapper.quotes.length).toBeGreaterThan(5)
    expect(bot.swapper.quotes.length).toBeLessThan(45)
  })
})

test('a trader waits while the stream cannot be read', async () => {
  const trade: Trade = ({ prices, every }) => merge(prices.price$(SOL_MINT), every(1)).pipe(map(() => buy()))
  const bot = await openTradingBot({ trade, guard: { maxSwapsPerMinute: 600 } })
  bot.events.fallBehind()
  await seconds(bot, 70)
  expect(bot.swapper.quotes).toEqual([])
  expect(bot.refusals()).toEqual([])
  bot.events.catchUp()
  await seconds(bot, 2)
  expect(bot.swapper.quotes.length).toBeGreaterThan(0)
  expect(errorsOf(bot, CONTEST)).toEqual([])
})
