import { describe, expect, test } from 'vitest'
import { EVENT_TYPES, type EventType, readEvent } from './events.ts'

const ID = '0198b5a0-7c1e-7a2b-8c3d-4e5f60718293'
const TICKET = '6ba7b810-9dad-41d1-80b4-00c04fd430c8'
const CONTEST = '16fd2706-8baf-433b-82eb-8c7fada847da'
const AT = '2025-07-21T12:00:00.000Z'
const AT_MS = Date.UTC(2025, 6, 21, 12)

interface Row {
  /** As the service sends it, with the fields of the specification's table. */
  readonly data: Readonly<Record<string, unknown>>
  /** What is read otherwise than it stands on the wire. */
  readonly read?: Readonly<Record<string, unknown>>
  /** Fields of which the specification shows no form, or that can be absent. */
  readonly optional?: readonly string[]
  /** Fields that no book needs: odd ones are as if they were absent. */
  readonly lenient?: readonly string[]
}

// The table of part 6, by hand.
const EVENTS: Readonly<Record<EventType, Row>> = {
  'match.found': {
    data: { ticketId: TICKET, contestId: CONTEST, opponents: 'ANY', mode: 'up_down', stake: '1000000', error: null },
    read: { stake: 1_000_000n },
    optional: ['error'],
    lenient: ['opponents'],
  },
  'ticket.expired': { data: { ticketId: TICKET } },
  'ticket.failed': {
    data: { ticketId: TICKET, contestId: null, opponents: 'AGENT', mode: 'up_down', stake: '1000000', error: { code: 'DAILY_LOSS_CAP' } },
    read: { stake: 1_000_000n },
    optional: ['contestId', 'error'],
    lenient: ['opponents'],
  },
  'contest.joined': {
    data: { contestId: CONTEST, userId: null, side: 'UP', filled: 1, capacity: 2 },
    optional: ['side'],
    lenient: ['userId', 'side', 'filled', 'capacity'],
  },
  'contest.live': {
    data: { contestId: CONTEST, mode: 'up_down', chain: 'solana', status: 'live', startsAt: AT, endsAt: '2025-07-21T12:00:15.000Z' },
    read: { startsAt: AT_MS, endsAt: AT_MS + 15_000 },
    lenient: ['chain', 'status'],
  },
  'contest.settled': {
    data: {
      contestId: CONTEST,
      mode: 'up_down',
      result: 'LOSS',
      stake: '1000000',
      payout: '0',
      profit: '-1000000',
      versus: 'MIXED',
      rpDelta: -12,
      rpAfter: null,
    },
    read: { stake: 1_000_000n, payout: 0n, profit: -1_000_000n },
    lenient: ['payout', 'versus', 'rpDelta', 'rpAfter'],
  },
  'contest.cancelled': {
    data: { contestId: CONTEST, status: 'cancelled', reason: 'JOIN_WINDOW_CLOSED', refunded: '1000000' },
    optional: ['reason', 'refunded'],
    lenient: ['status'],
  },
}

const rows = Object.entries(EVENTS).map(([type, row]) => [type as EventType, row] as const)
const eventOf = (type: string, data: unknown) => ({ id: ID, type, data, createdAt: AT })
const required = rows.flatMap(([type, { data, optional = [], lenient = [] }]) =>
  Object.keys(data)
    .filter((field) => !optional.includes(field) && !lenient.includes(field))
    .map((field) => [type, field] as const),
)
const harmless = rows.flatMap(([type, { lenient = [] }]) => lenient.map((field) => [type, field] as const))

test('the events are the seven of part 6', () => {
  expect([...EVENT_TYPES].sort()).toEqual(rows.map(([type]) => type).sort())
  expect(EVENT_TYPES).toHaveLength(7)
})

