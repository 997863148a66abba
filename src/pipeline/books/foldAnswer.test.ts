import { describe, expect, test } from 'vitest'
import { foldAnswer, withSeat } from '../../../test/support/foldedBooks.ts'
import { START_MS } from '../../../test/support/rawEvents.ts'
import { decoded, openContest } from '../../../test/support/scriptedService.ts'
import type { ReadName } from '../../contract/procedures.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import { OPEN_MODES } from '../../strategy/openModes.ts'
import { type Books, emptyBooks, emptySeat, inPlay } from './books.ts'
import { isWaiting } from './foldAnswer.ts'
import { withSaid } from './said.ts'
import { viewOf } from './views.ts'

const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')

function answered(
  books: Books,
  procedure: ReadName,
  wire: unknown,
  options: { ended?: Set<string>; input?: unknown; begunAt?: number } = {},
) {
  const result = decoded(procedure, wire)
  if (!result.ok) throw new Error(result.reason)
  const { ended = new Set<string>(), input = { contestId, ticketId }, begunAt = START_MS } = options
  return foldAnswer(books, { procedure, input, output: result.output, begunAt, now: START_MS, paths: {} }, ended)
}

describe('seats', () => {
  const own = {
    contestId,
    mode: 'draft_basket',
    status: 'live',
    stake: '2000000',
    you: { entryId: keyedUuid('entry'), side: null, ready: true },
  }

  test('a time that an event has said stays, where an answer says the same in whole seconds', () => {
    const [startsAt, endsAt] = [START_MS + 3997, START_MS + 21_997]
    const known = withSeat(emptyBooks, contestId, { startsAt, endsAt })
    const read = (from: number, to: number) => {
      const wire = { ...own, startsAt: new Date(from).toISOString(), endsAt: new Date(to).toISOString() }
      return answered(known, 'agent.contests.get', wire).books.seats.get(contestId)
    }
    expect(read(START_MS + 3000, START_MS + 22_000)).toMatchObject({ startsAt, endsAt })
    expect(read(START_MS + 2000, START_MS + 20_000)).toMatchObject({ startsAt: START_MS + 2000, endsAt: START_MS + 20_000 })
  })

  test('a stake is what was asked for, unless the service says that more is in play', () => {
    const known = (stake: string) => withSeat(emptyBooks, contestId, { stake: usdc(stake) })
    const stakeAfter = (books: Books) => answered(books, 'agent.contests.mine', [own]).books.seats.get(contestId)?.stake
    expect([stakeAfter(known('1')), stakeAfter(known('3')), stakeAfter(emptyBooks)]).toEqual([usdc('2'), usdc('3'), usdc('2')])
  })

  test('a seat the bot did not know of is adopted, from a bare list and from a page', () => {
    for (const wire of [[own], { items: [own] }]) {
      const { books } = answered(emptyBooks, 'agent.contests.mine', wire)
      expect(books.seats.get(contestId)).toMatchObject({
        mode: 'draft_basket',
        phase: 'live',
        stake: usdc('2'),
        entryId: keyedUuid('entry'),
        ready: true,
      })
    }
  })

  test('one that is over is not, nor one that has ended by the stream', () => {
    for (const status of ['settled', 'cancelled']) {
      expect(answered(emptyBooks, 'agent.contests.mine', [{ ...own, status }]).books.seats.size).toBe(0)
    }
    expect(answered(emptyBooks, 'agent.contests.mine', [own], { ended: new Set([contestId]) }).books.seats.size).toBe(0)
  })

  test('a read does not end a seat: only the event does, since it carries the money', () => {
    const books = withSeat(emptyBooks, contestId, { mode: 'up_down' })
    expect(answered(books, 'agent.contests.mine', []).books.seats.has(contestId)).toBe(true)
    expect(answered(books, 'agent.contests.get', { contestId, status: 'settled' }).books).toBe(books)
  })

  test('what an answer leaves out stays as it was known', () => {
    const books = withSeat(emptyBooks, contestId, { mode: 'up_down', stake: usdc('1'), side: 'UP', ready: true, phase: 'live' })
    const read = answered(books, 'agent.contests.get', { contestId }).books.seats.get(contestId)
    expect(read).toEqual({ ...books.seats.get(contestId), isRead: true })
  })

  test.each([{ token: 'SOL' }, { params: { token: 'SOL' } }, { mint: 'SOL' }])('the token of a contest may stand at %j', (shown) => {
    const { books } = answered(emptyBooks, 'agent.contests.mine', [{ contestId, status: 'live', ...shown }])
    expect(books.seats.get(contestId)?.token).toBe('SOL')
  })

  test('a row of a list without an id says nothing; what was asked for by its id is that, whatever it calls itself', () => {
    expect(answered(emptyBooks, 'agent.contests.mine', [{ status: 'open' }]).books).toBe(emptyBooks)
    expect(answered(emptyBooks, 'agent.queue.list', [{ status: 'queued' }]).books).toBe(emptyBooks)
    for (const name of [{}, { id: keyedUuid('nobody knows this') }]) {
      const { seats } = answered(emptyBooks, 'agent.contests.get', { status: 'open', ...name }).books
      expect([...seats.values()].map((seat) => [seat.contestId, seat.isRead])).toEqual([[contestId, true]])
      expect([...answered(emptyBooks, 'agent.queue.get', { status: 'queued', ...name }).books.tickets.keys()]).toEqual([ticketId])
    }
  })

  test('a stake that is not known leaves what is in play unknown, never 0', () => {
    const books = withSeat(emptyBooks, contestId, {})
    expect(inPlay(books)).toBeUndefined()
    expect(inPlay(withSeat(books, contestId, { stake: usdc('2') }))).toBe(usdc('2'))
  })
})

