import { interval, map, merge, type Observable, of, Subject, VirtualTimeScheduler } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { predictionEvents, servePrediction, TOKEN } from '../../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { openContest, type ScriptedService } from '../../../test/support/scriptedService.ts'
import { openTestBot, type TestBot } from '../../../test/support/testBot.ts'
import { once, policy, predictor } from '../../../test/support/testStrategies.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import { type Action, enqueue, joinContest } from '../../strategy/action.ts'
import { defineStrategy, type RunContext } from '../../strategy/define.ts'
import { guardConfig } from '../../strategy/guardConfig.ts'

const [contestId, otherId] = [keyedUuid('contest'), keyedUuid('other')]
const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })
const join = (options: Partial<Parameters<typeof joinContest>[0]> = {}) =>
  policy(({ openContests: [first] }) => (first === undefined ? [] : [joinContest({ contestId: first.contestId, ...options })]), {
    browse: {},
  })
test('a strategy has the time for an answer that its bot gives it', async () => {
  const ask = policy(() => new Promise<Action[]>(() => {}))
  const guard = guardConfig({ maxStake: usdc('5'), dailyLoss: usdc('20') })
  const bot = await openTestBot({ config: { name: 'alice', strategies: [ask], guard, sweep: true, seed: 0, strategyTimeoutMs: 300 } })
  await bot.run(299)
  expect(bot.notes('error')).toEqual([])
  await bot.run(1)
  expect(bot.notes('error')[0]).toContain('did not answer within 300 ms')
})

const nonsense = <T>(value: unknown): T => value as T

describe('faults are contained', () => {
  /** Beside the faulty policy, a prediction has to be committed and revealed. */
  async function besidePrediction(faulty: Parameters<typeof policy>[0]): Promise<TestBot> {
    const bot = await openTestBot({ strategies: [policy(faulty, { everySec: 1 }), predictor(() => ({ price: '1' }))] })
    servePrediction(bot.service, () => bot.clock.now())
    await bot.tell(...predictionEvents())
    await bot.run(21_000)
    return bot
  }

  test.each([
    [
      'throws',
      () => {
        throw new Error('boom')
      },
      'boom',
    ],
    ['rejects', () => Promise.reject(new Error('boom')), 'boom'],
    [
      'throws what is no error',
      () => {
        throw nonsense<Error>({ odd: 1n })
      },
      'odd',
    ],
    ['returns nonsense', () => nonsense<Action[]>('nonsense'), "it should return a list of actions, and returned 'nonsense'"],
    ['returns what is no action', () => nonsense<Action[]>([{ type: 'bet', all: 1n }]), 'not an action'],
    ['returns an action that is not allowed', () => nonsense<Action[]>([{ ...entry, stake: 5 }]), 'stake'],
    ['resolves to nonsense', () => Promise.resolve(nonsense<Action[]>({ fast: 2n })), 'it should return a list of actions'],
    ['never answers', () => new Promise<Action[]>(() => {}), 'did not answer within 10000 ms'],
  ])('a policy that %s: it is reported, and the reveal goes out', async (_what, faulty, message) => {
    const bot = await besidePrediction(faulty)
    expect(bot.notes('error')[0]).toContain(`strategy policy failed: `)
    expect(bot.notes('error')[0]).toContain(message)
    expect(bot.service.acts.map(({ procedure }) => procedure)).toEqual(['agent.modes.commitPrediction', 'agent.modes.revealPrediction'])
    expect(bot.end).toBeUndefined()
  })

  test('after three faults it is left alone for a minute, and then asked again', async () => {
    let calls = 0
    const bot = await openTestBot({
      strategies: [
        policy(
          () => {
            calls += 1
            throw new Error('boom')
          },
          { everySec: 1 },
        ),
      ],
    })
    await bot.run(30_000)
    expect(calls).toBe(3)
    await bot.run(35_000)
    expect(calls).toBeGreaterThan(3)
  })

  test('a predictor that fails in one contest is still asked in the next', async () => {
    const asked: string[] = []
    const bot = await openTestBot({
      strategies: [
        predictor(({ contest }) => {
          asked.push(contest.contestId)
          throw new Error('boom')
        }),
      ],
    })
    for (const id of [contestId, otherId]) {
      bot.service.states.set(id, {
        mode: 'price_prediction',
        phase: 'commit',
        entryId: keyedUuid(id, 'entry'),
        commitBy: '2025-03-01T13:00:00Z',
      })
      await bot.tell(
        rawEvent('contest.live', {
          contestId: id,
          mode: 'price_prediction',
          startsAt: '2025-03-01T13:00:00Z',
          endsAt: '2025-03-01T14:00:00Z',
        }),
      )
      await bot.run(10_000)
    }
    expect(asked.filter((id) => id === contestId)).toHaveLength(3)
    expect(asked.filter((id) => id === otherId)).toHaveLength(3)
  })

  test('an answer that comes after its time was up is not heeded', async () => {
    const { promise, resolve } = Promise.withResolvers<Action[]>()
    const bot = await openTestBot({ strategies: [policy(() => promise, { everySec: 60 })] })
    await bot.run(10_100)
    resolve([entry])
    await bot.run(100)
    expect(bot.service.acts).toEqual([])
    expect(bot.notes('warn')).toContain('a strategy answered after its time was up')
  })
})

