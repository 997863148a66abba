import { describe, expect, test } from 'vitest'
import { type Shapes, shapesSchema } from './shapes.ts'
import { Translator } from './translator.ts'

const A = 'So11111111111111111111111111111111111111112'
const B = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const C = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'
const NOW = Date.parse('2026-11-26T10:00:00Z')
const iso = (ms: number) => new Date(NOW + ms).toISOString()
const CONTEST = 'c0000000-0000-4000-8000-000000000001'

const shapesOf = (more: Omit<Shapes, 'version'>): Shapes => shapesSchema.parse({ version: 1, ...more })
const jsonOf = (
  shapes: Omit<Shapes, 'version'>,
  procedure: 'agent.queue.list' | 'agent.contests.mine' | 'agent.contests.list' | 'agent.contests.get' | 'agent.modes.state',
  json: unknown,
) => {
  const translator = new Translator(shapesOf(shapes))
  translator.answer('agent.me', null, { agent: { handle: 'ann', ref: 'u-1' } }, NOW)
  return translator.answer(procedure, { contestId: CONTEST }, json, NOW)
}
const stateOf = (shapes: Omit<Shapes, 'version'>, json: unknown) => jsonOf(shapes, 'agent.modes.state', json)
const pieces = (given: NonNullable<Shapes['pieces']>): Omit<Shapes, 'version'> => ({ pieces: { userId: 'me:agent.ref', ...given } })

describe('a list', () => {
  test('is taken out of its wrapper, each record out of its own', () => {
    const shapes = {
      lists: { tickets: 'data.rows' },
      records: { ticket: 'ticket', items: 'wrapped' },
      pieces: { ticketId: 'ticket:ref', ticketState: 'ticket:^.is', ticketContest: 'ticket:game' },
      words: { ticket: { waiting: ['IN_LINE'], seated: ['PLACED'] } },
    } as const
    const answer = jsonOf(shapes as never, 'agent.queue.list', {
      data: {
        rows: [
          { ticket: { ref: 't1' }, is: 'In_Line' },
          { ticket: { ref: 't2', game: 'c1' }, is: 'PLACED' },
        ],
      },
    })
    expect(answer).toEqual({
      ok: true,
      json: [
        { ticketId: 't1', status: 'queued' },
        { ticketId: 't2', status: 'matched', contestId: 'c1' },
      ],
      departures: [],
    })
  })

  test('that is not there is no empty one', () => {
    const shapes = { lists: { mine: 'rows' } }
    expect(jsonOf(shapes, 'agent.contests.mine', { items: [] })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('service.shapes.lists.mine'),
      departures: [{ piece: 'lists.mine' }],
    })
    expect(jsonOf(shapes, 'agent.contests.mine', { rows: [], nextCursor: 'x' })).toMatchObject({
      ok: true,
      json: { items: [], nextCursor: 'x' },
    })
  })

  test('tells what none of its items has, and not what one lacks', () => {
    const shapes = { lists: { mine: '' }, pieces: { contestId: 'contest:ref', startsAt: 'contest:from' } } as const
    const answer = jsonOf(shapes as never, 'agent.contests.mine', [{ id: 'a', from: iso(1) }, { id: 'b' }])
    expect(answer.departures.map(({ piece }) => piece)).toEqual(['contestId'])
  })
})

