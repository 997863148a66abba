import { describe, expect, test } from 'vitest'
import type { ExtraPaths } from '../../contract/paths.ts'
import { modeStateSchema } from '../../contract/records.ts'
import { emptySeat, type Seat } from './books.ts'
import { readModeState } from './modeState.ts'

const NOW = Date.parse('2025-03-01T12:00:00Z')
const LATER = '2025-03-01T12:00:05.000Z'

function read(wire: object, seat: Partial<Seat> = {}, paths: ExtraPaths = {}) {
  return readModeState(modeStateSchema.parse(wire), { ...emptySeat('c'), phase: 'live', ...seat }, { now: NOW, paths })
}

describe('a draft', () => {
  const draft = { mode: 'draft_basket', entryId: 'e1', available: ['a', 'b'], mine: ['c'], theirs: ['d'], round: 2, pickBy: LATER }

  test.each([
    ['a flag', { yourTurn: true }],
    ['a nested flag', { you: { turn: true } }],
    ['whose entry is on', { turn: { entryId: 'e1' } }],
  ])('is our turn by %s', (_how, shown) => {
    expect(read({ ...draft, ...shown }).change.turn).toEqual({
      available: ['a', 'b'],
      mine: ['c'],
      theirs: ['d'],
      round: 2,
      pickBy: NOW + 5000,
    })
  })

  test.each([
    ['nothing says so', {}],
    ['the flag says no', { yourTurn: false }],
    ['it is another entry', { turn: { entryId: 'e2' } }],
  ])('is not when %s', (_why, shown) => {
    expect(
      read({ ...draft, ...shown }, { turn: { available: [], mine: [], theirs: [], round: 0, pickBy: undefined } }).change.turn,
    ).toBeUndefined()
  })

  test('what says neither whose turn it is nor what is left to pick is a typed error that names the paths', () => {
    expect(read({ ...draft, currentPick: { entryId: 'e1' } }).missing?.message).toContain('nor at yourTurn, you.turn')
    expect(read({ ...draft, yourTurn: true, available: undefined, board: ['a'] }).missing?.message).toContain('has no available, neither')
    for (const shown of [{ yourTurn: true }, { yourTurn: false, available: undefined }, { turn: null }, { turn: { entryId: 'e2' } }])
      expect(read({ ...draft, ...shown }).missing).toBeUndefined()
  })

  test('before its contest is live nothing is missing from it, but of a turn', () => {
    const open: Partial<Seat> = { mode: 'draft_basket', phase: 'open' }
    expect(read({ entryId: 'e1', phase: 'open' }, open).missing).toBeUndefined()
    expect(read({ entryId: 'e1', turn: { entryId: 'e2' } }, open).missing).toBeUndefined()
    expect(read({ entryId: 'e1', yourTurn: true }, open).missing?.message).toContain('available')
    expect(read({ entryId: 'e1', deadline: LATER }, open).change.movesAhead).toBe(false)
    expect(read({ entryId: 'e1', deadline: LATER, yourTurn: false }, { ...open, phase: 'live' }).change.movesAhead).toBe(true)
  })

  test('tokens may be records; a list with anything else is none', () => {
    expect(read({ ...draft, yourTurn: true, available: [{ mint: 'a' }, { token: 'b' }] }).change.turn?.available).toEqual(['a', 'b'])
    expect(read({ ...draft, yourTurn: true, available: ['a', 7] }).change.turn?.available).toEqual([])
  })
})