describe('a policy', () => {
  test('is called once the money is known, every `everySec`, and after an outcome', async () => {
    const calls: number[] = []
    const bot = await openTestBot({
      strategies: [
        policy(({ clock, limits, bankroll }) => void calls.push(limits === undefined || bankroll === undefined ? Number.NaN : clock.now())),
      ],
    })
    const [start = 0] = calls
    await bot.run(5100)
    expect(calls.slice(1)).toEqual([start + 5000])
    await bot.tell(rawEvent('ticket.expired', { ticketId: keyedUuid('t') }))
    expect(calls).toHaveLength(3)
    expect(calls).not.toContain(Number.NaN)
  })

  test('asynchronous, it is not asked again before it has answered, and its answer counts', async () => {
    const answers: ((actions: Action[]) => void)[] = []
    const bot = await openTestBot({
      strategies: [policy(() => new Promise<Action[]>((resolve) => answers.push(resolve)), { everySec: 1 })],
    })
    await bot.run(5000)
    expect(answers).toHaveLength(1)
    answers[0]?.([entry])
    await bot.run(100)
    expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
    const late = bot.steps.find(({ input }) => input.type === 'late')?.input
    const asked = bot.steps.find(({ calls }) => calls.length > 0)?.input.n
    // The answer names the input that caused it.
    expect(late).toMatchObject({ callId: `${asked}:policy:0` })
  })

  test('its random numbers depend on the seed, its name and the input alone', async () => {
    const draws = async () => {
      const drawn: number[] = []
      const bot = await openTestBot({ strategies: [policy(({ random }) => void drawn.push(random.next()), { everySec: 1 })] })
      await bot.run(3000)
      return drawn
    }
    const [first, second] = [await draws(), await draws()]
    expect(first).toEqual(second)
    expect(new Set(first).size).toBe(first.length)
  })
})

describe('joining', () => {
  const withOpen =
    (...open: ScriptedService['open']) =>
    ({ open: shelf }: ScriptedService) =>
      void shelf.push(...open)
  const joined = ({ service }: TestBot) => service.sent('agent.contests.join')

  test('without a side the predictor is asked for one, where the mode has sides', async () => {
    const bot = await openTestBot({
      strategies: [join(), predictor(({ contest }) => ({ side: contest.mode === 'up_down' ? 'DOWN' : 'none' }))],
      prepare: withOpen(openContest(contestId)),
    })
    expect(joined(bot)).toEqual([{ contestId, side: 'DOWN' }])
    const unsided = await openTestBot({
      strategies: [join()],
      prepare: withOpen(openContest(contestId, { mode: 'draft_basket', entries: [] })),
    })
    expect(joined(unsided)).toEqual([{ contestId }])
  })

  test.each([
    ['at once', (answer: { side: string }) => answer],
    ['later', (answer: { side: string }) => Promise.resolve(answer)],
  ])('of two contests the predictor is asked for each, where it answers %s', async (_when, given) => {
    const ids = [keyedUuid('one'), keyedUuid('other')]
    let isFirst = true
    const joinBoth = policy(
      ({ openContests }) => {
        if (!isFirst || openContests.length < ids.length) return []
        isFirst = false
        return ids.map((contestId) => joinContest({ contestId }))
      },
      { browse: {}, everySec: 1 },
    )
    const bot = await openTestBot({
      strategies: [joinBoth, predictor(() => given({ side: 'DOWN' }))],
      prepare: withOpen(...ids.map((contestId) => openContest(contestId))),
    })
    await bot.run(3000)
    expect(joined(bot)).toEqual(ids.map((contestId) => ({ contestId, side: 'DOWN' })))
  })

  test('without a side and without a predictor nothing is joined', async () => {
    const bot = await openTestBot({ strategies: [join()], prepare: withOpen(openContest(contestId)) })
    expect(joined(bot)).toEqual([])
    expect(new Set(bot.refusals())).toEqual(new Set(['SIDE_UNDECIDED']))
  })

  test('where the side is taken in the first, the next that was named is joined', async () => {
    const open = [openContest(contestId, { entries: [{ side: 'UP' }] }), openContest(otherId, { entries: [{ side: 'DOWN' }] })]
    const bot = await openTestBot({ strategies: [join({ side: 'UP', orElse: [otherId] })], prepare: withOpen(...open) })
    expect(joined(bot)).toEqual([{ contestId: otherId, side: 'UP' }])
    const none = await openTestBot({ strategies: [join({ side: 'UP', orElse: [] })], prepare: withOpen(...open) })
    expect(joined(none)).toEqual([])
    expect(new Set(none.refusals())).toEqual(new Set(['SIDE_TAKEN']))
  })

  test('a contest it has a seat in is not shown as open, and not joined again', async () => {
    const shown: number[] = []
    const stubborn = policy(
      ({ openContests }) => {
        shown.push(openContests.length)
        return [joinContest({ contestId, side: 'DOWN' })]
      },
      { browse: {}, everySec: 1 },
    )
    const bot = await openTestBot({ strategies: [stubborn], prepare: withOpen(openContest(contestId)), guard: { maxOpenContests: 9 } })
    await bot.run(3000)
    expect(joined(bot)).toHaveLength(1)
    expect(shown.at(-1)).toBe(0)
    expect(bot.refusals()).toContain('CONTEST_UNKNOWN')
  })

  test('a list that is too old is not joined from', async () => {
    const bot = await openTestBot({
      strategies: [
        policy(
          ({ clock, openContests: [first] }) =>
            first !== undefined && clock.now() > START_MS + 16_000 ? [joinContest({ contestId, side: 'DOWN' })] : [],
          { browse: {}, everySec: 1 },
        ),
      ],
      prepare: withOpen(openContest(contestId)),
    })
    bot.service.onRead('agent.contests.list', () => ({ ok: false, refusal: undefined, reason: 'ECONNREFUSED' }))
    await bot.run(20_000)
    expect(joined(bot)).toEqual([])
    expect(bot.refusals()).toContain('CONTEST_UNKNOWN')
  })
})