describe('a contest', () => {
  test.each([
    ['an own object', { at: 'you' }, { you: { pass: 'e1', team: 'long' }, players: [] }],
    [
      'a row by our user id',
      { rows: 'players', by: { who: 'userId' } },
      {
        players: [
          { who: 'u-2', pass: 'x' },
          { who: 'u-1', pass: 'e1', team: 'long' },
        ],
      },
    ],
    [
      'a marked row',
      { rows: 'players', by: { isYou: true } },
      {
        players: [
          { pass: 'x', isYou: false },
          { isYou: true, pass: 'e1', team: 'long' },
        ],
      },
    ],
    [
      'a row of a map',
      { rows: 'players', by: { $key: 'userId' } },
      { players: { 'u-2': { pass: 'x' }, 'u-1': { pass: 'e1', team: 'long' } } },
    ],
    [
      'a row by the number of our seat',
      { rows: 'players', seat: 'seat' },
      {
        seat: 2,
        players: [
          { seat: 1, pass: 'x' },
          { seat: 2, pass: 'e1', team: 'long' },
        ],
      },
    ],
    ['a row by its place', { rows: 'players', seat: 'mySeat' }, { mySeat: 1, players: [{ pass: 'x' }, { pass: 'e1', team: 'long' }] }],
    ['beside the record', { at: '^.seat' }, { seat: { pass: 'e1', team: 'long' } }],
  ])('has the own entry of %s', (name, own, given) => {
    const shapes = shapesOf({
      own: own as Shapes['own'],
      records: name === 'beside the record' ? { contest: 'contest' } : {},
      ...pieces({ contestId: 'contest:ref', contestState: 'contest:is', entryId: 'contest:[own].pass', side: 'contest:[own].team' }),
      words: { contest: { open: ['lobby'], live: ['on'] }, side: { UP: 'long', DOWN: 'short' } },
    })
    const record = { ref: CONTEST, is: 'ON', capacity: 2 }
    const json = name === 'beside the record' ? { contest: record, ...given } : { ...record, ...given }
    const answer = jsonOf(shapes, 'agent.contests.get', json)
    expect(answer.departures).toEqual([])
    expect(answer.ok && answer.json).toMatchObject({
      contestId: CONTEST,
      status: 'live',
      entryId: 'e1',
      capacity: 2,
      you: { entryId: 'e1', side: 'UP' },
    })
  })

  test('of two rows that are said to be ours none is', () => {
    const shapes = { own: { rows: 'players', by: { who: 'userId' as const } }, ...pieces({ entryId: 'contest:[own].pass' }) }
    const answer = jsonOf(shapes, 'agent.contests.get', {
      players: [
        { who: 'u-1', pass: 'a' },
        { who: 'u-1', pass: 'b' },
      ],
    })
    expect(answer).toMatchObject({ departures: [{ piece: 'entryId', place: 'contest:[own].pass' }] })
    expect(answer.ok && answer.json).toEqual({})
  })

  test('has times and lengths in the units they are in, and an amount only in digits', () => {
    const shapes = pieces({
      startsAt: { at: 'contest:opens', as: 's' },
      endsAt: { at: 'contest:leftSec', as: 'leftSec' },
      duration: { at: 'contest:minutes', unit: 'min' },
      stake: 'contest:fee',
    })
    const answer = jsonOf(shapes, 'agent.contests.get', { opens: NOW / 1000, leftSec: 30, minutes: 2, fee: 1.5, stake: '7' })
    expect(answer).toMatchObject({ ok: true, departures: [{ piece: 'stake', got: 1.5 }] })
    expect(answer.ok && answer.json).toEqual({ startsAt: iso(0), endsAt: iso(30_000), durationSec: 120 })
  })
})

