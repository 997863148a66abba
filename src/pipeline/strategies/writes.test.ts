import { inspect } from 'node:util'
import fc from 'fast-check'
import { EMPTY, map, merge, NEVER, type Observable, tap } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { predictionEvents, servePrediction } from '../../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { openContest, type ScriptedService } from '../../../test/support/scriptedService.ts'
import { openTestBot, type TestBot } from '../../../test/support/testBot.ts'
import { picker, policy, predictor } from '../../../test/support/testStrategies.ts'
import { buy, openTradingBot } from '../../../test/support/tradingBot.ts'
import { vandalise } from '../../../test/support/vandal.ts'
import { keyedUuid, uuidv7 } from '../../core/ids.ts'
import { SOL_MINT, TOKENS } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import { enqueue, joinContest, type SwapIntent } from '../../strategy/action.ts'
import {
  defineDraftPicker,
  definePredictor,
  defineQueuePolicy,
  defineStrategy,
  type QueueContext,
  type Strategy,
  type StrategyContext,
  type TradeContext,
} from '../../strategy/define.ts'

// What a strategy is given is written to as JavaScript lets it: the types forbid it, and a file that is only stripped of them does not.

type Writable<T> = { -readonly [K in keyof T]: Writable<T[K]> }
const writable = <T>(value: T): Writable<T> => value as Writable<T>

const faults = (bot: TestBot) => bot.notes('error').filter((message) => message.includes(' failed: '))

/** A bot with caps of 1 USDC a contest and 3 a day, before open contests of 5 USDC. */
const offered = (decide: Parameters<typeof policy>[0], prepare: (service: ScriptedService) => void = () => {}) =>
  openTestBot({
    strategies: [policy(decide, { browse: {}, everySec: 1 })],
    guard: { maxStake: usdc('1'), dailyLoss: usdc('3'), maxOpenContests: 100 },
    prepare: (service) => {
      service.open = Array.from({ length: 10 }, (_, index) =>
        openContest(keyedUuid('offer', index), { mode: 'draft_basket', stake: usdc('5').toString(), entries: [] }),
      )
      prepare(service)
    },
  })

const joinAll = ({ openContests }: QueueContext<unknown>) =>
  openContests.map(({ contestId }) => joinContest({ contestId, readiedBy: 'policy' }))

