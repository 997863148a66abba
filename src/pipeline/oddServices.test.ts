import { describe, expect, test } from 'vitest'
import {
  alwaysSays,
  ENDS_MS,
  entryId,
  openPrediction,
  predictionId,
  predictionSettled,
  revealsOf,
  shelvePrediction,
} from '../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../test/support/rawEvents.ts'
import { accepted, decoded, openContest, rejected, type ScriptedService, unknown, unreadable } from '../../test/support/scriptedService.ts'
import { openTestBot } from '../../test/support/testBot.ts'
import { once, picker, policy } from '../../test/support/testStrategies.ts'
import { VirtualClock } from '../core/clock.ts'
import { keyedUuid } from '../core/ids.ts'
import { usdc } from '../core/usdc.ts'
import { enqueue, joinContest } from '../strategy/action.ts'
import { MemoryJournal } from '../testing/memoryJournal.ts'

// Services that do what the specification does not show in another way than the sandbox does.

const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')
const iso = (afterMs: number) => new Date(START_MS + afterMs).toISOString()

/** What is said of a prediction that was not shown in its time: the prediction, and the stake without a move. */
const MISSED = [
  expect.stringMatching(/^a prediction was not revealed before its contest was settled, its stake is lost: CONTEST_NOT_OPEN: /),
  expect.stringMatching(/^price_prediction: 1.00 USDC were staked .* no valid move: its move was sent, and nobody had answered/),
]