describe('the state of a mode', () => {
  test.each([
    ['a flag', { at: 'state:mine' as const, is: 'flag' as const }, { mine: true }, { yourTurn: true }],
    ['our user id', { at: 'state:on' as const, is: 'userId' as const }, { on: 'u-1' }, { yourTurn: true, turnEntryId: 'own' }],
    ['the id of another', { at: 'state:on' as const, is: 'userId' as const }, { on: 'u-2' }, { yourTurn: false, turnEntryId: 'another' }],
    ['nobody', { at: 'state:on' as const, is: 'userId' as const }, { on: null }, { yourTurn: false, turn: null }],
    [
      'our handle',
      { at: 'state:on.name' as const, is: 'handle' as const },
      { on: { name: 'ann' } },
      { yourTurn: true, turnEntryId: 'own' },
    ],
    ['a word', { at: 'state:go' as const, is: 'word' as const }, { go: 'You' }, { yourTurn: true, turnEntryId: 'own' }],
    [
      'the number of our seat',
      { at: 'state:seat' as const, is: 'seat' as const, own: 'state:yours' as const },
      { seat: 1, yours: 1 },
      { yourTurn: true, turnEntryId: 'own' },
    ],
  ])('says whose turn it is by %s', (_name, turn, json, record) => {
    expect(stateOf({ ...pieces({ turn }), words: { turn: ['you'] } }, json)).toEqual({ ok: true, json: record, departures: [] })
  })

  test('says whose turn it is by our entry, once the contest has told of it', () => {
    const translator = new Translator(
      shapesOf({ own: { at: 'you' }, ...pieces({ entryId: 'contest:[own].pass', turn: { at: 'state:on', is: 'entryId' } }) }),
    )
    const state = () => translator.answer('agent.modes.state', { contestId: CONTEST }, { on: 'e1' }, NOW)
    expect(state()).toMatchObject({ departures: [{ piece: 'turn', got: 'e1' }] })
    translator.answer('agent.contests.get', { contestId: CONTEST }, { you: { pass: 'e1' } }, NOW)
    expect(state()).toEqual({ ok: true, json: { yourTurn: true, turnEntryId: 'e1' }, departures: [] })
  })

  test.each([
    ['mints', { at: 'state:pool' as const }, { pool: [A, B, C] }, [A, B, C]],
    ['records', { at: 'state:pool' as const, token: 'coin.mint' }, { pool: [{ coin: { mint: A } }] }, [A]],
    ['a map', { at: 'state:pool' as const, token: '$key' }, { pool: { [A]: {}, [B]: {} } }, [A, B]],
    [
      'a map with marks',
      { at: 'state:pool' as const, token: '$key', free: { at: 'free', is: true } },
      { pool: { [A]: { free: false }, [B]: { free: true } } },
      [B],
    ],
    [
      'records that are taken',
      { at: 'state:pool' as const, token: 'mint', free: { at: 'by', is: null } },
      {
        pool: [
          { mint: A, by: 'x' },
          { mint: B, by: null },
        ],
      },
      [B],
    ],
    [
      'the whole pool less the picks',
      { at: 'state:pool' as const, minus: ['state:picks' as const] },
      { pool: [A, B, C], picks: [{ mint: C }] },
      [A, B],
    ],
  ])('has a pool of %s', (_name, pool, json, available) => {
    expect(stateOf(pieces({ pool }), json)).toEqual({ ok: true, json: { available }, departures: [] })
  })

  test('counts time left from when the answer came', () => {
    const windows = pieces({ commitBy: { at: 'state:locksIn', as: 'leftMs' }, revealFrom: { at: 'state:showIn', as: 'leftSec' } })
    expect(stateOf(windows, { locksIn: 1500, showIn: 20 })).toMatchObject({ json: { commitBy: NOW + 1500, revealFrom: NOW + 20_000 } })
  })

  test('has its phase by words or flags', () => {
    const byWords = { ...pieces({ phase: 'state:stage' }), words: { phase: { commit: ['SEALING'], over: ['gone'] } } }
    expect(stateOf(byWords, { stage: 'sealing' })).toMatchObject({ json: { phase: 'commit' } })
    expect(stateOf(byWords, { stage: 'what?' })).toMatchObject({ json: { phase: 'what?' } })
    const byFlags = pieces({ phase: { flags: { commit: 'state:canCommit', reveal: 'state:canReveal' } } })
    expect(stateOf(byFlags, { canCommit: false, canReveal: true })).toMatchObject({ json: { phase: 'reveal' } })
    expect(stateOf(byFlags, { canCommit: false, canReveal: false })).toMatchObject({ json: { phase: 'running' } })
    expect(stateOf(byFlags, { canCommit: 1 })).toMatchObject({ departures: [{ piece: 'phase' }] })
  })

  test('takes nothing from where a piece is not pinned, but for one that is needed', () => {
    const some = pieces({ commitBy: 'state:lockAt' })
    expect(stateOf(some, { lockAt: iso(5), revealed: 2, committed: true, phase: 'x', entryId: 'e1', token: A })).toMatchObject({
      json: { commitBy: NOW + 5, entryId: 'e1', token: A },
    })
    const answer = stateOf(some, { lockAt: iso(5), revealed: 2, committed: true })
    expect(answer.ok && answer.json).toEqual({ commitBy: NOW + 5 })
  })

  test('keeps a piece of old places where it is gone from its own, and says so', () => {
    const answer = stateOf(pieces({ commitBy: { at: 'state:lockAt', as: 'iso' } }), { lockAt: 7, commitBy: iso(9) })
    expect(answer).toEqual({
      ok: true,
      json: { commitBy: iso(9) },
      departures: [{ piece: 'commitBy', place: 'state:lockAt', expected: 'an instant', got: 7 }],
    })
  })

  test('may stand in the contest', () => {
    const translator = new Translator(shapesOf(pieces({ phase: 'contest:stage', commitBy: 'contest:lockAt' })))
    expect(translator.besideOf('agent.modes.state', { contestId: CONTEST }, {})).toBe('agent.contests.get')
    translator.answer('agent.contests.get', { contestId: CONTEST }, { stage: 'commit', lockAt: iso(3) }, NOW)
    expect(translator.answer('agent.modes.state', { contestId: CONTEST }, {}, NOW)).toMatchObject({
      json: { phase: 'commit', commitBy: NOW + 3 },
    })
  })
})