describe('a cap holds against a strategy that writes', () => {
  test('the stake of what it is offered', async () => {
    const bot = await offered((context) => {
      for (const contest of writable(context.openContests)) contest.stake = contest.stake / 1_000_000n
      return joinAll(context)
    })
    await bot.run(5000)
    expect(bot.service.sent('agent.contests.join')).toEqual([])
    expect(bot.status().books.openContests?.value.map(({ stake }) => stake)).toEqual(Array.from({ length: 10 }, () => usdc('5')))
    expect(faults(bot)[0]).toContain('openContests[0].stake')
  })

  test('and catches the error of it', async () => {
    const bot = await offered((context) => {
      for (const contest of writable(context.openContests)) {
        try {
          contest.stake = 1n
        } catch {}
        Reflect.set(contest, 'stake', 1n)
        Reflect.deleteProperty(contest, 'stake')
        Reflect.defineProperty(contest, 'stake', { value: 1n })
      }
      return joinAll(context)
    })
    await bot.run(5000)
    expect(bot.service.sent('agent.contests.join')).toEqual([])
    expect(new Set(bot.refusals())).toEqual(new Set(['STAKE_OVER_OWN_CAP']))
  })

  test.each<[string, (context: Writable<QueueContext<unknown>>) => void]>([
    ['limits.maxStake', ({ limits }) => Object.assign(limits ?? {}, { maxStake: usdc('1000') })],
    [
      'limits.dailyLossCap',
      ({ limits }) => {
        if (limits !== undefined) limits.dailyLossCap = usdc('1000')
      },
    ],
    [
      'bankroll.available',
      ({ state }) => {
        if (state.bankroll !== undefined) state.bankroll.available = usdc('1000')
      },
    ],
  ])("the service's caps and the bankroll: %s", async (path, write) => {
    const bot = await openTestBot({
      strategies: [
        policy(
          (context) => {
            write(writable(context))
            return [enqueue({ mode: 'draft_basket', stake: usdc('5'), durationSec: 15 })]
          },
          { everySec: 1 },
        ),
      ],
      prepare: (service) => {
        service.limits = { ...service.limits, maxStake: usdc('2').toString(), dailyLossCap: usdc('2').toString(), remaining: '2000000' }
        service.bankroll = { available: usdc('2').toString(), inPlay: '0' }
      },
    })
    await bot.run(5000)
    expect(bot.service.sent('agent.queue.enqueue')).toEqual([])
    expect(faults(bot)[0]).toContain(path)
    expect(bot.status().books.limits?.value.maxStake).toBe(usdc('2'))
    expect(bot.status().books.bankroll?.value.available).toBe(usdc('2'))
  })

  test('the tokens of its turn', async () => {
    const contestId = keyedUuid('draft')
    const bot = await openTestBot({
      strategies: [
        picker(({ draft }) => {
          writable(draft).available.push('a token of its own')
          return 'a token of its own'
        }),
      ],
    })
    bot.service.states.set(contestId, { contestId, mode: 'draft_basket', phase: 'draft', yourTurn: true, available: ['one', 'two'] })
    await bot.tell(
      rawEvent('match.found', { contestId, ticketId: keyedUuid('t'), mode: 'draft_basket' }),
      rawEvent('contest.live', {
        ...{ contestId, mode: 'draft_basket' },
        ...{ startsAt: new Date(START_MS).toISOString(), endsAt: new Date(START_MS + 60_000).toISOString() },
      }),
    )
    await bot.run(2000)
    expect(faults(bot)[0]).toContain('draft.available')
    expect(bot.service.sent('agent.modes.draftPick')).toEqual([])
    expect(bot.status().books.seats.get(contestId)?.turn?.available).toEqual(['one', 'two'])
  })

  test('the sides that are taken, before a join of another', async () => {
    const bot = await openTestBot({
      strategies: [
        policy(({ openContests }) => openContests.map(({ contestId }) => joinContest({ contestId })), { browse: {} }),
        predictor(({ contest }) => {
          Reflect.set(Reflect.get(contest, 'sidesTaken') as object, 0, 'DOWN')
          return { side: 'UP' }
        }),
      ],
      prepare: (service) => {
        service.open = [openContest(keyedUuid('sided'), { mode: 'up_down' })]
      },
    })
    await bot.run(3000)
    expect(bot.service.sent('agent.contests.join')).toEqual([])
    expect(bot.refusals()).toContain('SIDE_TAKEN')
  })

  test('the decimals of a token', async () => {
    const [sol] = TOKENS
    expect(Reflect.set(sol ?? {}, 'decimals', 0)).toBe(false)
    expect(Reflect.set(TOKENS, 0, undefined)).toBe(false)
  })

  test('what its swaps have made: the journal has what was executed', async () => {
    const bot = await openTradingBot({
      trade: ({ positions$, outcomes$ }) => {
        outcomes$.subscribe((outcome) => {
          if (outcome.status === 'filled') Reflect.set(outcome.fill, 'received', 10n ** 18n)
        })
        return positions$.pipe(
          tap((positions) => Reflect.set(positions, 'cash', usdc('1000000'))),
          map(() => buy()),
        )
      },
      guard: { maxSwapsPerContest: 1 },
    })
    await bot.run(500)
    expect(bot.journal.fills).toHaveLength(1)
    expect(bot.journal.fills[0]?.received).toBeLessThan(10n ** 10n)
  })

  test('one price: another strategy sees what the feed said', async () => {
    const seen: number[] = []
    const mint = TOKENS[0]?.mint ?? ''
    const listening = (name: string, onPoint: (point: { price: number }) => void) =>
      policy(
        ({ prices }) => {
          prices.price$(mint).subscribe((point) => onPoint(writable(point)))
          return []
        },
        { name, everySec: 86_400 },
      )
    const bot = await openTestBot({
      strategies: [
        listening('writer', (point) => {
          point.price = 1
        }),
        listening('reader', ({ price }) => seen.push(price)),
      ],
    })
    await bot.run(100)
    bot.price({ [mint]: '200' })
    await bot.run(100)
    expect(seen).toEqual([200])
  })

  test('an event: the next strategy and the books have what the service said', async () => {
    const seen: unknown[] = []
    const hears = (name: string, onEvent: (event: object) => void) =>
      defineStrategy({
        name,
        params: z.object({}),
        run: ({ events$ }) => {
          events$.subscribe(onEvent)
          return NEVER
        },
      })()
    const bot = await openTestBot({
      strategies: [
        hears('writer', (event) => Reflect.set(Reflect.get(event, 'data') as object, 'profit', usdc('1000'))),
        hears('reader', (event) => seen.push(Reflect.get(Reflect.get(event, 'data') as object, 'profit'))),
        defineStrategy({ name: 'quiet', params: z.object({}), run: () => EMPTY })(),
      ],
    })
    await bot.run(100)
    await bot.tell(rawEvent('contest.settled', { contestId: keyedUuid('s'), result: 'LOSS', profit: '-1000000' }))
    expect(seen).toEqual([usdc('-1')])
  })
})

