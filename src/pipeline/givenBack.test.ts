import { describe, expect, test } from 'vitest'
import { alwaysSays, predictionId, revealsOf, shelvePrediction } from '../../test/support/predictionContest.ts'
import { rawEvent, START_MS } from '../../test/support/rawEvents.ts'
import {
  accepted,
  decoded,
  openContest,
  queuedTicket,
  rejected,
  type ScriptedService,
  unknown,
} from '../../test/support/scriptedService.ts'
import { openTestBot, type TestBot, type TestBotOptions } from '../../test/support/testBot.ts'
import { once, policy } from '../../test/support/testStrategies.ts'
import { VirtualClock } from '../core/clock.ts'
import { keyedUuid } from '../core/ids.ts'
import { SOL_MINT } from '../core/tokens.ts'
import { usdc } from '../core/usdc.ts'
import { type Action, enqueue, joinContest, leaveContest } from '../strategy/action.ts'
import { MemoryJournal } from '../testing/memoryJournal.ts'

// A seat that is given back: no event tells of it, so that what does is the journal alone.

const contestId = keyedUuid('contest')
const entry = enqueue({ mode: 'draft_basket', stake: usdc('1'), durationSec: 15 })
const join = joinContest({ contestId, side: 'DOWN' })
const leave = leaveContest({ contestId })

const listIt = (service: ScriptedService) => {
  service.open = [openContest(contestId, { lane: 'MIXED' })]
}

/** Asks for one after the other, each where the bot's state has come to let it. */
const inTurn = (...actions: readonly Action[]) => inTurnWhile(() => true, ...actions)

function inTurnWhile(mayAct: (next: number) => boolean, ...actions: readonly Action[]) {
  let next = 0
  return policy(
    ({ state }) => {
      const action = mayAct(next) ? actions[next] : undefined
      const isSeated = state.contests.length > 0
      const mayJoin = !isSeated && state.openContests.length > 0
      if (action === undefined || (action.type === 'joinContest' ? !mayJoin : !isSeated)) return []
      next += 1
      return [action]
    },
    { browse: {}, everySec: 1 },
  )
}

const joined = (at: number) => rawEvent('contest.joined', { contestId, userId: 'me', filled: 2 }, at)
const seatsOf = (bot: TestBot) => [...bot.status().books.seats.keys()]

/** A bot that has joined and left, and the one that is started after it. */
async function restarted(first: Partial<TestBotOptions>, second: Partial<TestBotOptions>, actions: readonly Action[] = [join, leave]) {
  const clock = new VirtualClock(START_MS)
  const before = await openTestBot({ clock, strategies: [inTurn(...actions)], prepare: listIt, ...first })
  await before.tell(joined(clock.now()))
  await before.run(12_000)
  const acts = before.service.acts.map(({ procedure }) => procedure)
  before.kill()
  return { acts, bot: await openTestBot({ clock, strategies: [once(entry)], ...second }) }
}

