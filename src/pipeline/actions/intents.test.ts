import { describe, expect, test } from 'vitest'
import { openPrediction, predictionId, predictionSettled, revealsOf, shelvePrediction } from '../../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import {
  accepted,
  notSent,
  openContest,
  queuedTicket,
  rejected,
  type ScriptedService,
  unknown,
  unreadable,
} from '../../../test/support/scriptedService.ts'
import { openTestBot, type TestBot } from '../../../test/support/testBot.ts'
import { once, policy } from '../../../test/support/testStrategies.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import { createContest, enqueue, joinContest, leaveContest } from '../../strategy/action.ts'

const TIMEOUT_MS = 5000
const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')
const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })
const ticket = queuedTicket(ticketId)

/** A policy that wants one ticket, and asks again and again while it has none. */
const persistent = () => policy(({ tickets, contests }) => (tickets.length + contests.length > 0 ? [] : [entry]), { everySec: 1 })

function losing(...procedures: Parameters<ScriptedService['onAct']>[0][]) {
  return (service: ScriptedService) => {
    for (const procedure of procedures) service.onAct(procedure, () => unknown)
  }
}

const lookUps = ({ service }: TestBot) => service.reads.filter(({ purpose }) => purpose.startsWith('resolve:'))

describe('an entry that was refused', () => {
  test('and that the service shows all the same counts as taken, is not asked for again, and is an alarm', async () => {
    const bot = await openTestBot({
      strategies: [persistent()],
      guard: { maxOpenContests: 1 },
      prepare(service) {
        service.onAct('agent.queue.enqueue', () => {
          service.tickets = [queuedTicket(ticketId)]
          return rejected('CONTEST_NOT_OPEN')
        })
      },
    })
    await bot.run(20_000)
    expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
    expect(bot.journal.outcomes).toEqual([{ type: 'enqueue', status: 'accepted' }])
    expect([...bot.status().books.tickets.keys()]).toEqual([ticketId])
    expect(bot.steps.flatMap(({ notes }) => notes.map(({ fields }) => fields.code))).toContain('REFUSAL_CONTRADICTED')
  })

  test('and is not shown is free to be asked for again; while nothing can be read it is not', async () => {
    const bot = await openTestBot({
      strategies: [persistent()],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => rejected('NO')),
    })
    const before = bot.service.sent('agent.queue.enqueue').length
    expect(before).toBeGreaterThan(0)
    bot.service.onRead('agent.queue.list', () => unreadable(503))
    await bot.run(60_000)
    const during = bot.service.sent('agent.queue.enqueue').length
    expect(during - before).toBeLessThanOrEqual(1)
    bot.service.onRead('agent.queue.list', undefined)
    await bot.run(10_000)
    expect(bot.service.sent('agent.queue.enqueue').length).toBeGreaterThan(during)
    expect(bot.status().actions.unknown).toBe(0)
  })
})

