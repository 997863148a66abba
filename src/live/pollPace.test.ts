import { describe, expect, test } from 'vitest'
import { type Books, emptyBooks, emptySeat, type Seat } from '../pipeline/books/books.ts'
import { pollPace } from './pollPace.ts'

const NOW = 1_000_000
const with_ = (seat: Partial<Seat>): Books => ({ ...emptyBooks, seats: new Map([['c', { ...emptySeat('c'), ...seat }]]) })
const pace = (books: Books | undefined, random = 0.5, heardAt = Number.NEGATIVE_INFINITY, enteredAt = Number.NEGATIVE_INFINITY) =>
  pollPace({ books, now: NOW, heardAt, enteredAt, random })

describe('pollPace', () => {
  test('idle, two to four seconds, with jitter', () => {
    expect([0, 0.5, 0.999].map((random) => Math.round(pace(emptyBooks, random)))).toEqual([2000, 3000, 3998])
    expect(pace(undefined)).toBe(3000)
  })

  test.each([
    ['a ticket waits', { ...emptyBooks, tickets: new Map([['t', { ticketId: 't', mode: 'up_down', stake: 1n, durationSec: 5 }]]) }],
    ['an open seat waits for others', with_({ phase: 'open' })],
    ['a contest is over and not settled', with_({ phase: 'live', endsAt: NOW - 10 })],
  ])('about a second while %s', (_what, books) => {
    expect(pace(books, 0)).toBe(1000)
    expect(pace(books, 0.999)).toBeLessThanOrEqual(1200)
    expect(pace(books), 'the webhook tells of it').toBe(1100)
    expect(pace(books, 0.5, NOW - 1000)).toBe(3000)
  })

  test('a live contest is polled idly up to its end, and no longer fast when its result does not come', () => {
    expect(pace(with_({ phase: 'live', endsAt: NOW + 60_000 }))).toBe(3000)
    expect(pace(with_({ phase: 'live', endsAt: NOW + 1200 }))).toBe(1200)
    expect(pace(with_({ phase: 'live', endsAt: NOW - 60_001 }))).toBe(3000)
  })

  test('right after an entry four times a second, unless a contest is live: its moves need the reads', () => {
    const just = (books: Books, enteredAt: number) => pace(books, 0, Number.NEGATIVE_INFINITY, enteredAt)
    expect(just(with_({ phase: 'open' }), NOW - 2999)).toBe(250)
    expect(just(with_({ phase: 'open' }), NOW - 3000)).toBe(1000)
    const both = new Map([...with_({ phase: 'open' }).seats, ['d', { ...emptySeat('d'), phase: 'live' as const }]])
    expect(just({ ...emptyBooks, seats: both }, NOW)).toBe(1000)
    expect(just(emptyBooks, NOW)).toBe(2000)
  })
})