describe('a prediction', () => {
  test.each([
    ['you.entryId', { you: { entryId } }],
    ['entryId', { entryId }],
    ['entry.id', { entry: { id: entryId } }],
    ['me.entryId', { you: { ready: true }, me: { entryId } }],
  ])('whose entry id stands in the contest alone, at %s, is made', async (_where, shown) => {
    const bot = await openPrediction({}, (service) => {
      shelvePrediction(service, { entryId: undefined })
      service.contests = [{ contestId: predictionId, mode: 'price_prediction', status: 'live', stake: '1000000', ...shown }]
    })
    await bot.run(4000)
    expect(bot.service.sent('agent.modes.commitPrediction')).toHaveLength(1)
    expect(bot.notes('error')).toEqual([])
  })

  test('that an earlier run has made is revealed when the mode says so', async () => {
    const [journal, clock] = [new MemoryJournal(), new VirtualClock(START_MS)]
    const shelve = (service: ScriptedService, committed: boolean) => shelvePrediction(service, { revealFrom: iso(6000), committed })
    const bot = await openPrediction({ journal, clock }, (service) => {
      shelve(service, false)
      service.onAct('agent.modes.commitPrediction', () => {
        shelve(service, true)
        return accepted()
      })
    })
    await bot.run(2000)
    bot.kill()
    const next = await openTestBot({ journal, clock, strategies: [alwaysSays('187.25')], prepare: (service) => shelve(service, true) })
    await next.run(2000)
    expect(revealsOf(next)).toHaveLength(0)
    await next.run(4000)
    expect(revealsOf(next)).toHaveLength(1)
  })

  test('that the service says it has been shown is not shown again, and not missed', async () => {
    let reveals = 0
    const bot = await openPrediction({}, (service) => {
      service.onAct('agent.modes.commitPrediction', () => {
        shelvePrediction(service, { committed: true, revealed: undefined })
        return accepted()
      })
      service.onAct('agent.modes.revealPrediction', () => (++reveals === 1 ? unknown : rejected('ALREADY_REVEALED')))
    })
    await bot.run(40_000)
    expect(reveals).toBe(2)
    await bot.tell(predictionSettled('LOSS'))
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
    expect(bot.notes('error')).toEqual([])
  })

  test.each([
    ['is not missed where the final state has it', true, { due: 1, done: 1 }, []],
    ['is missed where the final state does not', false, { due: 1, done: 0 }, MISSED],
    ['is missed where the final state cannot be read', undefined, { due: 1, done: 0 }, MISSED],
  ] as const)('whose reveal arrived after it was given up %s', async (_, revealed, reveals, errors) => {
    let tries = 0
    const bot = await openPrediction({}, (service) => {
      service.onAct('agent.modes.revealPrediction', () => {
        tries += 1
        return tries === 1 ? unknown : rejected('CONTEST_NOT_OPEN')
      })
    })
    await bot.run(25_000)
    expect(tries).toBeGreaterThan(1)
    if (revealed === undefined) bot.service.onRead('agent.modes.state', () => unreadable())
    else shelvePrediction(bot.service, { phase: 'settled', committed: true, revealed })
    await bot.tell(predictionSettled('LOSS'))
    // A service that fails at it for a minute has no word on it.
    await bot.run(revealed === undefined ? 65_000 : 1000)
    expect(bot.status().reveals).toEqual(reveals)
    // In whichever order.
    expect(bot.notes('error').toSorted()).toEqual(errors)
    expect(bot.status().books.custody.size).toBe(0)
  })

  test('that both its last look-up and the final state show counts once', async () => {
    let isOver = false
    const bot = await openPrediction({}, (service) => {
      service.onAct('agent.modes.revealPrediction', () => {
        // Not before the contest is over the mode says whether it has arrived.
        service.onRead('agent.modes.state', () => {
          const shown = { ...service.states.get(predictionId), committed: true, revealed: isOver ? true : undefined }
          return service.after(300, decoded('agent.modes.state', shown))
        })
        return unknown
      })
    })
    await bot.run(20_100)
    isOver = true
    await bot.tell(predictionSettled('LOSS'))
    await bot.run(20_000)
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
  })

  test('that is shown before the end, by the word of a phase alone, is shown then', async () => {
    const bot = await openPrediction({}, (service) => {
      shelvePrediction(service, { revealFrom: undefined })
      service.onAct('agent.modes.commitPrediction', () => {
        shelvePrediction(service, { revealFrom: undefined, committed: true })
        return accepted()
      })
      service.onAct('agent.modes.revealPrediction', () => {
        shelvePrediction(service, { phase: 'running', revealFrom: undefined, committed: true, revealed: true })
        return accepted()
      })
    })
    await bot.run(8000)
    expect(revealsOf(bot)).toHaveLength(0)
    shelvePrediction(bot.service, { phase: 'reveal', revealFrom: undefined, committed: true })
    await bot.run(5000)
    expect(revealsOf(bot)).toHaveLength(1)
    expect(bot.clock.now()).toBeLessThan(ENDS_MS)
  })

  test.each([
    ['until a time that it says', { commitBy: iso(20_000) }],
    ['until a time that it says, though it is called locked', { commitBy: iso(20_000), phase: 'locked' }],
    ['by the word of its phase', { commitBy: undefined }],
  ])('that is made after the start, %s, is made', async (_how, shown) => {
    const bot = await openTestBot({ strategies: [alwaysSays('187.25')] })
    shelvePrediction(bot.service, { ...shown, revealFrom: iso(30_000) })
    await bot.tell(
      rawEvent('match.found', { ticketId, contestId: predictionId, mode: 'price_prediction' }),
      rawEvent('contest.live', { contestId: predictionId, mode: 'price_prediction', startsAt: iso(0), endsAt: iso(30_000) }),
    )
    await bot.run(5000)
    expect(bot.service.sent('agent.modes.commitPrediction')).toHaveLength(1)
  })

  test('whose salt is not here is told of, once', async () => {
    const bot = await openPrediction({}, (service) => shelvePrediction(service, { committed: true }))
    await bot.run(10_000)
    expect(bot.service.sent('agent.modes.commitPrediction')).toEqual([])
    expect(bot.notes('error')).toEqual([expect.stringContaining('a prediction of this bot whose salt is not in this journal')])
  })

  test('that was shown before a restart is not told of as one without a salt', async () => {
    const [journal, clock] = [new MemoryJournal(), new VirtualClock(START_MS)]
    const showIt = (service: ScriptedService, shown: Readonly<Record<string, unknown>> = {}) =>
      shelvePrediction(service, { revealFrom: iso(8000), ...shown })
    const isShown = { phase: 'reveal', committed: true, revealed: true }
    const bot = await openPrediction({ journal, clock }, (service) => {
      showIt(service)
      service.onAct('agent.modes.commitPrediction', () => {
        showIt(service, { committed: true })
        return accepted()
      })
      service.onAct('agent.modes.revealPrediction', () => {
        showIt(service, isShown)
        return accepted()
      })
    })
    await bot.run(10_000)
    expect(revealsOf(bot)).toHaveLength(1)
    bot.kill()
    const next = await openTestBot({ journal, clock, prepare: (service) => showIt(service, isShown) })
    await next.run(5000)
    expect(next.status().books.seats.get(predictionId)?.committed).toBe(true)
    expect(next.notes('error')).toEqual([])
  })

  test('that won was shown, whatever was said of it', async () => {
    const bot = await openPrediction({}, (service) => service.onAct('agent.modes.revealPrediction', () => rejected('NO_SUCH_THING')))
    await bot.run(40_000)
    await bot.tell(predictionSettled('WIN'))
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
    expect(bot.notes('error')).toEqual([])
  })
})