describe('a seat that was given back', () => {
  test('is not there again after a restart, and stands in the way of nothing', async () => {
    const journal = new MemoryJournal()
    const { acts, bot } = await restarted({ journal }, { journal })
    expect(acts.at(-1)).toBe('agent.contests.leave')
    await bot.run(5000)
    expect(seatsOf(bot)).toEqual([])
    expect(bot.service.acts.map(({ procedure }) => procedure)).toEqual(['agent.queue.enqueue'])
    bot.operator$.next('drain')
    await bot.run(30_000)
    expect(bot.end?.how).toBe('completed')
  })

  test('and taken again is there after a restart', async () => {
    const journal = new MemoryJournal()
    const { acts, bot } = await restarted({ journal }, { journal }, [join, leave, join])
    expect(acts.filter((procedure) => procedure === 'agent.contests.join')).toHaveLength(2)
    await bot.run(1000)
    expect(seatsOf(bot)).toEqual([contestId])
  })

  describe('and is this agent’s again', () => {
    const again = keyedUuid('another ticket')
    const matched = (at: number) => rawEvent('match.found', { ticketId: again, contestId, mode: 'up_down' }, at)
    const showIt = (service: ScriptedService) => {
      service.contests = [openContest(contestId, { status: 'live', you: { ready: true, side: 'UP' } })]
    }

    async function leftAndHeard(...raws: ((at: number) => unknown)[]): Promise<TestBot> {
      const bot = await openTestBot({ strategies: [inTurn(join, leave)], prepare: listIt })
      await bot.run(12_000)
      expect(seatsOf(bot)).toEqual([])
      showIt(bot.service)
      await bot.tell(...raws.map((raw) => raw(bot.clock.now())))
      await bot.run(1000)
      return bot
    }

    test.each([
      ['since a later ticket was matched there', matched],
      ['since a person took a seat', joined],
    ])('%s: it is there', async (_why, heard) => {
      const bot = await leftAndHeard(heard)
      expect(seatsOf(bot)).toEqual([contestId])
      expect(bot.status().books.seats.get(contestId)).toMatchObject({ phase: 'live', side: 'UP' })
    })

    test('is read once for all that is heard of it together', async () => {
      const bot = await leftAndHeard(joined, matched)
      const reads = bot.service.reads.filter(({ procedure }) => procedure === 'agent.contests.mine')
      expect(reads.length).toBeLessThanOrEqual(3)
      expect(seatsOf(bot)).toEqual([contestId])
    })

    test.each([undefined, 'locked'])('is there whatever its contest is called: %s', async (status) => {
      const bot = await openTestBot({ strategies: [inTurn(join, leave)], prepare: listIt })
      await bot.run(12_000)
      bot.service.contests = [openContest(contestId, { status })]
      await bot.tell(matched(bot.clock.now()))
      await bot.run(1000)
      expect(seatsOf(bot)).toEqual([contestId])
    })

    test('counts from the match of its ticket on: nothing is staked beside it while the list is on its way', async () => {
      const ticket = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })
      const hasLeft = (service: ScriptedService) => service.sent('agent.contests.leave').length > 0
      const bot: TestBot = await openTestBot({
        strategies: [
          inTurn(join, leave),
          policy(({ state }) => (hasLeft(bot.service) && state.tickets.length + state.contests.length === 0 ? [ticket] : []), {
            everySec: 1,
          }),
        ],
        guard: { maxOpenContests: 1 },
        caughtUp: false,
        prepare: (service) => {
          listIt(service)
          service.onAct('agent.queue.enqueue', () => accepted({ ticketId: again }))
        },
      })
      bot.events.catchUp()
      await bot.run(12_000)
      const shown = decoded('agent.contests.mine', [openContest(contestId, { status: 'live' })])
      bot.service.onRead('agent.contests.mine', () => bot.service.after(3000, shown))
      await bot.tell(matched(bot.clock.now()))
      await bot.run(2000)
      expect(seatsOf(bot)).toEqual([contestId])
      expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
    })

    test.each([
      ['a ticket that waited was matched there', matched, accepted()],
      ['a ticket that waited was matched there, and it was none already', matched, rejected('NOT_IN_CONTEST')],
      ['a person took a seat', joined, accepted()],
    ])('while it was being given back, since %s: it is there', async (_why, heard, answer) => {
      const ticket = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })
      const bot = await openTestBot({
        strategies: [inTurn(join, ticket, leave)],
        prepare: (service) => {
          listIt(service)
          service.onAct('agent.queue.enqueue', () => accepted({ ticketId: again }))
          service.onAct('agent.contests.leave', () => service.after(2000, answer))
        },
      })
      while (bot.service.sent('agent.contests.leave').length === 0) await bot.run(100)
      if (heard === joined) showIt(bot.service)
      await bot.tell(heard(bot.clock.now()))
      await bot.run(5000)
      expect(seatsOf(bot)).toEqual([contestId])
      expect(bot.status().books.seats.get(contestId)).toMatchObject({ ticketId: heard === matched ? again : undefined, durationSec: 15 })
    })

    test('is none where the match that is told of meanwhile made the seat that is given back', async () => {
      let asked = 0
      const bot = await openTestBot({
        strategies: [policy(({ state }) => (state.contests.length > 0 && asked++ === 0 ? [leave] : []), { everySec: 1 })],
        prepare: (service) => {
          // It is matched between the two reads of the start.
          service.tickets = [queuedTicket(again)]
          service.contests = [openContest(contestId, { you: { ready: true, side: 'UP' } })]
          service.onAct('agent.contests.leave', () => {
            service.contests = []
            return service.after(2000, accepted())
          })
        },
      })
      const matchedAt = bot.clock.now() - 1000
      await bot.run(500)
      expect(bot.service.sent('agent.contests.leave')).toHaveLength(1)
      await bot.tell(matched(matchedAt))
      await bot.run(10_000)
      expect(seatsOf(bot)).toEqual([])
    })

    test('is none where its contest is over before the list is here', async () => {
      const bot = await openTestBot({ strategies: [inTurn(join, leave)], prepare: listIt })
      await bot.run(12_000)
      const shown = decoded('agent.contests.mine', [openContest(contestId, { status: 'live' })])
      bot.service.onRead('agent.contests.mine', () => bot.service.after(2000, shown))
      await bot.tell(matched(bot.clock.now()))
      await bot.run(1000)
      await bot.tell(rawEvent('contest.cancelled', { contestId }, bot.clock.now()))
      await bot.run(5000)
      expect(seatsOf(bot)).toEqual([])
    })

    test('and is given back once more is none, whatever a list of before shows', async () => {
      let allowed = 2
      const bot = await openTestBot({ strategies: [inTurnWhile((next) => next < allowed, join, leave, join, leave)], prepare: listIt })
      await bot.run(100)
      const shown = decoded('agent.contests.mine', [openContest(contestId)])
      bot.service.onRead('agent.contests.mine', () => bot.service.after(9000, shown))
      await bot.tell(joined(bot.clock.now()))
      bot.service.onRead('agent.contests.mine', undefined)
      allowed = 3
      await bot.run(3000)
      expect(seatsOf(bot)).toEqual([contestId])
      allowed = 4
      await bot.run(12_000)
      expect(bot.service.sent('agent.contests.leave')).toHaveLength(2)
      expect(seatsOf(bot)).toEqual([])
    })

    test('is read seldom where the service goes on to tell of every join of a lobby that was left', async () => {
      const bot = await openTestBot({ strategies: [inTurn(join, leave)], prepare: listIt })
      await bot.run(12_000)
      for (let second = 0; second < 60; second++) {
        for (let n = 0; n < 5; n++) {
          await bot.tell(joined(bot.clock.now()))
          await bot.run(200)
        }
      }
      const reads = bot.service.reads.filter(({ procedure }) => procedure === 'agent.contests.mine')
      expect(reads.length).toBeLessThanOrEqual(35)
      showIt(bot.service)
      await bot.tell(matched(bot.clock.now()))
      await bot.run(2500)
      expect(seatsOf(bot)).toEqual([contestId])
    })

    test('is there after a restart, too', async () => {
      const [journal, clock] = [new MemoryJournal(), new VirtualClock(START_MS)]
      const bot = await openTestBot({ journal, clock, strategies: [inTurn(join, leave)], prepare: listIt })
      await bot.run(12_000)
      await bot.tell(matched(clock.now()))
      await bot.run(1000)
      expect(seatsOf(bot)).toEqual([])
      bot.kill()
      const next = await openTestBot({ journal, clock, prepare: showIt })
      await next.run(1000)
      expect(seatsOf(next)).toEqual([contestId])
    })
  })

  test('and is this agent’s again keeps its prediction over a restart', async () => {
    const [journal, clock] = [new MemoryJournal(), new VirtualClock(START_MS)]
    const iso = (afterMs: number) => new Date(START_MS + afterMs).toISOString()
    const ofPrediction = { contestId: predictionId }
    const showIt = (service: ScriptedService, shown: Readonly<Record<string, unknown>> = {}) => {
      const live = { status: 'live', startsAt: iso(40_000), endsAt: iso(50_000) }
      service.contests = [openContest(predictionId, { mode: 'price_prediction', ...live, you: { ready: true } })]
      shelvePrediction(service, { commitBy: iso(40_000), revealFrom: iso(50_000), ...shown })
    }
    const bot = await openTestBot({
      ...{ journal, clock },
      strategies: [inTurn(joinContest(ofPrediction), leaveContest(ofPrediction)), alwaysSays('100')],
      caughtUp: false,
      prepare: (service) => {
        service.open = [openContest(predictionId, { mode: 'price_prediction', lane: 'MIXED' })]
      },
    })
    bot.price({ [SOL_MINT]: '150' })
    bot.events.catchUp()
    await bot.run(12_000)
    expect(bot.service.sent('agent.contests.leave')).toHaveLength(1)
    showIt(bot.service)
    await bot.tell(rawEvent('match.found', { ticketId: keyedUuid('another'), ...ofPrediction, mode: 'price_prediction' }, clock.now()))
    await bot.run(5000)
    expect(bot.service.sent('agent.modes.commitPrediction')).toHaveLength(1)
    bot.kill()
    const next = await openTestBot({ journal, clock, prepare: (service) => showIt(service, { committed: true }) })
    await next.run(60_000)
    expect(revealsOf(next)).toHaveLength(1)
    expect(journal.custodyOf(predictionId).map(({ status }) => status)).toEqual(['made', 'committed', 'revealed'])
    expect(next.notes('error')).toEqual([])
  })

  test('is none once more where taking it again is refused, whatever the stream says late of the first one', async () => {
    let joins = 0
    const bot = await openTestBot({
      strategies: [inTurn(join, leave, join)],
      prepare: (service) => {
        listIt(service)
        service.onAct('agent.contests.join', () => (++joins === 1 ? accepted() : rejected('CONTEST_FULL')))
      },
    })
    await bot.run(12_000)
    expect(joins).toBe(2)
    await bot.tell(joined(bot.clock.now()))
    await bot.run(2000)
    expect(seatsOf(bot)).toEqual([])
  })

  test('of which the event comes while it is asked for again is none if that is refused', async () => {
    let joins = 0
    const bot = await openTestBot({
      strategies: [inTurn(join, leave, join)],
      prepare: (service) => {
        listIt(service)
        service.onAct('agent.contests.join', () => (++joins === 1 ? accepted() : service.after(3000, rejected('CONTEST_FULL'))))
      },
    })
    while (joins < 2) await bot.run(500)
    await bot.tell(joined(bot.clock.now()))
    await bot.run(5000)
    expect(seatsOf(bot)).toEqual([])
  })

  test('that is not there is given back all the same', async () => {
    const bot = await openTestBot({
      strategies: [],
      prepare: (service) => {
        service.contests = [openContest(contestId, { you: { ready: true } })]
        service.onAct('agent.contests.leave', () => rejected('NOT_IN_CONTEST'))
      },
    })
    await bot.run(1000)
    expect(seatsOf(bot)).toEqual([contestId])
    bot.operator$.next('drain')
    await bot.run(10_000)
    expect(bot.service.sent('agent.contests.leave')).toHaveLength(1)
    expect(bot.end?.how).toBe('completed')
  })
})