describe('an entry whose answer was lost', () => {
  test('holds its stake, is not sent again, and counts as unknown, for as long as nothing is known', async () => {
    const bot = await openTestBot({ strategies: [persistent()], prepare: losing('agent.queue.enqueue') })
    bot.service.onRead('agent.queue.list', () => unreadable())
    await bot.run(120_000)
    expect(bot.service.acts).toHaveLength(1)
    expect(bot.status().actions).toMatchObject({ unknown: 1, sent: 0, failed: 0 })
    expect(bot.refusals()).toEqual([])
    expect(bot.journal.outcomes).toEqual([{ type: 'enqueue', status: 'unknown' }])
  })

  test('leaves no room for others on the same money', async () => {
    const other = enqueue({ mode: 'draft_basket', stake: usdc('1'), durationSec: 15 })
    const bot = await openTestBot({
      strategies: [policy(() => [entry, other], { everySec: 1 })],
      guard: { dailyLoss: usdc('1.5') },
      prepare: losing('agent.queue.enqueue'),
    })
    bot.service.onRead('agent.queue.list', () => unreadable())
    await bot.run(30_000)
    expect(bot.service.acts).toHaveLength(1)
    expect(new Set(bot.refusals())).toEqual(new Set(['DAILY_LOSS_OWN']))
  })

  test('is looked up at once, and is accepted as soon as the service shows it', async () => {
    const bot = await openTestBot({
      strategies: [persistent()],
      prepare: (service) =>
        service.onAct('agent.queue.enqueue', () => {
          service.tickets.push(ticket)
          return unknown
        }),
    })
    expect(bot.journal.outcomes).toEqual([
      { type: 'enqueue', status: 'unknown' },
      { type: 'enqueue', status: 'accepted' },
    ])
    expect([...bot.status().books.tickets.keys()]).toEqual([ticketId])
    expect(bot.status().actions).toMatchObject({ sent: 1, unknown: 0, failed: 0 })
  })

  test('never happened only after two reads that began late enough, and is then free to be asked for again', async () => {
    const bot = await openTestBot({ strategies: [persistent()], prepare: losing('agent.queue.enqueue') })
    await bot.run(2 * TIMEOUT_MS - 100)
    expect(bot.journal.outcomes).toEqual([{ type: 'enqueue', status: 'unknown' }])
    await bot.run(200)
    // One read late enough has not shown it.
    expect(bot.journal.outcomes).toHaveLength(1)
    expect(bot.service.acts).toHaveLength(1)
    bot.service.onAct('agent.queue.enqueue', () => accepted({ ticketId }))
    await bot.run(3000)
    expect(bot.journal.outcomes).toEqual([
      { type: 'enqueue', status: 'unknown' },
      { type: 'enqueue', status: 'absent' },
      { type: 'enqueue', status: 'accepted' },
    ])
    expect(lookUps(bot).filter(({ at }) => at >= START_MS + 2 * TIMEOUT_MS)).toHaveLength(2)
    expect(bot.status().actions).toMatchObject({ sent: 2, failed: 1, unknown: 0 })
  })

  test('that may lie in a proxy never happened only once it can arrive no more', async () => {
    const mayArriveForMs = 60_000
    const bot = await openTestBot({
      strategies: [persistent()],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => ({ status: 'unknown', reason: 'no answer', mayArriveForMs })),
    })
    await bot.run(mayArriveForMs - 100)
    expect(bot.journal.outcomes).toEqual([{ type: 'enqueue', status: 'unknown' }])
    await bot.run(TIMEOUT_MS)
    expect(bot.journal.outcomes.slice(0, 2)).toEqual([
      { type: 'enqueue', status: 'unknown' },
      { type: 'enqueue', status: 'absent' },
    ])
  })

  test('a read that was asked for before then does not count, however late its answer', async () => {
    const bot = await openTestBot({ strategies: [persistent()], prepare: losing('agent.queue.enqueue') })
    bot.service.onRead('agent.queue.list', () => bot.service.after(TIMEOUT_MS * 2, { ok: true, output: [] }))
    await bot.run(TIMEOUT_MS * 4 - 100)
    // Two answers have come by now, one of them asked for late enough.
    expect(lookUps(bot).length).toBeGreaterThanOrEqual(2)
    expect(bot.journal.outcomes).toEqual([{ type: 'enqueue', status: 'unknown' }])
  })

  describe('or does not say what it made, as the specification lets it', () => {
    const answerless = (answer: (service: ScriptedService) => ReturnType<typeof accepted> | Promise<ReturnType<typeof accepted>>) =>
      openTestBot({
        strategies: [persistent()],
        guard: { maxOpenContests: 1 },
        prepare: (service) => service.onAct('agent.queue.enqueue', () => answer(service)),
      })
    const complaints = (bot: TestBot) => [...bot.notes('error'), ...bot.notes('warn')]

    test('is looked up, and nobody is alarmed', async () => {
      const bot = await answerless((service) => {
        service.tickets.push(ticket)
        return accepted({ fine: true })
      })
      expect(bot.journal.outcomes.at(-1)).toEqual({ type: 'enqueue', status: 'accepted' })
      expect([...bot.status().books.tickets.keys()]).toEqual([ticketId])
      expect(complaints(bot)).toEqual([])
    })

    test('is said once, at debug, however many there are', async () => {
      const bot = await answerless((service) => {
        service.tickets = [queuedTicket(keyedUuid('ticket', service.acts.length))]
        return accepted()
      })
      for (let n = 1; n <= 3; n++) {
        await bot.tell(rawEvent('ticket.expired', { ticketId: keyedUuid('ticket', n) }))
        await bot.run(2000)
      }
      expect(bot.service.acts.length).toBeGreaterThan(2)
      expect(bot.notes('debug').filter((note) => note.includes('does not say what it made'))).toHaveLength(1)
      expect(complaints(bot)).toEqual([])
    })

    test.each([
      'match.found',
      'ticket.failed',
    ] as const)('is found by %s, before or after its answer, where no list shows it', async (type) => {
      const told = () => rawEvent(type, { ticketId, contestId, mode: 'up_down', stake: '1000000' })
      const after = await answerless(() => accepted())
      await after.run(1000)
      expect([after.status().reserved.actions, after.journal.outcomes]).toEqual([1, [{ type: 'enqueue', status: 'unknown' }]])
      await after.tell(told())
      expect(after.journal.outcomes[1]).toEqual({ type: 'enqueue', status: 'accepted' })
      const before = await answerless((service) => service.after(1000, accepted()))
      await before.tell(told())
      await before.run(1000)
      expect(before.journal.outcomes[0]).toEqual({ type: 'enqueue', status: 'accepted' })
      for (const bot of [before, after]) expect(bot.status().books.seats.has(contestId)).toBe(type === 'match.found')
    })

    test('one ticket is of one of two', async () => {
      const bot = await openTestBot({
        strategies: [once(entry), policy(() => [entry], { name: 'other' })],
        guard: { maxOpenContests: 2 },
        prepare: (service) => service.onAct('agent.queue.enqueue', () => service.after(1000, accepted())),
      })
      const sent = bot.service.acts.length
      await bot.tell(rawEvent('match.found', { ticketId, contestId, mode: 'up_down', stake: '1000000' }))
      await bot.run(1100)
      expect(bot.journal.outcomes.slice(0, sent).filter(({ status }) => status === 'accepted')).toHaveLength(1)
    })

    test('holds its stake, is not sent again, and does not keep a drain from its end once it is found', async () => {
      const bot = await answerless(() => accepted())
      await bot.run(60_000)
      expect(bot.service.acts).toHaveLength(1)
      expect(bot.status()).toMatchObject({ reserved: { actions: 1, stake: usdc('1') }, actions: { failed: 0 } })
      bot.operator$.next('drain')
      await bot.run(10_000)
      expect(bot.end).toBeUndefined()
      bot.service.tickets = [ticket]
      await bot.run(10_000)
      expect(bot.service.sent('agent.queue.cancel')).toEqual([{ ticketId }])
      expect(bot.end).toEqual({ how: 'completed' })
    })
  })

  test('a contest made is not mistaken for one that was joined or matched', async () => {
    const create = createContest({ mode: 'up_down', chain: 'solana', format: 'duel', stake: usdc('1'), durationSec: 15 })
    const bot = await openTestBot({ strategies: [once(create)], prepare: losing('agent.contests.create'), caughtUp: false })
    const seat = { contestId, mode: 'up_down', status: 'open', stake: '1000000', durationSec: 15, you: { ready: true } }
    bot.service.contests.push(seat)
    await bot.tell(rawEvent('match.found', { ticketId, contestId }))
    bot.events.catchUp()
    await bot.run(3 * TIMEOUT_MS)
    expect(bot.journal.outcomes).toEqual([
      { type: 'createContest', status: 'unknown' },
      { type: 'createContest', status: 'absent' },
    ])
  })
})