describe('a prediction', () => {
  const prediction = {
    mode: 'price_prediction',
    phase: 'commit',
    entryId: 'e1',
    token: 'SOL',
    commitBy: LATER,
    committed: false,
    revealFrom: LATER,
  }

  test('takes a commitment until commitBy', () => {
    expect(read(prediction)).toEqual({
      change: {
        entryId: 'e1',
        lacksPiece: false,
        mode: 'price_prediction',
        token: 'SOL',
        committed: false,
        commitBy: NOW + 5000,
        commitsUntil: NOW + 5000,
        revealFrom: NOW + 5000,
        commitsPastEnd: false,
        movesAhead: true,
      },
      missing: undefined,
    })
  })

  test.each([
    ['it is in another phase', { phase: 'running', commitBy: undefined }],
    ['the service has a commitment', { committed: true }],
    ['the service shows the commitment itself', { committed: undefined, commitment: 'ab12' }],
    ['time is up', { commitBy: '2025-03-01T12:00:00Z' }],
  ])('takes none when %s', (_why, shown) => {
    expect(read({ ...prediction, ...shown }).change.commitBy).toBeUndefined()
  })

  test.each([
    NOW + 5000,
    `${NOW + 5000}`,
    (NOW + 5000) / 1000,
    `${(NOW + 5000) / 1000}`,
    '2025-03-01T13:00:05+01:00',
  ])('its times may be text or a number, of seconds too: %j', (commitBy) => {
    expect(read({ ...prediction, commitBy }).change.commitBy).toBe(NOW + 5000)
  })

  test('where the service says little, what the seat knows stands in', () => {
    const { change } = read({ entryId: 'e1' }, { mode: 'price_prediction', startsAt: NOW + 1000, endsAt: NOW + 9000, token: 'JUP' })
    expect(change).toMatchObject({ commitBy: NOW + 1000, revealFrom: undefined, committed: undefined, token: 'JUP' })
    expect(read({ ...prediction, commitBy: undefined }).change.commitBy).toBe(Number.POSITIVE_INFINITY)
  })

  test('before its contest is live nothing stands in: no window goes without saying', () => {
    const open: Partial<Seat> = { mode: 'price_prediction', phase: 'open', startsAt: NOW + 1000, endsAt: NOW + 9000 }
    expect(read({ entryId: 'e1', phase: 'open' }, open).change.commitBy).toBeUndefined()
    expect(read({ entryId: 'e1', phase: 'open', commitBy: LATER }, open).change.commitBy).toBe(Date.parse(LATER))
    expect(read({ entryId: 'e1', phase: 'committing' }, open).change.commitBy).toBe(NOW + 9000)
  })

  test('a missing entry id is a typed error that names the paths looked at, while it matters', () => {
    const { missing } = read({ ...prediction, entryId: null }, { isRead: true })
    expect(missing?.code).toBe('FIELD_MISSING')
    expect(missing?.message).toContain('entryId, you.entryId, entry.id')
    expect(read({ ...prediction, entryId: null, phase: 'reveal' }, { isRead: true }).missing).toBeUndefined()
  })

  test('an entry id that the state does not have may stand in the contest: it is missed once that was read', () => {
    const unread = read({ ...prediction, entryId: null })
    expect([unread.missing, unread.change.lacksPiece]).toEqual([undefined, true])
    const known = read({ ...prediction, entryId: null }, { isRead: true, entryId: 'e7' })
    expect([known.missing, known.change.entryId, known.change.commitBy]).toEqual([undefined, 'e7', NOW + 5000])
  })

  test('a token that the state does not have may stand in the contest: it is missed once that was read', () => {
    const unread = read({ ...prediction, token: undefined })
    expect([unread.missing, unread.change.lacksPiece]).toEqual([undefined, true])
    const missing = read({ ...prediction, token: undefined }, { isRead: true }).missing
    expect(missing?.message).toContain('token, params.token, mint')
    const known = read({ ...prediction, token: undefined }, { isRead: true, token: 'SOL' })
    expect([known.missing, known.change.lacksPiece]).toEqual([undefined, false])
  })

  test.each([0, 2, 15, 15_000, 999_999_999])('a number that is too small for a time is none: %s', (commitBy) => {
    expect(read({ ...prediction, commitBy }, { startsAt: NOW + 1000 }).change.commitsUntil).toBeUndefined()
  })

  test.each(['live', 'open', 'predicting', 'pending'])('takes a commitment in a phase that is called %s', (phase) => {
    expect(read({ ...prediction, phase }).change.commitBy).toBe(NOW + 5000)
  })

  describe('whose phase has a word that is not known, and no time', () => {
    const unclear = { ...prediction, phase: 'halftime', commitBy: undefined }
    const times: Partial<Seat> = { startsAt: NOW + 1000, endsAt: NOW + 9000, isRead: true }

    test('takes no commitment that anybody knows of, and is looked at on: the word is missing', () => {
      const { change, missing } = read(unclear, times)
      expect(change).toMatchObject({ commitBy: undefined, movesAhead: true, lacksPiece: true })
      expect(missing).toMatchObject({ code: 'WORD_UNKNOWN', details: { field: 'commitBy or phase', word: 'halftime' } })
      expect(missing?.message).toContain("calls its phase 'halftime'")
      // Nor does its start say that it takes none any more.
      expect(read(unclear, { ...times, startsAt: NOW - 1 }).change.movesAhead).toBe(true)
      expect(read(unclear, { ...times, endsAt: NOW }).change.movesAhead).toBe(false)
    })

    test.each([
      ['a word that is known', { phase: 'commit' }, {}],
      ['one that it was known to close by', { phase: 'locked' }, {}],
      ['a time', { commitBy: LATER }, {}],
      ['a time that was said before', {}, { commitsUntil: NOW + 5000 }],
      ['a commitment', { committed: true }, {}],
      ['a commitment of before, where it does not say', { committed: undefined }, { committed: true }],
      ['a contest that is not live', {}, { phase: 'open' }],
      // A contest's own state is no phase.
      ['the state of a contest', { phase: undefined, status: 'live' }, {}],
      ['no phase at all', { phase: undefined }, {}],
    ] as const)('is not missed with %s', (_what, shown, seat) => {
      expect(read({ ...unclear, ...shown }, { ...times, ...seat }).missing).toBeUndefined()
    })

    test('and no word either is open until the start, and missing from then on', () => {
      const silent = { ...unclear, phase: undefined }
      expect(read(silent, times).change.commitBy).toBe(NOW + 1000)
      const { change, missing } = read(silent, { ...times, startsAt: NOW })
      expect([change.commitBy, change.movesAhead, missing?.code]).toEqual([undefined, false, 'FIELD_MISSING'])
      expect(missing?.message).toContain('commitBy or phase')
    })
  })

  test.each(['reveal', 'Revealing', 'settled', 'closed', 'ended'])('takes none in one called %s', (phase) => {
    expect(read({ ...prediction, phase }).change.commitBy).toBeUndefined()
  })

  test.each(['running', 'locked'])('takes none in one called %s, unless it says until when it does', (phase) => {
    expect(read({ ...prediction, phase, commitBy: undefined }).change.commitBy).toBeUndefined()
    expect(read({ ...prediction, phase }).change.commitBy).toBe(NOW + 5000)
  })

  test.each([
    ['reveal', NOW],
    ['Revealing', NOW],
    ['reveals', NOW],
    ['revealed', undefined],
    ['running', undefined],
  ])('that does not say from when, and is called %s, is shown from %s on', (phase, from) => {
    expect(read({ ...prediction, phase, revealFrom: undefined }).change.revealFrom).toBe(from)
    expect(read({ ...prediction, phase }).change.revealFrom).toBe(NOW + 5000)
  })

  test('a path from the config comes first', () => {
    const { change } = read({ ...prediction, seat: { no: 'e9' } }, {}, { entryId: ['seat.no'] })
    expect(change.entryId).toBe('e9')
  })
})

test('another mode gives its entry and token, no moves', () => {
  expect(read({ mode: 'up_down', entryId: 'e1', token: 'SOL', yourTurn: true }).change).toEqual({
    entryId: 'e1',
    lacksPiece: false,
    mode: 'up_down',
    token: 'SOL',
  })
})

test('the mode the seat knows is believed before the one of the answer', () => {
  expect(read({ mode: 'up_down', yourTurn: true }, { mode: 'draft_basket' }).change.turn).toBeDefined()
})