describe('what the service has taken without saying what it made', () => {
  const keepsOne = () => policy(({ state }) => (state.tickets.length === 0 ? [entry] : []), { everySec: 1 })

  test('is never taken for absent: no second stake, and the log says so while it is looked for in vain', async () => {
    const bot = await openTestBot({
      strategies: [keepsOne()],
      guard: { maxOpenContests: 1 },
      prepare: (service) => service.onAct('agent.queue.enqueue', () => accepted({ number: 'seventeen' })),
    })
    await bot.run(300_000)
    expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
    // What an action answers with is not specified: that alone is no mistake of the service's.
    expect(bot.notes('error')).toEqual([])
    expect(bot.notes('warn')[0]).toBe('no policy is asked: what became of enqueue for 1.00 USDC is not known since 60 s')
    expect(bot.status().reserved.stake).toBe(usdc('1'))
  })

  test('is found in a list that has its id elsewhere', async () => {
    const id = keyedUuid('ticket')
    const bot = await openTestBot({
      strategies: [keepsOne()],
      prepare: (service) =>
        service.onAct('agent.queue.enqueue', () => {
          service.tickets.push({ id, mode: 'draft_basket', stake: '1000000', durationSec: 15, status: 'in line' })
          return accepted({ number: 'seventeen' })
        }),
    })
    await bot.run(60_000)
    expect([...bot.status().books.tickets.keys()]).toEqual([id])
    expect(bot.status().actions.unknown).toBe(0)
  })

  test.each(['id', 'ticket'])('is known where the answer has it at %s', async (place) => {
    const ticketId = keyedUuid('ticket')
    const bot = await openTestBot({
      strategies: [keepsOne()],
      prepare: (service) =>
        service.onAct('agent.queue.enqueue', () => accepted(place === 'id' ? { id: ticketId } : { ticket: { ticketId } })),
    })
    await bot.run(5000)
    expect([...bot.status().books.tickets.keys()]).toEqual([ticketId])
  })

  test('a created contest too', async () => {
    let made = 0
    const create = { type: 'createContest', mode: 'up_down', chain: 'solana', format: 'duel', stake: usdc('1'), durationSec: 15 } as const
    const bot = await openTestBot({
      strategies: [policy(({ state }) => (state.contests.length === 0 ? [create] : []), { everySec: 1 })],
      prepare: (service) =>
        service.onAct('agent.contests.create', () => {
          const { contestId: id, ...row } = openContest(keyedUuid('made', ++made))
          service.contests.push({ id, ...row })
          return accepted({ id })
        }),
    })
    await bot.run(60_000)
    expect(made).toBe(1)
  })
})