test('a contest is not taken for one that was made while a ticket of its terms may have led to it', async () => {
  const terms = { mode: 'up_down', stake: usdc('1'), durationSec: 15 } as const
  const bot = await openTestBot({
    strategies: [once(enqueue(terms)), policy(() => [createContest({ ...terms, chain: 'solana', format: 'duel' })], { name: 'maker' })],
    guard: { maxOpenContests: 2 },
    prepare: losing('agent.contests.create'),
  })
  await bot.run(1000)
  expect(bot.service.sent('agent.contests.create')).toHaveLength(1)
  const [waiting] = bot.status().books.tickets.keys()
  bot.service.contests.push({ contestId, ...terms, stake: '1000000', status: 'live' })
  await bot.run(3 * TIMEOUT_MS)
  expect(bot.journal.outcomes.filter(({ type }) => type === 'createContest')).toEqual([{ type: 'createContest', status: 'unknown' }])
  // Now the stream says whose it is.
  await bot.tell(rawEvent('match.found', { ticketId: waiting, contestId }))
  await bot.run(3 * TIMEOUT_MS)
  expect(bot.journal.outcomes.filter(({ type }) => type === 'createContest').slice(0, 2)).toEqual([
    { type: 'createContest', status: 'unknown' },
    { type: 'createContest', status: 'absent' },
  ])
})

test('a lost leave of a contest that is over is not held for one that never happened by who has no word on it', async () => {
  const seat = { contestId, mode: 'best_trade', status: 'open', stake: '1000000', you: { entryId: keyedUuid('e'), ready: true } }
  const bot = await openTestBot({
    strategies: [policy(({ contests }) => contests.map(() => leaveContest({ contestId })), { everySec: 1 })],
    prepare: (service) => {
      service.contests.push(seat)
      losing('agent.contests.leave')(service)
    },
  })
  await bot.run(1000)
  expect(bot.service.sent('agent.contests.leave')).toHaveLength(1)
  bot.service.onRead('agent.contests.mine', () => unreadable(502))
  bot.service.contests = []
  await bot.tell(rawEvent('contest.cancelled', { contestId, reason: 'left' }))
  await bot.run(6 * TIMEOUT_MS)
  expect(bot.journal.outcomes).toEqual([{ type: 'leaveContest', status: 'unknown' }])
  bot.service.onRead('agent.contests.mine', undefined)
  await bot.run(2 * TIMEOUT_MS)
  expect(bot.journal.outcomes.at(-1)).toEqual({ type: 'leaveContest', status: 'accepted' })
})