test('a token that the mode’s state has is the contest’s, and an action’s answer may wrap its ticket', () => {
  const translator = new Translator(shapesOf({ pieces: { token: 'state:coin', ticketId: 'ticket:ref' } }))
  translator.answer('agent.modes.state', { contestId: CONTEST }, { coin: A }, NOW)
  expect(translator.answer('agent.contests.get', { contestId: CONTEST }, {}, NOW)).toMatchObject({ json: { token: A } })
  expect(translator.acted('agent.queue.enqueue', { ticket: { ref: 't1' }, more: 1 }, NOW)).toEqual({ ticketId: 't1' })
})

test('what others opened is read in its own places, with the sides that are taken', () => {
  const shapes = {
    lists: { open: 'list' },
    pieces: {
      listedContestId: 'listed:ref',
      listedMode: 'listed:kind',
      listedStake: 'listed:fee',
      listedToken: 'listed:coin',
      listedSides: 'listed:seats[].dir',
    },
    words: { side: { UP: 'long', DOWN: 'short' } },
  } as const
  const answer = jsonOf(shapes as never, 'agent.contests.list', {
    list: [{ ref: CONTEST, kind: 'up_down', fee: '1000000', coin: A, seats: [{ dir: 'Short' }], durationSec: 15 }],
  })
  expect(answer).toEqual({
    ok: true,
    json: [
      {
        contestId: CONTEST,
        mode: 'up_down',
        stake: '1000000',
        token: A,
        params: { token: A },
        entries: [{ side: 'DOWN' }],
        durationSec: 15,
      },
    ],
    departures: [],
  })
})

test('a side is joined by the word of the service', () => {
  const translator = new Translator(shapesOf({ words: { side: { UP: 'long', DOWN: 'short' } } }))
  expect(translator.request('agent.contests.join', { contestId: CONTEST, side: 'DOWN' })).toEqual({ contestId: CONTEST, side: 'short' })
  expect(translator.request('agent.contests.join', { contestId: CONTEST })).toEqual({ contestId: CONTEST })
})

test('what an action made is found where a record of it has its id, and stays as it came otherwise', () => {
  const translator = new Translator(shapesOf({ records: { ticket: 'ticket' }, pieces: { ticketId: 'ticket:ref' } }))
  expect(translator.acted('agent.queue.enqueue', { ticket: { ref: 't1', mode: 'up_down' } }, NOW)).toEqual({
    ticketId: 't1',
    mode: 'up_down',
  })
  expect(translator.acted('agent.queue.enqueue', { done: true }, NOW)).toEqual({ done: true })
  expect(translator.acted('agent.modes.draftPick', { any: 1 }, NOW)).toEqual({ any: 1 })
})

test('another mapping is read by from then on, by the names that were told', () => {
  const translator = new Translator(shapesOf({}))
  translator.answer('agent.me', null, { agent: { ref: 'u-1' } }, NOW)
  translator.use(shapesOf(pieces({ turn: { at: 'state:on', is: 'userId' } })))
  expect(translator.answer('agent.modes.state', { contestId: CONTEST }, { on: 'u-1' }, NOW)).toMatchObject({ json: { yourTurn: true } })
})