describe('a ticket that is open at a restart', () => {
  test.each(['queued', 'active', undefined])('is not staked again where the service calls it %s', async (status) => {
    const ticketId = keyedUuid('ticket')
    const journal = new MemoryJournal()
    const clock = new VirtualClock(START_MS)
    const keepsOne = () => policy(({ state }) => (state.tickets.length === 0 ? [entry] : []))
    const options = { journal, clock, guard: { maxOpenContests: 1 } }
    const first = await openTestBot({
      ...options,
      strategies: [keepsOne()],
      prepare: (service) => service.onAct('agent.queue.enqueue', () => accepted({ ticketId })),
    })
    await first.run(1000)
    first.kill()
    const second = await openTestBot({
      ...options,
      strategies: [keepsOne()],
      prepare: (service) => service.tickets.push({ ticketId, status, mode: 'draft_basket', stake: '1000000', durationSec: 15 }),
    })
    await second.run(8000)
    expect(second.service.acts).toEqual([])
  })

  test.each([
    ['does not say what is staked', {}],
    ['says it one level below', { ticket: { mode: 'draft_basket', stake: '1000000', durationSec: 15 } }],
  ])('counts, and is not staked again, where the service %s', async (_what, shown) => {
    const ticketId = keyedUuid('ticket')
    const [journal, clock] = [new MemoryJournal(), new VirtualClock(START_MS)]
    const options = { journal, clock, strategies: [policy(() => [entry])], guard: { maxOpenContests: 1 } }
    const first = await openTestBot({
      ...options,
      prepare: (service) => service.onAct('agent.queue.enqueue', () => accepted({ ticketId })),
    })
    await first.run(1000)
    first.kill()
    const second = await openTestBot({ ...options, prepare: (service) => service.tickets.push({ ticketId, status: 'queued', ...shown }) })
    await second.run(8000)
    expect(second.service.acts).toEqual([])
    expect(second.status().today()).toBeUndefined()
    await second.tell(rawEvent('ticket.expired', { ticketId }))
    await second.run(8000)
    expect(second.service.acts).toHaveLength(1)
  })
})