describe('readEvent', () => {
  test.each(rows)('reads %s', (type, { data, read = {} }) => {
    expect(readEvent(eventOf(type, data))).toEqual({ ok: true, event: { id: ID, type, data: { ...data, ...read }, createdAt: AT_MS } })
  })

  test.each(rows)('keeps what is new in %s', (type, { data }) => {
    expect(readEvent({ ...eventOf(type, { ...data, fresh: { deep: [1] } }), alsoFresh: 1 })).toMatchObject({
      ok: true,
      event: { data: { fresh: { deep: [1] } } },
    })
  })

  test.each(rows)('reads %s without what is not shown or can be absent', (type, { data, optional = [] }) => {
    const rest = Object.fromEntries(Object.entries(data).filter(([field]) => !optional.includes(field)))
    expect(readEvent(eventOf(type, rest))).toMatchObject({ ok: true, event: { type } })
  })

  test.each(required)('%s without %s, or with an odd one, is malformed, and the message names it', (type, field) => {
    const { [field]: _, ...rest } = EVENTS[type].data
    for (const data of [rest, { ...rest, [field]: { odd: 1 } }, { ...rest, [field]: [] }]) {
      expect(readEvent(eventOf(type, data))).toEqual({ ok: false, reason: 'malformed', message: expect.stringContaining(`at ${field}`) })
    }
  })

  test.each(harmless)('%s without %s, or with an odd one, is read: its money is not hidden', (type, field) => {
    const { [field]: _, ...rest } = EVENTS[type].data
    for (const data of [rest, { ...rest, [field]: { odd: 1 } }, { ...rest, [field]: [] }]) {
      const read = readEvent(eventOf(type, data))
      expect(read).toMatchObject({ ok: true, event: { type } })
      expect(read.ok && Reflect.get(read.event.data, field)).toBeUndefined()
    }
  })

  test.each([
    ...[undefined, null, 'text', 5, [], {}],
    { type: 'contest.live', data: EVENTS['contest.live'].data, createdAt: AT },
    { ...eventOf('contest.live', EVENTS['contest.live'].data), id: 'x' },
    { ...eventOf('contest.live', EVENTS['contest.live'].data), type: 5 },
    // Another version than 7 has no time in it.
    { ...eventOf('contest.live', EVENTS['contest.live'].data), id: TICKET, createdAt: 'yesterday' },
    { id: ID, type: 'contest.live', createdAt: AT },
    eventOf('contest.live', null),
    eventOf('contest.settled', { ...EVENTS['contest.settled'].data, result: 'VOID' }),
    eventOf('contest.settled', { ...EVENTS['contest.settled'].data, profit: '1.5' }),
  ])('what cannot be read is a value and no exception: %j', (raw) => {
    expect(readEvent(raw)).toEqual({ ok: false, reason: 'malformed', message: expect.stringMatching(/./) })
  })

  test.each([
    1753099200000,
    '1753099200000',
    '2025-07-21 12:00:00.000+00',
    'yesterday',
    null,
    undefined,
  ])('where createdAt, of which no form is shown, is %j, the time stands in the id', (createdAt) => {
    const raw = { ...eventOf('contest.settled', EVENTS['contest.settled'].data), createdAt }
    expect(readEvent(raw)).toMatchObject({ ok: true, event: { type: 'contest.settled', createdAt: 0x0198b5a07c1e } })
  })

  test.each([
    'contest.paused',
    '',
    'toString',
    'constructor',
    '__proto__',
  ])('an unknown type, %j, is told from a malformed event', (type) => {
    for (const raw of [eventOf(type, { any: 1 }), eventOf(type, undefined), { id: ID, type, createdAt: AT }]) {
      expect(readEvent(raw)).toEqual({ ok: false, reason: 'unknown-type', message: `the specification has no event ${type}` })
    }
  })

  test('a mode, chain or opponent the service adds does not make its event unreadable', () => {
    expect(readEvent(eventOf('contest.live', { ...EVENTS['contest.live'].data, mode: 'poker', chain: 'base' })).ok).toBe(true)
    expect(readEvent(eventOf('match.found', { ...EVENTS['match.found'].data, opponents: 'TEAM' })).ok).toBe(true)
  })
})