describe('a join whose answer was lost', () => {
  const joining = () =>
    policy(({ openContests: [first] }) => (first === undefined ? [] : [joinContest({ contestId, side: 'DOWN' })]), { browse: {} })

  test('is settled by the stream, if it speaks of the contest since', async () => {
    const bot = await openTestBot({
      strategies: [joining()],
      prepare: (service) => {
        service.open.push(openContest(contestId))
        losing('agent.contests.join')(service)
      },
    })
    await bot.tell(rawEvent('contest.joined', { contestId: keyedUuid('another') }))
    expect(bot.status().actions.unknown).toBe(1)
    await bot.tell(rawEvent('contest.joined', { contestId }, START_MS - 60_000))
    expect(bot.status().actions.unknown).toBe(1)
    await bot.tell(rawEvent('contest.joined', { contestId }))
    expect(bot.status().actions.unknown).toBe(0)
    expect(bot.journal.outcomes.slice(0, 2)).toEqual([
      { type: 'joinContest', status: 'unknown' },
      { type: 'joinContest', status: 'accepted' },
    ])
    expect(bot.status().books.seats.get(contestId)).toMatchObject({ stake: usdc('1'), side: 'DOWN' })
  })

  test('is so too where the stream spoke before the answer was lost, and the contest is over by then', async () => {
    const bot = await openTestBot({
      strategies: [joining()],
      prepare: (service) => {
        service.open.push(openContest(contestId))
        service.onAct('agent.contests.join', () => service.after(TIMEOUT_MS, unknown))
      },
    })
    bot.service.open.length = 0
    await bot.tell(rawEvent('contest.cancelled', { contestId, reason: 'nobody came' }))
    expect([bot.journal.outcomes, bot.status().reserved.actions]).toEqual([[], 1])
    await bot.run(10 * TIMEOUT_MS)
    expect(bot.journal.outcomes).toEqual([{ type: 'joinContest', status: 'accepted' }])
    expect(bot.status()).toMatchObject({ actions: { sent: 1, failed: 0, unknown: 0 }, reserved: { actions: 0 } })
    expect(bot.status().books.seats.size).toBe(0)
  })

  test('never happened only where the stream was read, which would tell of it', async () => {
    const bot = await openTestBot({
      strategies: [joining()],
      prepare: (service) => {
        service.open.push(openContest(contestId))
        losing('agent.contests.join')(service)
      },
    })
    bot.service.open.length = 0
    bot.events.fallBehind()
    await bot.run(10 * TIMEOUT_MS)
    expect(bot.journal.outcomes).toEqual([{ type: 'joinContest', status: 'unknown' }])
    bot.events.catchUp()
    await bot.run(TIMEOUT_MS + 2000)
    expect(bot.journal.outcomes.at(-1)).toEqual({ type: 'joinContest', status: 'absent' })
  })
})

describe('refusals by the service', () => {
  test('free the stake, count as failures, and do not make an eager policy a flood', async () => {
    const bot = await openTestBot({
      strategies: [persistent()],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => rejected('STAKE_OVER_CAP')),
    })
    await bot.run(10_000)
    expect(bot.service.acts.length).toBeGreaterThan(5)
    expect(bot.service.acts.length).toBeLessThanOrEqual(11)
    const { sent, failed, unknown: open } = bot.status().actions
    expect({ failed, open }).toEqual({ failed: sent, open: 0 })
    expect(bot.notes('warn')[0]).toContain('STAKE_OVER_CAP')
  })

  test('a race that was lost is no failure', async () => {
    const bot = await openTestBot({
      strategies: [
        policy(({ openContests: [first] }) => (first === undefined ? [] : [joinContest({ contestId, side: 'DOWN' })]), { browse: {} }),
      ],
      prepare: (service) => {
        service.open.push(openContest(contestId))
        service.onAct('agent.contests.join', () => rejected('CONTEST_FULL'))
      },
    })
    expect(bot.status().actions).toMatchObject({ sent: 1, failed: 0 })
    expect(bot.journal.outcomes).toEqual([{ type: 'joinContest', status: 'lostRace' }])
  })

  test('what never left is free at once', async () => {
    const bot = await openTestBot({ strategies: [once(entry)], prepare: (service) => service.onAct('agent.queue.enqueue', () => notSent) })
    expect(bot.journal.outcomes).toEqual([{ type: 'enqueue', status: 'notSent' }])
    expect(bot.status().actions).toMatchObject({ failed: 1, unknown: 0 })
  })
})