describe('a draft within the window of its contest', () => {
  const turn = { mode: 'draft_basket', entryId, yourTurn: true, available: ['a', 'b'], mine: [] }

  async function openDraft(shown: Readonly<Record<string, unknown>>) {
    const bot = await openTestBot({ strategies: [picker(({ draft }) => draft.available[0])] })
    bot.service.states.set(contestId, shown)
    await bot.tell(
      rawEvent('match.found', { ticketId, contestId, mode: 'draft_basket' }),
      rawEvent('contest.live', { contestId, mode: 'draft_basket', startsAt: iso(0), endsAt: iso(30_000) }),
    )
    return bot
  }

  test('is drafted, a later turn too', async () => {
    const bot = await openDraft({ ...turn, yourTurn: false, turn: { entryId: keyedUuid('another') } })
    await bot.run(3000)
    expect(bot.service.sent('agent.modes.draftPick')).toEqual([])
    bot.service.states.set(contestId, turn)
    await bot.run(1000)
    expect(bot.service.sent('agent.modes.draftPick')).not.toEqual([])
  })

  test('is read once where it is over, and not followed', async () => {
    const bot = await openDraft({ ...turn, yourTurn: false, turn: null, phase: 'running' })
    await bot.run(20_000)
    expect(bot.service.reads.filter(({ procedure }) => procedure === 'agent.modes.state')).toHaveLength(1)
  })
})

describe('a list that goes on, on a page nobody can ask for,', () => {
  const page = { items: [], nextCursor: 'more' }

  test('does not show that a seat was never taken', async () => {
    const listed = openContest(contestId)
    const bot = await openTestBot({
      strategies: [policy(({ openContests }) => openContests.map(() => joinContest({ contestId, side: 'DOWN' })), { browse: {} })],
      prepare: (service) => {
        service.open.push(listed)
        service.onAct('agent.contests.join', () => unknown)
        service.onRead('agent.contests.mine', () => decoded('agent.contests.mine', page))
      },
    })
    await bot.run(60_000)
    expect(bot.service.sent('agent.contests.join')).toHaveLength(1)
    expect(bot.status().reserved.stake).toBe(usdc('1'))
  })

  test('does not show that a ticket was never taken', async () => {
    const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })
    const bot = await openTestBot({
      strategies: [policy(() => [entry])],
      prepare: (service) => {
        service.onAct('agent.queue.enqueue', () => unknown)
        service.onRead('agent.queue.list', () => decoded('agent.queue.list', page))
      },
    })
    await bot.run(60_000)
    expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
    expect(bot.status().reserved.stake).toBe(usdc('1'))
  })

  test('does not show that an open seat is gone', async () => {
    const bot = await openTestBot({
      prepare: (service) => service.onRead('agent.contests.mine', () => decoded('agent.contests.mine', page)),
    })
    await bot.tell(rawEvent('contest.joined', { contestId }))
    await bot.run(15 * 60_000)
    expect([...bot.status().books.seats.keys()]).toEqual([contestId])
  })
})

