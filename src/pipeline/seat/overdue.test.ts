import { describe, expect, test } from 'vitest'
import { rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { accepted, decoded, queuedTicket, rejected, unreadable } from '../../../test/support/scriptedService.ts'
import { openTestBot, type TestBotOptions } from '../../../test/support/testBot.ts'
import { policy } from '../../../test/support/testStrategies.ts'
import { buy, CONTEST, openTradingBot } from '../../../test/support/tradingBot.ts'
import { VirtualClock } from '../../core/clock.ts'
import { DAY_MS } from '../../core/day.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import { enqueue } from '../../strategy/action.ts'
import { MemoryJournal } from '../../testing/memoryJournal.ts'
import { profitOf } from '../books/books.ts'

const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')
const iso = (afterMs: number) => new Date(START_MS + afterMs).toISOString()
const MINUTE = 60_000
const entry = enqueue({ mode: 'up_down', stake: usdc('1'), durationSec: 15 })

/** Enters whenever there is room for its one contest. */
const openEager = (options: TestBotOptions = {}) =>
  openTestBot({
    strategies: [policy(() => [entry], { everySec: 5 })],
    guard: { maxOpenContests: 1 },
    ...options,
    prepare(service) {
      service.onAct('agent.queue.enqueue', () =>
        accepted({ ticketId: service.acts.length === 1 ? ticketId : keyedUuid(service.acts.length) }),
      )
      options.prepare?.(service)
    },
  })
type Eager = Awaited<ReturnType<typeof openEager>>
const entries = ({ service }: Eager) => service.sent('agent.queue.enqueue').length
const looks = ({ service }: Eager) => service.reads.filter(({ purpose }) => purpose.startsWith('overdue'))
const said = (bot: Eager) => [...bot.notes('warn'), ...bot.notes('error')].filter((note) => note.includes('no event has said so'))

describe('a ticket of which no event comes', () => {
  test('is looked up, and one that was cancelled elsewhere makes room', async () => {
    const bot = await openEager()
    bot.service.tickets = [queuedTicket(ticketId)]
    await bot.run(11 * MINUTE)
    expect([entries(bot), looks(bot).length, said(bot)]).toEqual([1, 2, []])
    bot.service.tickets = [{ ...queuedTicket(ticketId), status: 'cancelled' }]
    await bot.run(5 * MINUTE)
    expect(entries(bot)).toBe(2)
    expect(said(bot)).toEqual(['a ticket is over and no event has said so: the service calls it cancelled'])
  })

  test('and that the service does not know any more makes room; one it cannot be asked about does not', async () => {
    const gone = await openEager({ prepare: (service) => service.onRead('agent.queue.get', () => unreadable(404)) })
    await gone.run(6 * MINUTE)
    expect(entries(gone)).toBe(2)
    const unknown = { code: 'NOT_NOW', message: 'no', status: 409 } as const
    for (const failing of [unreadable(429), unreadable(503), { ok: false, refusal: unknown, reason: 'NOT_NOW' } as const]) {
      const mute = await openEager({ prepare: (service) => service.onRead('agent.queue.get', () => failing) })
      await mute.run(60 * MINUTE)
      expect(entries(mute)).toBe(1)
    }
    const mapped = { ok: false, refusal: { ...unknown, meaning: 'gone' }, reason: 'NOT_NOW' } as const
    const named = await openEager({ prepare: (service) => service.onRead('agent.queue.get', () => mapped) })
    await named.run(6 * MINUTE)
    expect(entries(named)).toBe(2)
  })

  test('and that the service is matching waits', async () => {
    const bot = await openEager()
    bot.service.tickets = [{ ...queuedTicket(ticketId), status: 'matching' }]
    await bot.run(20 * MINUTE)
    expect([entries(bot), said(bot)]).toEqual([1, []])
  })

  test('and that could not be seated is no seat, though it names the contest', async () => {
    const bot = await openEager()
    bot.service.tickets = [{ ...queuedTicket(ticketId), status: 'failed', contestId }]
    await bot.run(6 * MINUTE)
    expect([...bot.status().books.seats.keys()]).toEqual([])
    expect(entries(bot)).toBe(2)
  })

  test('and that was seated where a seat was given back is a seat: a bot that drains stays for it', async () => {
    const journal = new MemoryJournal()
    journal.commit({
      ...{ n: 1, at: START_MS, custody: [], swaps: [], fills: [], refusals: [] },
      intents: [{ key: '1:policy:0', action: { type: 'leaveContest', contestId }, at: START_MS, stake: 0n, risk: 0n }],
      outcomes: [{ key: '1:policy:0', status: 'accepted' }],
    })
    const bot = await openEager({
      journal,
      prepare(service) {
        service.onAct('agent.queue.cancel', () => rejected('TICKET_NOT_OPEN'))
        service.onAct('agent.contests.leave', () => rejected('CONTEST_NOT_OPEN'))
      },
    })
    bot.service.tickets = [{ ...queuedTicket(ticketId), status: 'matched', contestId }]
    bot.operator$.next('drain')
    await bot.run(30_000)
    expect([...bot.status().books.seats.keys()]).toEqual([contestId])
    expect(bot.end).toBeUndefined()
  })

  test('and that was seated in a contest which was cancelled since is no seat', async () => {
    const bot = await openEager()
    bot.service.tickets = [{ ...queuedTicket(ticketId), status: 'matched', contestId }]
    await bot.tell(rawEvent('contest.cancelled', { contestId, reason: 'nobody was ready' }))
    await bot.run(6 * MINUTE)
    expect([...bot.status().books.seats.keys()]).toEqual([])
    expect(entries(bot)).toBe(2)
  })

  test('and that has met somebody is a seat', async () => {
    const bot = await openEager()
    bot.service.tickets = [{ ...queuedTicket(ticketId), status: 'matched', contestId }]
    await bot.run(6 * MINUTE)
    expect([...bot.status().books.seats.values()]).toMatchObject([{ contestId, mode: 'up_down', stake: usdc('1') }])
    expect(entries(bot)).toBe(1)
  })

  test('and that cannot be cancelled is looked up at once, so that the bot drains', async () => {
    const bot = await openEager()
    bot.service.tickets = [{ ...queuedTicket(ticketId), status: 'cancelled' }]
    bot.service.onAct('agent.queue.cancel', () => rejected('TICKET_NOT_OPEN'))
    bot.operator$.next('drain')
    await bot.run(20_000)
    expect(bot.end).toEqual({ how: 'completed' })
  })

  test('nothing is looked up of what its events end', async () => {
    const bot = await openEager()
    await bot.tell(
      rawEvent('match.found', { ticketId, contestId }),
      rawEvent('contest.live', { contestId, startsAt: iso(3000), endsAt: iso(18_000) }),
      rawEvent('contest.settled', { contestId }, START_MS + 19_000),
    )
    bot.operator$.next('stopEntries')
    bot.service.tickets = bot.service.acts.map((_, index) => queuedTicket(keyedUuid(index + 1)))
    await bot.tell(rawEvent('ticket.expired', { ticketId: keyedUuid(2) }))
    await bot.run(10 * MINUTE)
    expect(looks(bot)).toEqual([])
  })
})

describe('a contest of which no event comes', () => {
  const live = [
    rawEvent('match.found', { ticketId, contestId }),
    rawEvent('contest.live', { contestId, startsAt: iso(3000), endsAt: iso(18_000) }),
  ]

  test.each([
    'draft_basket',
    'price_prediction',
  ])('whose seat in %s was given back elsewhere makes room, though its state is looked at all the time', async (mode) => {
    const bot = await openEager()
    bot.service.states.set(contestId, { contestId, mode, phase: 'open', entryId: null })
    await bot.tell(rawEvent('match.found', { ticketId, contestId, mode }))
    await bot.run(6 * MINUTE)
    expect(bot.status().books.seats.size).toBe(0)
    expect(said(bot)).toEqual(['a contest is over (gone) and no event has said so that could be read: its stake is free'])
  })

  test('that was settled, by a look a minute after its end, counts as lost and makes room', async () => {
    const bot = await openEager({ guard: { maxOpenContests: 1, dailyLoss: usdc('1.5') } })
    await bot.tell(...live, rawEvent('contest.settled', { contestId, result: 'VOID' }, START_MS + 19_000))
    bot.service.contests = [{ contestId, mode: 'up_down', status: 'settled', stake: '1000000' }]
    await bot.run(70_000)
    expect(bot.status().books.seats.size).toBe(1)
    await bot.run(30_000)
    expect(bot.status().books.seats.size).toBe(0)
    expect(said(bot)).toEqual(['a contest is over (settled) and no event has said so that could be read: its stake counts as lost'])
    expect(bot.status().today()).toMatchObject({ lost: usdc('1') })
    expect(bot.refusals()).toContain('DAILY_LOSS_OWN')
  })

  test('that was settled counts as its event says once that comes after all', async () => {
    const bot = await openEager()
    await bot.tell(...live)
    bot.service.contests = [{ contestId, mode: 'up_down', status: 'settled', stake: '1000000' }]
    await bot.run(90_000)
    expect(bot.status().today()).toMatchObject({ lost: usdc('1') })
    await bot.tell(rawEvent('contest.settled', { contestId, result: 'WIN', payout: '1900000', profit: '900000' }, START_MS + 19_000))
    expect(bot.status().today()).toMatchObject({ lost: 0n })
    expect(profitOf(bot.status().books.byMode)).toBe(usdc('0.9'))
  })

  test('that was settled is a loss of the day it ended, however often the bot is started again', async () => {
    const [journal, clock] = [new MemoryJournal(), new VirtualClock(START_MS)]
    const settled = [{ contestId, mode: 'up_down', status: 'settled', stake: '1000000' }]
    const bot = await openEager({ journal, clock })
    await bot.tell(...live)
    bot.service.contests = settled
    await bot.run(90_000)
    expect(bot.status().today()).toMatchObject({ lost: usdc('1') })
    bot.kill()
    await clock.advanceBy(DAY_MS)
    const next = await openTestBot({ journal, clock, prepare: (service) => (service.contests = settled) })
    await next.run(10 * MINUTE)
    expect(next.status().books.seats.size).toBe(0)
    expect(next.status().today()).toMatchObject({ lost: 0n })
  })

  test('is not held to be over while the stream cannot be read', async () => {
    const bot = await openEager()
    await bot.tell(...live)
    bot.service.contests = [{ contestId, mode: 'up_down', status: 'settled', stake: '1000000' }]
    bot.events.fallBehind()
    await bot.run(10 * MINUTE)
    expect([bot.status().books.seats.size, said(bot)]).toEqual([1, []])
    bot.events.catchUp()
    await bot.run(2 * MINUTE)
    expect(bot.status().books.seats.size).toBe(0)
  })

  test('that was cancelled costs nothing', async () => {
    const bot = await openEager()
    await bot.tell(...live)
    bot.service.contests = [{ contestId, mode: 'up_down', status: 'cancelled', stake: '1000000' }]
    await bot.run(2 * MINUTE)
    expect(bot.status().books.seats.size).toBe(0)
    expect(bot.status().today()).toMatchObject({ lost: 0n })
    expect(entries(bot)).toBe(2)
  })

  test('that goes on is asked about again and again, and stays', async () => {
    const bot = await openEager()
    await bot.tell(...live)
    bot.service.contests = [{ contestId, mode: 'up_down', status: 'live', stake: '1000000', endsAt: iso(18_000) }]
    await bot.run(10 * MINUTE)
    expect(bot.status().books.seats.size).toBe(1)
    expect(looks(bot).length).toBeGreaterThan(5)
    expect(said(bot)).toEqual([])
  })

  test('that has not begun, and whose seat was given back elsewhere, makes room', async () => {
    const bot = await openEager()
    bot.service.contests = [{ contestId, mode: 'up_down', status: 'open', stake: '1000000', you: { ready: true } }]
    await bot.tell(rawEvent('match.found', { ticketId, contestId }))
    await bot.run(11 * MINUTE)
    expect(bot.status().books.seats.size).toBe(1)
    bot.service.contests = []
    await bot.run(5 * MINUTE)
    expect(bot.status().books.seats.size).toBe(0)
    expect(said(bot)).toEqual(['a contest is over (gone) and no event has said so that could be read: its stake is free'])
    expect(entries(bot)).toBe(2)
  })

  test('has what it left in the wallet sold', async () => {
    const bot = await openTradingBot({ contest: { endsAt: iso(60_000) } })
    await bot.ask(buy())
    await bot.run(60_000)
    bot.service.contests = bot.service.contests.map((contest) => ({ ...contest, status: 'settled' }))
    for (let second = 0; second < 120; second++) {
      bot.refresh()
      await bot.run(1000)
    }
    expect(bot.status().books.seats.has(CONTEST)).toBe(false)
    expect([...bot.status().portfolios.values()].flatMap(({ holdings }) => [...holdings])).toEqual([])
    expect(bot.service.sent('agent.trade.signAndSend')).toHaveLength(2)
  })
})

describe('a service that was restored from a backup', () => {
  const live = [
    rawEvent('match.found', { ticketId, contestId }),
    rawEvent('contest.live', { contestId, startsAt: iso(3000), endsAt: iso(600_000) }),
  ]
  const alarms = (bot: Eager) => bot.steps.flatMap(({ notes }) => notes.filter(({ fields }) => fields.code === 'SERVICE_RESTORED'))

  test('is alarmed of, and asked for tickets, seats and money anew before anything else is entered', async () => {
    const bot = await openEager()
    await bot.tell(...live)
    const [before, asked] = [bot.service.reads.length, entries(bot)]
    bot.events.restore()
    await bot.tell(rawEvent('contest.settled', { contestId }))
    await bot.run(30_000)
    expect(entries(bot)).toBe(asked)
    expect(alarms(bot).map(({ level, message }) => [level, message])).toEqual([
      ['error', expect.stringMatching(/event 7 was read from it.*stays counted, and all that is open is looked up/)],
    ])
    const procedures = bot.service.reads.slice(before).map(({ procedure }) => procedure)
    expect(procedures).toEqual(expect.arrayContaining(['agent.queue.list', 'agent.contests.mine', 'agent.limits', 'agent.bankroll']))
    bot.events.catchUp()
    await bot.run(10_000)
    expect(entries(bot)).toBeGreaterThan(asked)
  })

  test('and does not know a ticket any more frees its stake within a minute', async () => {
    const bot = await openEager({ prepare: (service) => service.onRead('agent.queue.get', () => unreadable(404)) })
    bot.events.restore()
    bot.events.catchUp()
    await bot.run(30_000)
    expect(entries(bot)).toBe(2)
    expect(said(bot)).toEqual(['a ticket is over and no event has said so: the service calls it not known'])
  })

  test('and does not know a live contest any more costs its stake, once that was seen twice', async () => {
    const bot = await openEager({ prepare: (service) => service.onRead('agent.contests.get', () => unreadable(404)) })
    await bot.tell(...live)
    bot.events.restore()
    bot.events.catchUp()
    await bot.run(5000)
    expect([...bot.status().books.seats.keys()]).toEqual([contestId])
    await bot.run(30_000)
    expect([...bot.status().books.seats.keys()]).toEqual([])
    expect(bot.status().today()?.lost).toBe(usdc('1'))
    expect(said(bot)).toEqual(['a contest is over (gone) and no event has said so that could be read: its stake counts as lost'])
  })

  test('and still knows all of it changes nothing', async () => {
    const bot = await openEager()
    await bot.tell(...live)
    bot.service.contests = [{ contestId, mode: 'up_down', status: 'live', stake: '1000000' }]
    bot.events.restore()
    bot.events.catchUp()
    await bot.run(2 * MINUTE)
    expect([...bot.status().books.seats.keys()]).toEqual([contestId])
    expect(bot.status().today()?.lost).toBe(0n)
  })
})

describe('a service that has deleted events, since it keeps them for a short time', () => {
  const notes = (bot: Eager, code: string) => bot.steps.flatMap(({ notes }) => notes.filter(({ fields }) => fields.code === code))
  const expire = (bot: Eager) => {
    bot.events.restore('event 7 was read last, and the oldest that it keeps is 9', 'retention')
    bot.events.catchUp()
  }

  test('is told apart from a restore, once an hour, and its lists are read before anything is entered', async () => {
    const bot = await openEager()
    const [before, asked] = [bot.service.reads.length, entries(bot)]
    for (let n = 0; n < 3; n++) expire(bot)
    expect(bot.status().books.caughtUp).toBe(false)
    expect(entries(bot)).toBe(asked)
    await bot.run(10_000)
    expect(notes(bot, 'SERVICE_RESTORED')).toEqual([])
    expect(notes(bot, 'EVENTS_EXPIRED').map(({ level, message }) => [level, message])).toEqual([
      ['error', expect.stringMatching(/the oldest that it keeps is 9.*1\.00 USDC are at stake \(open entries: 1\)/)],
    ])
    const procedures = bot.service.reads.slice(before).map(({ procedure }) => procedure)
    expect(procedures).toEqual(expect.arrayContaining(['agent.queue.list', 'agent.contests.mine', 'agent.limits', 'agent.bankroll']))
    expect(bot.status().books.caughtUp).toBe(true)
    await bot.run(60 * MINUTE)
    expire(bot)
    expect(notes(bot, 'EVENTS_EXPIRED')).toHaveLength(2)
  })

  test('and with them the match of a ticket, plays the contest that its list shows', async () => {
    const bot = await openEager()
    bot.service.tickets = []
    bot.service.contests = [{ contestId, mode: 'up_down', status: 'live', stake: '1000000', startsAt: iso(0), endsAt: iso(600_000) }]
    bot.service.onRead('agent.queue.get', () => decoded('agent.queue.get', { ticketId, status: 'matched', contestId }))
    expire(bot)
    await bot.run(60_000)
    expect([...bot.status().books.seats.keys()]).toEqual([contestId])
    expect([...bot.status().books.tickets.keys()]).toEqual([])
  })

  test('and with them the end of a contest, counts its stake as lost', async () => {
    const bot = await openEager()
    await bot.tell(
      rawEvent('match.found', { ticketId, contestId }),
      rawEvent('contest.live', { contestId, startsAt: iso(0), endsAt: iso(5000) }),
    )
    bot.service.onRead('agent.contests.get', () => decoded('agent.contests.get', { contestId, mode: 'up_down', status: 'settled' }))
    expire(bot)
    await bot.run(60_000)
    expect([...bot.status().books.seats.keys()]).toEqual([])
    expect(bot.status().today()?.lost).toBe(usdc('1'))
  })
})