describe('moves whose answer was lost', () => {
  test('a commitment that the service never shows is revealed all the same: if it was taken, its stake hangs on it', async () => {
    const bot = await openPrediction({}, (service) => {
      shelvePrediction(service, { committed: undefined })
      service.onAct('agent.modes.commitPrediction', () => unknown)
    })
    await bot.run(21_000)
    expect(bot.service.sent('agent.modes.commitPrediction')).toHaveLength(1)
    expect(revealsOf(bot)).toHaveLength(1)
    expect(bot.journal.custodyOf(predictionId).at(-1)?.status).toBe('revealed')
  })

  test('one that was taken after all is not made again, and is revealed', async () => {
    const bot = await openPrediction({}, (service) =>
      service.onAct('agent.modes.commitPrediction', () => {
        shelvePrediction(service, { committed: true })
        return unknown
      }),
    )
    await bot.run(21_000)
    expect(bot.service.sent('agent.modes.commitPrediction')).toHaveLength(1)
    expect(revealsOf(bot)).toHaveLength(1)
  })

  test('a reveal that was taken is not sent twice', async () => {
    const bot = await openPrediction({}, (service) =>
      service.onAct('agent.modes.revealPrediction', () => {
        shelvePrediction(service, { committed: true, revealed: true })
        return unknown
      }),
    )
    await bot.run(30_000)
    expect(revealsOf(bot)).toHaveLength(1)
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
  })

  test('one that never arrived is sent again while it still counts', async () => {
    let tries = 0
    const bot = await openPrediction({}, (service) => {
      service.onAct('agent.modes.revealPrediction', () => (++tries === 1 ? service.after(TIMEOUT_MS, unknown) : accepted()))
    })
    // The answer is given up after 5 s; twice that after it was sent, two reads decide. Reveals close 20 s after the end.
    await bot.run(20_000 + 2 * TIMEOUT_MS + 3000)
    expect(revealsOf(bot)).toHaveLength(2)
    expect(revealsOf(bot)[1]).toEqual(revealsOf(bot)[0])
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
  })

  test('what is over is resolved, although the service no longer shows it: a drain comes to its end', async () => {
    const bot = await openPrediction({}, (service) => {
      service.onAct('agent.modes.revealPrediction', () => {
        service.onRead('agent.modes.state', () => unreadable(404))
        return unknown
      })
    })
    await bot.run(20_100)
    expect(revealsOf(bot)).toHaveLength(1)
    await bot.tell(predictionSettled('LOSS'))
    bot.operator$.next('drain')
    await bot.run(5000)
    expect(bot.end).toBeUndefined()
    await bot.run(10_000)
    expect(bot.end).toEqual({ how: 'completed' })
    expect(bot.status().actions).toMatchObject({ unknown: 0, failed: 1 })
    expect(bot.status().reveals).toEqual({ due: 1, done: 0 })
  })

  test('an outage is no silence: nothing is resolved by it', async () => {
    const bot = await openPrediction({}, (service) => {
      service.onAct('agent.modes.revealPrediction', () => {
        service.onRead('agent.modes.state', () => ({ ok: false, refusal: undefined, reason: 'ECONNREFUSED' }))
        return unknown
      })
    })
    await bot.run(20_100)
    await bot.tell(predictionSettled('LOSS'))
    await bot.run(60_000)
    expect(bot.status().actions.unknown).toBe(1)
    bot.service.onRead('agent.modes.state', undefined)
    shelvePrediction(bot.service, { revealed: true })
    await bot.run(TIMEOUT_MS + 1000)
    expect(bot.status().reveals).toEqual({ due: 1, done: 1 })
  })

  test('a ticket that is gone ends the doubt about its cancellation', async () => {
    const bot = await openTestBot({ strategies: [once(entry)] })
    bot.service.onAct('agent.queue.cancel', () => unknown)
    bot.operator$.next('drain')
    await bot.run(1000)
    const [ticketOf] = bot.status().books.tickets.keys()
    await bot.tell(rawEvent('ticket.expired', { ticketId: ticketOf }))
    await bot.run(20_000)
    expect(bot.end).toEqual({ how: 'completed' })
  })
})