describe('a write is a fault', () => {
  test('that names what was written to, once thrown and once rejected', async () => {
    const sync = await offered((context) => {
      writable(context.limits ?? ({} as never)).lostToday = 0n
      return []
    })
    const later = await offered(async (context) => {
      await null
      writable(context.state.stats).staked = 0n
      return [{ type: 'unset' as never } as never]
    })
    for (const bot of [sync, later]) await bot.run(100)
    for (const [bot, path] of [
      [sync, 'limits.lostToday'],
      [later, 'stats.staked'],
    ] as const) {
      const note = bot.steps.flatMap(({ notes }) => notes).find(({ level }) => level === 'error')
      expect(note?.message).toContain(path)
      expect(note?.fields).toMatchObject({ code: 'STRATEGY_WROTE' })
    }
  })
})

/** What a strategy is given, and all that comes out of it. */
type Handle = (given: unknown) => void

const draftId = keyedUuid('draft of the vandals')
const leave: Handle = () => {}
const textOf = (value: unknown) =>
  inspect(value, { depth: null, maxArrayLength: null, maxStringLength: null, breakLength: Number.POSITIVE_INFINITY })

/** A trader that does this to whatever it gets, and buys at every price. */
const tradeOf =
  (handle: Handle) =>
  (context: TradeContext<unknown>): Observable<SwapIntent> => {
    const { prices, positions$, outcomes$, available, every } = context
    const asks$ = prices.price$(SOL_MINT).pipe(map(() => buy({ amount: usdc('1') })))
    merge(positions$, outcomes$, prices.price$(SOL_MINT), prices.candles$(SOL_MINT, 1), every(1)).subscribe(handle)
    handle([read(context), available(), context])
    return asks$
  }

const read = ({ prices }: StrategyContext<unknown>) => [prices.history(SOL_MINT, 60), prices.now(SOL_MINT), prices.text(SOL_MINT)]

/** A strategy of each other kind, each of which does this to whatever it gets, and then asks for the same as ever. */
function ofOtherKinds(handle: Handle): Strategy[] {
  const deep = { list: [{ map: new Map([['a', { b: 1 }]]) }], bytes: new Uint8Array(4), at: new Date(0) }
  const params = z.object({ deep: z.any().default(deep) })
  const every = 1
  return [
    definePredictor({
      name: 'predictor',
      params,
      predict(context) {
        handle([read(context), context])
        return { price: '187.25' }
      },
    })(),
    defineDraftPicker({
      name: 'picker',
      params,
      pick(context) {
        const [first] = context.draft.available
        handle([read(context), context])
        return first
      },
    })(),
    defineStrategy({
      name: 'custom',
      params,
      run(context) {
        const { events$, contests$, prices, state, every } = context
        const asks$ = every(1).pipe(map(() => enqueue({ mode: 'up_down', stake: usdc('2'), durationSec: 15 })))
        merge(events$, contests$, prices.price$(SOL_MINT), every(1).pipe(map(() => state()))).subscribe(handle)
        handle([read(context), state(), context])
        return asks$
      },
    })(),
    defineQueuePolicy({
      name: 'policy',
      params,
      everySec: every,
      browse: () => ({}),
      decide(context) {
        const joins = context.openContests.map(({ contestId }) => joinContest({ contestId, readiedBy: 'policy' }))
        handle([read(context), context])
        return joins
      },
    })(),
  ]
}

