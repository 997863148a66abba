import { from, map, merge, NEVER, Observable, of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { ScriptedSwapper } from '../../../test/support/scriptedSwapper.ts'
import { openTestBot } from '../../../test/support/testBot.ts'
import { buy, CONTEST, contestOf, openTradingBot, sell, type TradingBot } from '../../../test/support/tradingBot.ts'
import { TRADING_MODES, type TradingMode } from '../../contract/enums.ts'
import { keyedUuid } from '../../core/ids.ts'
import { SOL_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { type SwapIntent, swap } from '../../strategy/action.ts'
import { defineStrategy, defineTrader, type Strategy, type TradeContext } from '../../strategy/define.ts'
import type { Positions } from '../../strategy/view.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'

type Trade = (context: TradeContext<unknown>) => Observable<SwapIntent>

const iso = (ms: number) => new Date(ms).toISOString()
const ENDS_MS = START_MS + 5000
const endsSoon = { endsAt: iso(ENDS_MS) }

/** Seconds pass, each with a price. */
async function seconds(bot: TradingBot, count: number): Promise<void> {
  for (let second = 0; second < count; second++) {
    bot.refresh()
    await bot.run(1000)
  }
}

/** The kinds of input that swaps were asked for on. */
const askedOn = ({ steps }: TradingBot) => steps.flatMap(({ input, record }) => (record?.intents ?? []).map(() => input.type))

describe('a trader starts', () => {
  test('when the window opens, and a little after it', async () => {
    const started: number[] = []
    const trade: Trade = ({ clock }) => {
      started.push(clock.now() - START_MS)
      return NEVER
    }
    const bot = await openTradingBot({ trade, contest: { startsAt: iso(START_MS + 5000), endsAt: iso(START_MS + 60_000) } })
    await bot.run(4900)
    expect(started).toEqual([])
    await seconds(bot, 5)
    expect(started).toEqual([5050])
  })

  test('once the contest was read, so that it knows the token', async () => {
    const tokens: (string | undefined)[] = []
    const trade: Trade = ({ contest }) => {
      tokens.push(contest.token)
      return NEVER
    }
    const bot = await openTradingBot({ trade, prepare: (service) => void service.contests.splice(0) })
    await bot.tell(
      rawEvent('contest.live', { contestId: CONTEST, mode: 'same_token', startsAt: iso(START_MS), endsAt: iso(START_MS + 60_000) }),
    )
    await bot.run(6000)
    expect(tokens).toEqual([])
    bot.service.contests.push(contestOf({ contestId: CONTEST, mode: 'same_token', params: { token: SOL_MINT } }))
    await bot.run(6000)
    expect(tokens).toEqual([SOL_MINT])
  })

  test('in each live contest of its modes: the first of the config that has the mode', async () => {
    const started: string[] = []
    const named = (name: string, modes: readonly TradingMode[]): Strategy => {
      const trade: Trade = ({ contest }) => {
        started.push(`${name} in ${contest.mode}`)
        return NEVER
      }
      return defineTrader({ name, modes, params: z.object({}), trade })()
    }
    const bot = await openTestBot({
      strategies: [named('races', ['pnl_race_pct', 'target_race']), named('all', TRADING_MODES), named('late', TRADING_MODES)],
      prepare: (service) => {
        service.contests = ['target_race', 'best_trade', 'pnl_race_pct', 'up_down'].map((mode) =>
          contestOf({ contestId: keyedUuid(mode), mode }),
        )
      },
    })
    await bot.run(100)
    expect(started).toEqual(['races in target_race', 'all in best_trade', 'races in pnl_race_pct'])
  })

  test('not before the stream was read to its end', async () => {
    let started = 0
    const trade: Trade = () => {
      started += 1
      return NEVER
    }
    const bot = await openTradingBot({ trade, caughtUp: false })
    await bot.run(5000)
    expect(started).toBe(0)
    bot.events.catchUp()
    await bot.run(100)
    expect(started).toBe(1)
  })

  test('again after a restart, with what the fills of the journal come to', async () => {
    const journal = new MemoryJournal()
    const bot = await openTradingBot({ journal })
    await bot.ask(buy())
    await bot.ask(sell(20_000_000n))
    bot.kill()
    const shown: Positions[] = []
    const trade: Trade = ({ positions$ }) => {
      positions$.subscribe((positions) => shown.push(positions))
      return NEVER
    }
    await openTradingBot({ journal, trade, clock: bot.clock, swapper: new ScriptedSwapper() })
    const held = { holdings: [{ mint: SOL_MINT, amount: 30_000_000n }], cash: usdc('-6'), fills: 2 }
    expect(shown).toEqual([{ ...held, pnl: 0n }])
  })
})

describe('what a trader asks for belongs to the input it asked on', () => {
  test.each<[string, Trade, string]>([
    ['a price', ({ prices }) => prices.price$(SOL_MINT).pipe(map(() => buy())), 'prices'],
    ['a period', ({ every }) => every(1).pipe(map(() => buy())), 'timer'],
    ['its own time: a promise', ({ clock }) => from(Promise.resolve(clock).then(() => buy())), 'late'],
  ])('%s', async (_, trade, type) => {
    const bot = await openTradingBot({ trade, guard: { maxSwapsPerContest: 1 } })
    await seconds(bot, 2)
    expect(askedOn(bot)).toEqual([type])
    expect(bot.service.sent('agent.trade.signAndSend')).toHaveLength(1)
  })

  test('the positions it had at its start', async () => {
    const trade: Trade = ({ positions$ }) => positions$.pipe(map(({ fills }) => buy({ amount: usdc(`${2 + fills}`) })))
    const bot = await openTradingBot({ trade, guard: { maxSwapsPerContest: 3 } })
    await bot.run(100)
    expect(bot.swapper.quotes.map(({ amount }) => amount)).toEqual([usdc('2'), usdc('3'), usdc('4')])
    expect(askedOn(bot)[0], 'the contest was read').toBe('answer')
  })
})

describe('a trader ends', () => {
  const ways: readonly [string, (bot: TradingBot) => Promise<void>][] = [
    ['when its window closes', (bot) => bot.run(ENDS_MS - bot.clock.now())],
    ['when its contest is settled', (bot) => bot.tell(rawEvent('contest.settled', { contestId: CONTEST, mode: 'pnl_usd' }))],
    ['when its contest is cancelled', (bot) => bot.tell(rawEvent('contest.cancelled', { contestId: CONTEST }))],
    [
      'when the operator stops everything',
      async (bot) => {
        bot.operator$.next('stopAll')
        await bot.run(0)
      },
    ],
  ]

  test.each(ways)('%s, and what it emits after that goes nowhere', async (_, end) => {
    const ends: string[] = []
    let late = () => {}
    const trade: Trade = ({ prices, every, outcomes$ }) =>
      new Observable<SwapIntent>((subscriber) => {
        late = () => subscriber.next(buy())
        outcomes$.subscribe({ complete: () => ends.push('outcomes') })
        const asks = merge(prices.price$(SOL_MINT), every(1)).subscribe(() => subscriber.next(buy({ amount: 0n })))
        return () => {
          ends.push('unsubscribed')
          asks.unsubscribe()
        }
      })
    const bot = await openTradingBot({ trade, contest: endsSoon })
    await bot.run(1000)
    expect(bot.refusals()).toHaveLength(1)
    expect(ends).toEqual([])
    await end(bot)
    expect(ends).toEqual(['unsubscribed', 'outcomes'])
    const asked = bot.refusals().length
    late()
    await seconds(bot, 6)
    expect(bot.refusals()).toHaveLength(asked)
    expect(bot.swapper.quotes).toEqual([])
  })

  test('and what comes on the very input that closes its window goes nowhere either', async () => {
    const trade: Trade = ({ prices, every }) => merge(prices.price$(SOL_MINT), every(5.1)).pipe(map(() => buy()))
    const bot = await openTradingBot({ trade, contest: { endsAt: iso(START_MS + 5150) } })
    // Time passes and the bot is told nothing: the next input is a price, and the period is over too.
    bot.clock.advanceTo(START_MS + 5100)
    expect(bot.swapper.quotes).toEqual([])
    bot.clock.advanceTo(START_MS + 5150)
    bot.refresh()
    await bot.run(1000)
    expect([bot.swapper.quotes, bot.refusals()]).toEqual([[], []])
  })

  test('a swap whose transaction is there only after the window has closed is not sent', async () => {
    const bot = await openTradingBot({ contest: endsSoon })
    bot.swapper.onBuild = (built) => bot.service.after(3000, { ok: true, built })
    bot.swapper.onQuote = (good) => ({ ...good, quote: { ...good.quote, askedAt: good.quote.askedAt + 4000 } })
    await bot.ask(buy(), buy())
    bot.refresh()
    await bot.run(6000)
    expect(bot.service.sent('agent.trade.signAndSend')).toHaveLength(1)
    expect(bot.refusals()).toEqual(['CONTEST_NOT_LIVE'])
  })

  test('what waited for its turn when the window closed is withdrawn', async () => {
    const bot = await openTradingBot({ contest: endsSoon })
    bot.swapper.onQuote = () => new Promise(() => {})
    await bot.ask(buy(), buy(), buy())
    bot.refresh()
    await bot.run(12_000)
    expect(bot.swapper.quotes).toHaveLength(1)
    expect(bot.refusals()).toEqual([])
  })

  test('when the bot stops', async () => {
    let ended = false
    const end = () => {
      ended = true
    }
    const trade: Trade = () => new Observable(() => end)
    const bot = await openTradingBot({ trade })
    bot.kill()
    expect(ended).toBe(true)
  })

  test('with a kill switch that is lifted, and starts anew', async () => {
    let started = 0
    const trade: Trade = () => {
      started += 1
      return of(buy())
    }
    const bot = await openTradingBot({ trade })
    bot.operator$.next('stopAll')
    await bot.run(1000)
    expect(started).toBe(1)
    bot.operator$.next('resume')
    bot.refresh()
    await bot.run(100)
    expect(started).toBe(2)
    expect(bot.service.sent('agent.trade.signAndSend')).toHaveLength(2)
  })
})

test('a trader can spend what is free, less what its swap has just taken', async () => {
  const free: (bigint | undefined)[] = []
  const trade: Trade = ({ available, outcomes$ }) => {
    free.push(available())
    outcomes$.subscribe(() => free.push(available()))
    return of(buy())
  }
  await openTradingBot({ trade })
  // The service's figure is still the one of before.
  expect(free).toEqual([usdc('1000'), usdc('990')])
})

test('a trader is told of its own swaps alone, and of what all of its contest have made', async () => {
  const other = defineStrategy({ name: 'other', params: z.object({}), run: ({ every }) => every(1).pipe(map(() => asked())) })()
  const swaps = [buy(), buy({ amount: 0n })]
  const asked = () => swap({ ...(swaps.shift() ?? buy({ amount: 0n })), contestId: CONTEST })
  const bot = await openTradingBot({ strategies: [other] })
  await seconds(bot, 3)
  expect(bot.service.sent('agent.trade.signAndSend')).toHaveLength(1)
  expect(bot.refusals()).toContain('SWAP_AMOUNT_INVALID')
  expect(bot.outcomes).toEqual([])
  expect(bot.positions.at(-1)).toMatchObject({ cash: usdc('-10'), fills: 1 })
})
