import { describe, expect, test } from 'vitest'
import { custody, DRAFT, NOW, otherId, PRICE, seatOf, see, standing } from '../../../test/support/lifecycles/seatSamples.ts'
import { MODES } from '../../contract/modes.ts'
import type { Seat } from '../books/books.ts'
import type { CustodyStatus } from '../protocol/input.ts'
import {
  afterMoveMs,
  CONTEST_POLL_MS,
  earlyPollMs,
  isMoving,
  lacksTerms,
  mayMoveEarly,
  movesPollMs,
  standingsAt,
  windowPollMs,
} from './polling.ts'

describe('a seat that is read again and again', () => {
  test.each<[string, Partial<Seat>, boolean]>([
    ['not where all is known', {}, false],
    ['not where it is known not to be ready', { ready: false }, false],
    ['without its stake', { stake: undefined }, true],
    ['without its mode', { mode: undefined }, true],
    ['without a word on whether it is ready', { ready: undefined }, true],
    ['not without that word once it is live', { ready: undefined, phase: 'live', isRead: true }, false],
    ['without its stake once it is live', { stake: undefined, phase: 'live', isRead: true }, true],
    ['without its mode once it is live', { mode: undefined, phase: 'live', isRead: true }, true],
    ['of a trade that is live and not read', { phase: 'live' }, true],
    ['not of a trade that is live and read', { phase: 'live', isRead: true }, false],
    ['not of a draft that is live and not read', { ...DRAFT, phase: 'live' }, false],
    ['not of a live contest with sides that is not read', { mode: 'up_down', phase: 'live' }, false],
    ['not of a live contest of an unknown mode that is not read', { mode: 'of_a_later_service', phase: 'live' }, false],
    ['where a piece is lacking', { lacksPiece: true }, true],
    ['where a piece of a live draft is lacking', { ...DRAFT, lacksPiece: true, phase: 'live' }, true],
    ['not where a piece is lacking although it was read', { lacksPiece: true, isRead: true }, false],
  ])('is read for its terms %s', (_, changes, isLacking) => {
    expect(lacksTerms(seatOf(changes))).toBe(isLacking)
  })

  test('may be asked for moves before it is live, in the modes that have some, unless it is not ready or owes none', () => {
    const may = (changes: Partial<Seat>, status?: CustodyStatus) => mayMoveEarly(seatOf(changes), see(custody(status)))
    expect(MODES.filter((mode) => may({ mode }))).toEqual(['draft_basket', 'price_prediction'])
    expect([undefined, 'of_a_later_service'].map((mode) => may({ mode }))).toEqual([false, false])
    for (const mode of [DRAFT, PRICE]) {
      expect([true, undefined, false].map((ready) => may({ ...mode, ready }))).toEqual([true, true, false])
      const phases = ['open', 'live'] as const
      expect(phases.map((phase) => may({ ...mode, phase }))).toEqual([true, false])
    }
    const statuses = [undefined, 'made', 'committed', 'revealed', 'missed', 'dropped'] as const
    expect(statuses.map((status) => may(PRICE, status))).toEqual([true, true, false, false, false, false])
    expect(statuses.map((status) => may(DRAFT, status))).toEqual([true, true, true, true, true, true])
    expect(mayMoveEarly(seatOf(PRICE), see({ custodyOf: (id) => (id === otherId ? 'committed' : undefined) }))).toBe(true)
  })

  const AHEAD = [true, false, undefined]
  const movingOf = (seat: Partial<Seat>, status?: CustodyStatus) =>
    AHEAD.map((movesAhead) => isMoving(seatOf({ ...seat, movesAhead }), see(custody(status))))

  test('is followed closely before it is live where its state says that moves are ahead', () => {
    for (const mode of [DRAFT, PRICE]) {
      expect(movingOf(mode)).toEqual([true, false, false])
      expect(movingOf({ ...mode, ready: false }), 'not ready').toEqual([false, false, false])
    }
    expect(movingOf(PRICE, 'committed')).toEqual([false, false, false])
    expect(movingOf({ mode: 'pnl_usd' })).toEqual([false, false, false])
  })

  test('is followed closely once it is live, and past its times unless its state says that no move is ahead', () => {
    const all = [true, true, true]
    const asSaid = [true, false, true]
    for (const mode of [DRAFT, PRICE])
      for (const [startsIn, endsIn, expected] of [
        [undefined, undefined, all],
        [1, undefined, all],
        [0, undefined, asSaid],
        [-1, undefined, asSaid],
        [undefined, 1, all],
        [undefined, 0, asSaid],
        [undefined, -1, asSaid],
        [1, 1, all],
        [-1, 1, asSaid],
        [1, -1, asSaid],
      ] as const) {
        const at = (ms: number | undefined) => (ms === undefined ? undefined : NOW + ms)
        const seat = { ...mode, phase: 'live', startsAt: at(startsIn), endsAt: at(endsIn) } as const
        expect(movingOf(seat), `${mode.mode} ${startsIn} ${endsIn}`).toEqual(expected)
        expect(movingOf({ ...seat, ready: false }), 'not ready').toEqual(expected)
      }
    expect(movingOf({ ...PRICE, phase: 'live' }, 'committed')).toEqual([false, false, false])
    expect(movingOf({ mode: 'pnl_usd', phase: 'live' })).toEqual([false, false, false])
  })

  const pollMs = (seat: Partial<Seat>, followed: number) => movesPollMs(seatOf(seat), see({ moving: () => followed }))

  test('is read for a commitment twice a second, or every two seconds past its end and unread, less often where there are several', () => {
    for (const followed of [1, 2, 7])
      for (const [endsAt, movesAhead, eachMs] of [
        [undefined, undefined, 500],
        [NOW + 1, undefined, 500],
        [NOW, undefined, 2000],
        [NOW - 1, undefined, 2000],
        [NOW - 1, true, 500],
        [NOW - 1, false, 500],
      ] as const)
        expect(pollMs({ ...PRICE, endsAt, movesAhead }, followed), `${followed} ${endsAt} ${movesAhead}`).toBe(followed * eachMs)
    expect(pollMs({ mode: undefined }, 3)).toBe(1500)
    expect(pollMs({ ...DRAFT, endsAt: NOW, turnMs: 8000 }, 3), 'a draft, past its end and unread').toBe(6000)
    expect(pollMs({ ...DRAFT, endsAt: NOW + 1, turnMs: 8000 }, 3), 'a draft, unread').toBe(1845)
  })

  /** Milliseconds by how many seats are followed. */
  type ByFollowed = Readonly<Record<number, number>>
  test.each<[string, boolean, number | undefined, ByFollowed]>([
    ['of a turn whose length is not known', true, undefined, { 1: 230, 2: 460, 9: 2070 }],
    ['of a turn that is short', true, 1300, { 1: 230, 2: 460 }],
    ['of a turn that is hardly long enough', true, 2990, { 1: 230, 2: 460, 3: 690, 4: 920 }],
    ['of a turn that is a little longer', true, 3003, { 1: 231, 2: 462, 3: 693, 4: 920 }],
    ['of a turn: thirteen times, or four, or as often as all may', true, 8000, { 1: 615, 3: 1845, 4: 2000, 8: 2000, 9: 2070 }],
    ['of a turn whose thirteenth is rounded up', true, 8200, { 1: 631, 2: 1262 }],
    ['of a turn whose quarter is rounded up', true, 8002, { 4: 2001, 8: 2001 }],
    ['of a turn whose thirteenth is a second', true, 13_000, { 1: 1000, 3: 3000, 4: 3250 }],
    ['of a turn that is longer', true, 26_000, { 1: 1000, 6: 6000, 7: 6500 }],
    ['while nobody is waited for', false, 8000, { 1: 1000, 2: 2000, 3: 2000, 8: 2000, 9: 2070 }],
    ['while nobody is waited for, in a turn whose length is not known', false, undefined, { 1: 1000, 2: 2000, 3: 2000, 9: 2070 }],
  ])('is read for a draft %s', (_, isAsked, turnMs, expected) => {
    for (const movesAhead of isAsked ? [true, undefined] : [false])
      for (const [followed, ms] of Object.entries(expected))
        expect(pollMs({ ...DRAFT, movesAhead, turnMs }, Number(followed)), `${followed} ${movesAhead}`).toBe(ms)
  })

  test('is read for early moves every three seconds, one seat a second of many, and seldom beside moves that are to be made', () => {
    const early = (count: number, moving: number) => earlyPollMs({ moving: () => moving, early: () => count })
    expect([1, 2, 3, 4, 7].map((count) => early(count, 0))).toEqual([3000, 3000, 3000, 4000, 7000])
    for (const moving of [1, 5]) expect([1, 2, 4].map((count) => early(count, moving))).toEqual([2500, 5000, 10_000])
  })

  test('is read soon after a move that came to nothing, and every five seconds for its terms', () => {
    expect([afterMoveMs('draftPick'), afterMoveMs('commitPrediction'), CONTEST_POLL_MS]).toEqual([230, 500, 5000])
  })

  test('is read for when its prediction is shown, less often the more there are and once that is told', () => {
    for (const predictions of [1, 2, 7])
      expect([undefined, 0, NOW].map((revealFrom) => windowPollMs(seatOf({ revealFrom }), { predictions }))).toEqual([
        ...[predictions * 2000, predictions * 5000, predictions * 5000],
      ])
  })

  const untold = [undefined, [], [standing()], [standing(), standing()]]
  const told = [[standing('1')], [standing('')], [standing(), standing('0')], [standing('0'), standing()]]
  test.each<[string, readonly (Seat['standings'] | undefined)[], number | undefined, number | undefined, number | undefined]>([
    ['half way through, of a service that tells no score', untold, -1000, 3000, 1000],
    ['half way through, before it starts', untold, 1000, 5000, 3000],
    ['half way through, a moment before that', untold, -1000, 1002, 1],
    ['not half way through at that very time', untold, -1000, 1000, undefined],
    ['not half way through a moment later', untold, -1000, 998, undefined],
    ['not half way through where that is no time before its end', untold, 1000, 1000, undefined],
    ['half way through where that is a moment before its end', untold, 1000, 1002, 1001],
    ['not without its start', [...untold, ...told], undefined, 60_000, undefined],
    ['not without its end', [...untold, ...told], -1000, undefined, undefined],
    ['every ten seconds, of a service that tells a score', told, -1000, 60_000, 10_000],
    ['after ten seconds, where that is not before it starts', told, 10_000, 60_000, 10_000],
    ['after ten seconds, where it starts a moment before', told, 9999, 60_000, 10_000],
    ['as it starts, where that is later', told, 10_001, 60_000, 10_001],
    ['not at its end', told, -1000, 10_000, undefined],
    ['a moment before its end', told, -1000, 10_001, 10_000],
    ['not after its end', told, -1000, -500, undefined],
  ])('is read for its standings %s', (_, standings, startsIn, endsIn, expectedIn) => {
    const at = (ms: number | undefined) => (ms === undefined ? undefined : NOW + ms)
    for (const shown of standings)
      expect(standingsAt(seatOf({ startsAt: at(startsIn), endsAt: at(endsIn), standings: shown }), NOW)).toBe(at(expectedIn))
  })
})