/** All that a bot with these strategies knew, asked for, was refused and sent, step by step, and what a strategy after them was shown. */
async function lived(handle: Handle): Promise<unknown> {
  const shown: unknown[] = []
  const witness = policy(
    ({ params: _params, prices: _prices, clock: _clock, random: _random, log: _log, ...given }) => {
      shown.push(textOf(given))
      return []
    },
    { name: 'witness', everySec: 1 },
  )
  const books: string[] = []
  const bot = await openTradingBot({
    strategies: [...ofOtherKinds(handle), witness],
    trade: tradeOf(handle),
    guard: { maxStake: usdc('1'), dailyLoss: usdc('6'), maxOpenContests: 20 },
    prepare: (service) => {
      service.open = ['1', '5'].map((stake) =>
        openContest(keyedUuid('offer', stake), { mode: 'draft_basket', stake: usdc(stake).toString(), entries: [{ side: 'UP' }] }),
      )
      service.states.set(draftId, { contestId: draftId, mode: 'draft_basket', phase: 'draft', yourTurn: true, available: ['one', 'two'] })
    },
    observer: {
      begins(status) {
        this.step = () => void books.push(textOf(status().books))
      },
      step() {},
    },
  })
  servePrediction(bot.service, () => bot.clock.now())
  const live = { startsAt: new Date(START_MS).toISOString(), endsAt: new Date(START_MS + 60_000).toISOString() }
  await bot.tell(
    ...predictionEvents().map((event) => ({ ...event, id: uuidv7(START_MS, event.type.length, 'same') })),
    ...[
      rawEvent('match.found', { contestId: draftId, ticketId: keyedUuid('t'), mode: 'draft_basket' }),
      rawEvent('contest.live', {
        ...live,
        contestId: draftId,
        mode: 'draft_basket',
        odd: { map: new Map([[1, { a: 1 }]]), set: new Set([{}]) },
      }),
      rawEvent('contest.settled', { contestId: keyedUuid('s'), result: 'LOSS', profit: '-1000000' }),
    ].map((event, index) => ({ ...event, id: uuidv7(START_MS + 1, index, 'same') })),
  )
  for (let second = 0; second < 8; second++) {
    bot.refresh()
    await bot.run(1000)
  }
  const steps = bot.steps.map(({ input: { type }, refused, record, notes }) => ({
    ...{ type, refused, intents: record?.intents },
    said: notes.map(({ message }) => message),
  }))
  return { books, shown, steps, fills: bot.journal.fills, acts: bot.service.acts, faults: faults(bot), end: bot.end }
}

describe('whatever a strategy does to what it is given', () => {
  test('the bot is the same to the byte: its books, its verdicts, its journal, and what the next strategy is shown', async () => {
    const untouched = await lived(leave)
    const kinds = untouched as { steps: { refused: { refusal: { code: string } }[]; intents?: { action: { type: string } }[] }[] }
    expect(new Set(kinds.steps.flatMap(({ intents = [] }) => intents.map(({ action }) => action.type)))).toEqual(
      new Set(['joinContest', 'draftPick', 'commitPrediction', 'swap']),
    )
    expect(new Set(kinds.steps.flatMap(({ refused }) => refused.map(({ refusal }) => refusal.code)))).toContain('STAKE_OVER_OWN_CAP')
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.bigInt(), fc.anything()), async (junk) => {
        let reached = 0
        const vandals = await lived((given) => {
          reached += vandalise(given, junk).reached
        })
        expect(reached).toBeGreaterThan(1000)
        expect(vandals).toEqual(untouched)
      }),
      { numRuns: 8 },
    )
  }, 60_000)
})
