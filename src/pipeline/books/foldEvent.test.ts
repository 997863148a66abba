import { describe, expect, test } from 'vitest'
import { foldAccepted } from '../../../test/support/foldedBooks.ts'
import { type RawEvent, rawEvent, START_MS } from '../../../test/support/rawEvents.ts'
import { type EventType, readEvent, type ServiceEvent } from '../../contract/events.ts'
import { keyedUuid } from '../../core/ids.ts'
import { usdc } from '../../core/usdc.ts'
import type { Action } from '../../strategy/action.ts'
import { type Books, emptyBooks, emptySeat } from './books.ts'
import { foldEvent } from './foldEvent.ts'
import { statsOf } from './views.ts'

const contestId = keyedUuid('contest')
const ticketId = keyedUuid('ticket')

type Fold = (books: Books, ended: Set<string>) => Books

function serviceEvent(raw: RawEvent): ServiceEvent {
  const read = readEvent(raw)
  if (!read.ok) throw new Error(read.message)
  return read.event
}

const told = (type: EventType, data: Readonly<Record<string, unknown>>, atMs = START_MS): Fold => {
  const event = serviceEvent(rawEvent(type, data, atMs))
  return (books, ended) => foldEvent(books, event, ended)
}
const done = (action: Action, made?: string): Fold => {
  const intent = { key: '1:ladder:0', action, at: START_MS, stake: usdc('1'), risk: usdc('1') }
  return (books, ended) => foldAccepted(books, { intent, listed: undefined, made, now: START_MS }, ended)
}
const booksAfter = (...folds: readonly Fold[]): Books => {
  const ended = new Set<string>()
  return folds.reduce((books, fold) => fold(books, ended), emptyBooks)
}

const enqueue: Action = { type: 'enqueue', mode: 'up_down', stake: usdc('1'), durationSec: 15 }
const matched = told('match.found', { ticketId, contestId })
const live = told('contest.live', { contestId, startsAt: '2025-03-01T12:00:03Z', endsAt: '2025-03-01T12:00:18Z' })
const settled = told('contest.settled', { contestId })

describe('events', () => {
  test('a ticket becomes a seat, goes live, and is settled', () => {
    expect(booksAfter(done(enqueue, ticketId)).tickets.get(ticketId)).toEqual({
      ticketId,
      mode: 'up_down',
      stake: usdc('1'),
      durationSec: 15,
    })
    const seated = booksAfter(done(enqueue, ticketId), matched)
    expect(seated.tickets.size).toBe(0)
    expect(seated.seats.get(contestId)).toEqual({
      ...emptySeat(contestId),
      ticketId,
      mode: 'up_down',
      stake: usdc('1'),
      durationSec: 15,
      ready: true,
    })
    const playing = booksAfter(matched, live)
    expect(playing.seats.get(contestId)).toMatchObject({ phase: 'live', startsAt: START_MS + 3000, endsAt: START_MS + 18_000 })
    const over = booksAfter(matched, live, settled)
    expect(over.seats.size).toBe(0)
    expect(statsOf(over)).toMatchObject({ settled: 1, profit: usdc('0.9'), staked: usdc('1') })
  })

  test('tickets end in every way they can', () => {
    for (const type of ['ticket.expired', 'ticket.failed', 'match.found'] as const) {
      expect(booksAfter(done(enqueue, ticketId), told(type, { ticketId, contestId })).tickets.size).toBe(0)
    }
  })

  test('a cancelled contest is counted and gives its seat back', () => {
    const books = booksAfter(matched, told('contest.cancelled', { contestId }))
    expect(books).toMatchObject({ cancelled: 1, staked: 0n })
    expect(books.seats.size).toBe(0)
  })

  test('contest.joined shows a seat that was not asked for', () => {
    expect(booksAfter(told('contest.joined', { contestId })).seats.get(contestId)).toEqual({
      ...emptySeat(contestId),
      ...{ capacity: 2, filled: 1 },
    })
  })

  test('the books before are left as they were', () => {
    const before = booksAfter(done(enqueue, ticketId))
    foldEvent(before, serviceEvent(rawEvent('match.found', { ticketId, contestId })), new Set())
    expect(before.tickets.size).toBe(1)
    expect(before.seats.size).toBe(0)
  })
})

describe('answers and events in either order give the same books', () => {
  const join: Action = { type: 'joinContest', contestId, side: 'UP' }
  const joined = told('contest.joined', { contestId, side: 'UP' })
  const cancelled = told('contest.cancelled', { contestId })
  const expired = told('ticket.expired', { ticketId })
  const cases: readonly (readonly [string, Fold, Fold])[] = [
    ['a ticket and its match', done(enqueue, ticketId), matched],
    ['a ticket and its expiry', done(enqueue, ticketId), expired],
    ['a cancelled ticket and its match', done({ type: 'cancelTicket', ticketId }), expired],
    ['a seat taken and told of', done(join), joined],
    ['a seat taken and its contest live', done(join), live],
    ['a seat taken and its contest cancelled', done(join), cancelled],
    [
      'a contest made and its first seat told of',
      done({ type: 'createContest', mode: 'up_down', chain: 'solana', format: 'duel', stake: usdc('1'), durationSec: 15 }, contestId),
      joined,
    ],
    ['a seat left and its contest cancelled', done({ type: 'leaveContest', contestId }), cancelled],
    ['a seat readied and its contest cancelled', done({ type: 'ready', contestId, ready: true }), cancelled],
    ['a seat readied and its contest settled', done({ type: 'ready', contestId, ready: true }), settled],
    ['a pick taken and its contest settled', done({ type: 'draftPick', contestId, token: 'x' }), settled],
    ['a reveal taken and its contest settled', done({ type: 'revealPrediction', contestId }), settled],
  ]
  test.each(cases)('%s', (_name, answer, event) => {
    expect(booksAfter(answer, event)).toEqual(booksAfter(event, answer))
  })
})

describe('what has ended stays ended', () => {
  test('a late answer does not open a ticket that has expired, nor a seat in a contest that is over', () => {
    expect(booksAfter(told('ticket.expired', { ticketId }), done(enqueue, ticketId)).tickets.size).toBe(0)
    for (const action of ['leaveContest', 'draftPick', 'commitPrediction', 'ready'] as const) {
      const late = { type: action, contestId, token: 'x', price: '1', ready: true } as Action
      expect(booksAfter(matched, settled, done(late)).seats.size).toBe(0)
    }
  })

  test('an event that comes late does not either', () => {
    expect(booksAfter(matched, settled, live).seats.size).toBe(0)
    expect(booksAfter(done({ type: 'leaveContest', contestId }), told('contest.joined', { contestId })).seats.size).toBe(0)
  })
})