test('an action that was held back before it was sent has as long to arrive as any other', async () => {
  const ticketId = keyedUuid('ticket')
  const bot = await openTestBot({
    strategies: [policy(({ state }) => (state.tickets.length === 0 ? [entry] : []), { everySec: 1 })],
    prepare: (service) => {
      // Held for one time-out, given up after another.
      service.onAct('agent.queue.enqueue', () => service.after(10_000, unknown))
    },
  })
  await bot.run(11_500)
  bot.service.tickets.push({ ticketId, status: 'queued', mode: 'draft_basket', stake: '1000000', durationSec: 15 })
  await bot.run(30_000)
  expect(bot.service.sent('agent.queue.enqueue')).toHaveLength(1)
  expect([...bot.status().books.tickets.keys()]).toEqual([ticketId])
})

describe('a leave whose answer was lost', () => {
  const seat = { contestId, mode: 'up_down', status: 'open', stake: '1000000', you: { ready: true, side: 'DOWN' } }

  async function leftUnheard(): Promise<TestBot> {
    const bot = await openTestBot({
      strategies: [inTurn(join, leave)],
      prepare: (service) => {
        listIt(service)
        service.onAct('agent.contests.leave', () => unknown)
      },
    })
    await bot.tell(joined(START_MS))
    await bot.run(3000)
    expect(bot.service.sent('agent.contests.leave')).toHaveLength(1)
    return bot
  }
  const outcome = (bot: TestBot) => bot.journal.outcomes.at(-1)

  test('is not done because a list lacks the newest seat', async () => {
    const bot = await leftUnheard()
    expect(seatsOf(bot)).toEqual([contestId])
    bot.service.contests.push(seat)
    await bot.run(20_000)
    expect(seatsOf(bot)).toEqual([contestId])
    expect(outcome(bot)).toEqual({ type: 'leaveContest', status: 'absent' })
  })

  test('nor because the contest was played to its end: its stake is in play until the stream says what came of it', async () => {
    const bot = await leftUnheard()
    const iso = (ms: number) => new Date(ms).toISOString()
    await bot.tell(rawEvent('contest.live', { contestId, startsAt: iso(START_MS + 3000), endsAt: iso(START_MS + 8000) }, START_MS + 3000))
    await bot.run(20_000)
    expect(bot.status().today()).toMatchObject({ inPlay: usdc('1') })
    await bot.tell(rawEvent('contest.settled', { contestId, result: 'LOSS', profit: '-1000000' }, START_MS + 8000))
    await bot.run(20_000)
    expect(bot.status().today()).toMatchObject({ inPlay: 0n, lost: usdc('1') })
    expect(bot.status().actions.unknown).toBe(0)
  })

  test('is done once two late reads miss the seat', async () => {
    const bot = await leftUnheard()
    await bot.run(6000)
    expect(seatsOf(bot)).toEqual([contestId])
    await bot.run(10_000)
    expect(seatsOf(bot)).toEqual([])
    expect(outcome(bot)).toEqual({ type: 'leaveContest', status: 'accepted' })
  })
})