test('a service that takes no such limit of a list is asked without one', async () => {
  const bot = await openTestBot({
    strategies: [policy(({ openContests }) => openContests.map(() => joinContest({ contestId, side: 'DOWN' })), { browse: {} })],
    prepare: (service) =>
      service.onRead('agent.contests.list', ({ limit = 20 }) =>
        limit > 50 ? unreadable(400) : decoded('agent.contests.list', { items: [openContest(contestId)], nextCursor: null }),
      ),
  })
  await bot.run(10_000)
  expect(bot.service.sent('agent.contests.join')).toHaveLength(1)
})

test.each([null, undefined, '2025-03-02 00:00:00+00'])('limits that are reset at %j are known', async (resetsAt) => {
  const bot = await openTestBot({
    strategies: [once(enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 }))],
    prepare: (service) => {
      service.limits = { ...service.limits, resetsAt }
    },
  })
  await bot.run(1000)
  expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
})

test('a seat that cannot be readied, for it is ready, is read and left', async () => {
  const listed = openContest(contestId, { mode: 'draft_basket', entries: [] })
  const bot = await openTestBot({
    strategies: [
      policy(({ openContests, contests }) => (openContests.length === 0 || contests.length > 0 ? [] : [joinContest({ contestId })]), {
        browse: {},
      }),
    ],
    prepare: (service) => {
      service.open.push(listed)
      service.onAct('agent.contests.join', () => {
        service.contests = [{ ...listed, you: { ready: true } }]
        return accepted()
      })
      service.onAct('agent.contests.ready', () => rejected('ALREADY_READY'))
    },
  })
  await bot.run(60_000)
  expect(bot.service.sent('agent.contests.ready')).toHaveLength(1)
})

test('a seat that its policy keeps unready stays so after a restart', async () => {
  const [journal, clock] = [new MemoryJournal(), new VirtualClock(START_MS)]
  const listed = openContest(contestId, { mode: 'draft_basket', entries: [] })
  const joins = policy(({ openContests: [first] }) => (first === undefined ? [] : [joinContest({ contestId, readiedBy: 'policy' })]), {
    browse: {},
  })
  const prepare = (service: ScriptedService) => {
    service.open.push(listed)
    service.onAct('agent.contests.join', () => {
      service.contests = [{ ...listed, you: { ready: false } }]
      return accepted()
    })
  }
  const bot = await openTestBot({ journal, clock, strategies: [joins], prepare })
  await bot.run(5000)
  expect(bot.service.sent('agent.contests.join')).toHaveLength(1)
  bot.kill()
  const { contests } = bot.service
  const next = await openTestBot({ journal, clock, prepare: (service) => (service.contests = contests) })
  await next.run(30_000)
  expect([...next.status().books.seats.keys()]).toEqual([contestId])
  expect(next.service.sent('agent.contests.ready')).toEqual([])
})

test.each([400, 404, 410])('a ticket of an earlier run that the service refuses to show with %i waits for nothing', async (status) => {
  const [journal, clock] = [new MemoryJournal(), new VirtualClock(START_MS)]
  const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })
  const prepare = (service: ScriptedService) => service.onAct('agent.queue.enqueue', () => accepted({ ticketId }))
  const first = await openTestBot({ journal, clock, strategies: [once(entry)], prepare })
  await first.run(1000)
  first.kill()
  const bot = await openTestBot({ journal, clock, prepare: (service) => service.onRead('agent.queue.get', () => unreadable(status)) })
  await bot.run(5000)
  expect(bot.status().books.caughtUp).toBe(true)
})