describe('tickets', () => {
  const ticket = { ticketId, status: 'queued', mode: 'up_down', stake: '1000000', durationSec: 15 }

  test('waiting ones are adopted, also where they do not say their stake; matched and ended ones are not', () => {
    const sizeOf = (wire: object, ended = new Set<string>()) =>
      answered(emptyBooks, 'agent.queue.list', [wire], { ended }).books.tickets.size
    expect(sizeOf(ticket)).toBe(1)
    expect(sizeOf({ ...ticket, status: 'matched' })).toBe(0)
    expect(sizeOf({ ...ticket, stake: 'much' })).toBe(1)
    expect(sizeOf(ticket, new Set([ticketId]))).toBe(0)
  })

  test('whose stake the service does not say leave what is in play unknown, never 0; what was asked for is known', () => {
    const { books } = answered(emptyBooks, 'agent.queue.list', [{ ticketId, status: 'queued' }])
    expect(inPlay(books)).toBeUndefined()
    expect(viewOf(books, { modes: OPEN_MODES, entering: [], hasSwapped: () => false }).tickets).toEqual([
      { ticketId, mode: 'unknown', stake: 0n, durationSec: 0 },
    ])
    const known = answered(emptyBooks, 'agent.queue.list', [ticket]).books
    expect(answered(known, 'agent.queue.list', [{ ticketId, status: 'queued' }]).books.tickets).toEqual(known.tickets)
  })

  test.each([
    ['queued', true],
    ['WAITING', true],
    ['matching', true],
    ['SEATING', true],
    ['matched', false],
    ['Cancelled', false],
    ['failed', false],
    ['active', true],
    [undefined, true],
  ])('a ticket that is %s waits: %s', (status, waits) => {
    expect(isWaiting({ status })).toBe(waits)
  })

  test('of one in a state that is not known it is said so, and that it counts', () => {
    const answer = answered(emptyBooks, 'agent.queue.list', [{ ...ticket, status: 'Active' }])
    expect(answer.books.tickets.size).toBe(1)
    expect(answer.missing).toMatchObject({ code: 'TICKET_STATE_UNKNOWN', message: expect.stringContaining('"active"') })
    for (const status of ['queued', 'Cancelled', undefined])
      expect(answered(emptyBooks, 'agent.queue.list', [{ ...ticket, status }]).missing).toBeUndefined()
  })

  test('one that has led to a contest waits no more, whatever it is called', () => {
    expect(isWaiting({ status: 'active', contestId })).toBe(false)
    expect(isWaiting({ status: 'active', contestId: null })).toBe(true)
  })

  test('its id, and a contest’s, may stand elsewhere', () => {
    const { ticketId: id, ...row } = ticket
    expect([...answered(emptyBooks, 'agent.queue.list', [{ id, ...row }]).books.tickets.keys()]).toEqual([ticketId])
    const { contestId: own, ...contest } = openContest(contestId)
    expect([...answered(emptyBooks, 'agent.contests.mine', [{ id: own, ...contest }]).books.seats.keys()]).toEqual([contestId])
    expect(answered(emptyBooks, 'agent.contests.list', [{ id: own, ...contest }]).books.openContests?.value).toMatchObject([{ contestId }])
  })
})

describe('open contests', () => {
  test('show what joining needs; own ones and those that cannot be read are left out', () => {
    const books = withSeat(emptyBooks, contestId, {})
    const other = keyedUuid('other')
    const wire = { items: [openContest(contestId), openContest(other), { mode: 'up_down' }] }
    const listed = answered(books, 'agent.contests.list', wire, { begunAt: 5 }).books.openContests
    expect(listed?.begunAt).toBe(5)
    expect(listed?.value).toEqual([
      {
        contestId: other,
        mode: 'up_down',
        format: 'duel',
        chain: 'solana',
        opponents: undefined,
        stake: usdc('1'),
        durationSec: 15,
        capacity: 2,
        filled: 1,
        token: undefined,
        sidesTaken: ['UP'],
        joinBy: undefined,
      },
    ])
  })
})

describe('the state of a mode', () => {
  const state = { mode: 'draft_basket', phase: 'draft', yourTurn: true, entryId: 'e', available: ['a'] }
  const seated = withSeat(emptyBooks, contestId, { mode: 'draft_basket', movedAt: 1000 })

  test('is read into the seat', () => {
    const { books } = answered(seated, 'agent.modes.state', state, { input: { contestId }, begunAt: 1001 })
    expect(books.seats.get(contestId)?.turn?.available).toEqual(['a'])
  })

  test('asked for before our last move was taken, it may be of before that move: it says nothing', () => {
    for (const begunAt of [999, 1000]) {
      expect(answered(seated, 'agent.modes.state', state, { input: { contestId }, begunAt }).books).toBe(seated)
    }
  })

  test('of a contest without a seat it says nothing', () => {
    expect(answered(emptyBooks, 'agent.modes.state', state, { input: { contestId } }).books).toBe(emptyBooks)
  })
})

test('leaving an unknown thing is remembered, so that it is not adopted later', () => {
  const ended = new Set<string>()
  withSaid(
    emptyBooks,
    [
      { of: 'seatOver', contestId },
      { of: 'ticketOver', ticketId },
    ],
    ended,
  )
  expect(ended).toEqual(new Set([contestId, ticketId]))
  expect(withSeat(emptyBooks, contestId, emptySeat(contestId), ended)).toEqual(emptyBooks)
})