test('what is told late of a seat that was given back says nothing of a second join whose answer was lost', async () => {
  let joins = 0
  const bot = await openTestBot({
    strategies: [inTurn(join, leave, join)],
    prepare: (service) => {
      listIt(service)
      service.onAct('agent.contests.join', () => (++joins === 1 ? accepted() : unknown))
    },
  })
  await bot.run(8000)
  expect(bot.service.acts.map(({ procedure }) => procedure)).toEqual([
    'agent.contests.join',
    'agent.contests.ready',
    'agent.contests.leave',
    'agent.contests.join',
  ])
  const { at = 0 } = bot.service.acts.at(-1) ?? {}
  await bot.tell(joined(at - 2000))
  expect(bot.status().actions.unknown).toBe(1)
  await bot.run(20_000)
  expect(bot.journal.outcomes.at(-1)).toEqual({ type: 'joinContest', status: 'absent' })
  expect(seatsOf(bot)).toEqual([])
})

test('a seat that is given back before the answer to its join comes, which is lost, was joined', async () => {
  const bot = await openTestBot({
    strategies: [inTurn(join)],
    prepare: (service) => {
      listIt(service)
      service.onAct('agent.contests.join', () => service.after(5000, unknown))
    },
  })
  await bot.run(2000)
  expect(bot.service.sent('agent.contests.join')).toHaveLength(1)
  await bot.tell(joined(bot.clock.now()))
  expect(seatsOf(bot)).toEqual([contestId])
  bot.operator$.next('drain')
  await bot.run(30_000)
  expect(bot.service.sent('agent.contests.leave')).toHaveLength(1)
  expect(bot.journal.outcomes.filter(({ type }) => type !== 'ready')).toEqual([
    { type: 'joinContest', status: 'accepted' },
    { type: 'leaveContest', status: 'accepted' },
  ])
  expect(seatsOf(bot)).toEqual([])
  expect(bot.end?.how).toBe('completed')
})