describe('defineStrategy', () => {
  const custom = (run: (context: RunContext<unknown>) => Observable<Action>) => defineStrategy({ name: 'own', params: z.object({}), run })()

  test('acts on events, periods and prices, through the guard', async () => {
    const own = custom(({ every, prices, events$ }) =>
      merge(
        of({ ...entry, stake: usdc('1') } as Action),
        every(2).pipe(map(() => ({ ...entry, stake: usdc('9') }) as Action)),
        prices.price$(TOKEN).pipe(map(() => ({ ...entry, mode: 'draft_basket' }) as Action)),
        events$.pipe(map(() => ({ ...entry, mode: 'price_prediction' }) as Action)),
      ),
    )
    const bot = await openTestBot({ strategies: [own], guard: { maxOpenContests: 9 } })
    expect(bot.service.sent('agent.queue.enqueue').map(({ mode }) => mode)).toEqual(['up_down'])
    bot.price({ [TOKEN]: '1' })
    await bot.tell(rawEvent('ticket.expired', { ticketId: keyedUuid('t') }))
    expect(bot.service.sent('agent.queue.enqueue').map(({ mode }) => mode)).toEqual(['up_down', 'draft_basket', 'price_prediction'])
    await bot.run(6100)
    expect(bot.refusals()).toEqual(['STAKE_OVER_OWN_CAP', 'STAKE_OVER_OWN_CAP', 'STAKE_OVER_OWN_CAP'])
  })

  test('what it emits of its own accord enters as an input of its own', async () => {
    const own$ = new Subject<Action>()
    const bot = await openTestBot({ strategies: [custom(() => own$)] })
    own$.next(entry)
    await bot.run(0)
    expect(bot.steps.at(-1)?.input.type).not.toBe('started')
    expect(bot.steps.some(({ input, orders }) => input.type === 'late' && orders.length === 1)).toBe(true)
    expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
  })

  test('one that fails, at the start or later, leaves the others be', async () => {
    let starts = 0
    const broken = custom(() => {
      starts += 1
      throw new Error('boom')
    })
    const bot = await openTestBot({ strategies: [broken, once(entry)] })
    for (let tick = 0; tick < 20; tick++) bot.price({ [TOKEN]: '1' })
    expect(starts).toBe(3)
    expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
    const later = await openTestBot({
      strategies: [
        custom(({ events$ }) =>
          events$.pipe(
            map((): Action => {
              throw new Error('later')
            }),
          ),
        ),
        once(entry),
      ],
    })
    await later.tell(rawEvent('ticket.expired', { ticketId: keyedUuid('t') }))
    expect(later.notes('error')).toEqual(['strategy own failed: later'])
    expect(later.service.sent('agent.queue.enqueue')).toHaveLength(1)
  })

  test('it is not subscribed to before the bot has caught up, and no longer once it is stopped', async () => {
    const life: string[] = []
    const scheduler = new VirtualTimeScheduler()
    const own = custom(() => {
      life.push('started')
      return interval(1, scheduler).pipe(map((): Action => entry))
    })
    const bot = await openTestBot({ strategies: [own], caughtUp: false })
    await bot.run(5000)
    expect(life).toEqual([])
    bot.events.catchUp()
    expect(life).toEqual(['started'])
    bot.kill()
    scheduler.maxFrames = 100
    scheduler.flush()
    expect(bot.service.acts).toEqual([])
  })
})
