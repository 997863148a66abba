import { describe, expect, test } from 'vitest'
import { recordSandbox } from '../../../test/support/probe/recordSandbox.ts'
import {
  inOtherOrder,
  inWrappers,
  rewritten,
  snakeKey,
  withDecoys,
  withEmptyLists,
  withKeys,
  withTimes,
} from '../../../test/support/probe/rewrite.ts'
import { modesWhere } from '../../contract/modes.ts'
import { has, lackingIn, needsOf } from '../../contract/shapes/shapes.ts'
import { find } from './find.ts'
import type { Findings } from './finding.ts'

const recorded = recordSandbox({ seconds: 100 })
const findIn = ({ exchanges, facts }: typeof recorded): Findings => find(exchanges, facts)
const plain = findIn(recorded)

const verdictOf = ({ pieces }: Findings, name: string) => pieces[name]?.verdict
/** The place of each piece that is pinned. */
const placesIn = ({ pieces }: Findings) =>
  Object.fromEntries(Object.entries(pieces).flatMap(([name, { place }]) => (place === undefined ? [] : [[name, place]])))

/** What the fields of the sandbox are, whichever of those that say the same is taken. */
const RIGHT: Readonly<Record<string, readonly unknown[]>> = {
  'lists.tickets': [''],
  'lists.mine': [''],
  'lists.open': ['items'],
  ticketId: ['ticket:ticketId'],
  ticketState: ['ticket:status'],
  ticketContest: ['ticket:contestId'],
  contestId: ['contest:contestId'],
  contestState: ['contest:status'],
  entryId: ['state:entryId'],
  token: ['contest:params.token'],
  phase: ['state:phase'],
  commitBy: [{ at: 'state:commitBy', as: 'iso' }],
  revealFrom: [{ at: 'state:revealFrom', as: 'iso' }],
  turn: [{ at: 'state:yourTurn', is: 'flag' }],
  pool: ['state:available'],
  listedContestId: ['listed:contestId'],
  listedMode: ['listed:mode'],
  listedStake: ['listed:stake'],
  listedToken: ['listed:params.token'],
  'words.side': [{ UP: 'UP', DOWN: 'DOWN' }],
}

test('the plain sandbox gives every piece that any mode needs', () => {
  expect([...lackingIn(plain.shapes)]).toEqual([])
  for (const [name, places] of Object.entries(RIGHT)) expect(places, name).toContainEqual(plain.pieces[name]?.place)
  expect(plain.conflicts).toEqual([])
})

test('facts and moves prove what they touch', () => {
  const proven = ['ticketId', 'ticketContest', 'contestId', 'contestState', 'entryId', 'turn', 'pool', 'phase', 'agentId', 'words.side']
  expect(proven.filter((name) => verdictOf(plain, name) !== 'proven')).toEqual([])
  expect(plain.shapes.pieces?.entryId).toMatchObject({ by: 'probe 2025-03-01T12:00:00.000Z proven' })
})

test('words are those that stood when it happened', () => {
  expect(plain.shapes.words).toMatchObject({
    ticket: { waiting: ['queued'], seated: ['matched'], over: ['expired'] },
    contest: { open: ['open'], live: ['live'], settled: ['settled'] },
    phase: { commit: ['commit'], draft: ['draft'], reveal: ['reveal'], over: ['settled'] },
  })
})

describe('another form of the same', () => {
  test('snake case', () => {
    const found = findIn(rewritten(recorded, withKeys(snakeKey)))
    expect([...lackingIn(found.shapes)]).toEqual([])
    expect(found.pieces.entryId?.place).toBe('state:entry_id')
  })

  test('wrappers around lists, items and records', () => {
    const found = findIn(rewritten(recorded, inWrappers))
    expect([...lackingIn(found.shapes)]).toEqual([])
    expect(found.shapes).toMatchObject({
      lists: { tickets: 'data.rows', mine: 'data.rows', open: 'data.rows' },
      records: { ticket: 'ticket', contest: 'contest', state: 'state', items: 'wrapped' },
    })
    expect(found.pieces.turn?.place).toEqual({ at: 'state:yourTurn', is: 'flag' })
  })

  test.each(['ms', 's', 'leftMs', 'leftSec'] as const)('deadlines in %s', (as) => {
    const { pieces } = findIn(withTimes(as)(recorded))
    expect(pieces.revealBy?.place).toEqual({ at: 'state:revealBy', as })
    for (const name of ['commitBy', 'revealFrom']) expect(['proven', 'found'], name).toContain(pieces[name]?.verdict)
  })

  test('keys in any order give the same to the last character', () => {
    for (const seed of [1, 2]) {
      const found = findIn(rewritten(recorded, (json) => inOtherOrder(json, seed)))
      expect(JSON.stringify({ ...found, pieces: undefined })).toBe(JSON.stringify({ ...plain, pieces: undefined }))
      expect(placesIn(found)).toEqual(placesIn(plain))
    }
    expect(JSON.stringify(findIn(recorded))).toBe(JSON.stringify(plain))
  })

  test('a clock that is ahead by minutes', () => {
    const found = findIn(recordSandbox({ seconds: 100, skewMs: 180_000 }))
    expect(placesIn(found)).toEqual(placesIn(plain))
  })
})

describe('what is not told', () => {
  test('lists that were always empty show nothing of their rows', () => {
    const found = findIn(rewritten(recorded, withEmptyLists))
    for (const name of ['ticketId', 'ticketState', 'ticketContest', 'listedContestId', 'listedToken'])
      expect(verdictOf(found, name), name).toBe('notSeen')
    expect(verdictOf(found, 'lists.tickets')).toBe('found')
  })

  test('nothing was recorded', () => {
    const found = findIn({ exchanges: [], facts: { ...recorded.facts, events: [], moves: [] } })
    expect(Object.values(found.pieces).filter(({ verdict }) => verdict === 'proven' || verdict === 'found')).toEqual([])
  })

  test('decoys are never chosen', () => {
    expect(placesIn(findIn(rewritten(recorded, withDecoys)))).toEqual(placesIn(plain))
  })

  test('an entry id is not taken because it is the only id about', () => {
    const bare = rewritten(recorded, (json) => {
      const keys = withKeys((key) => (key === 'entryId' ? 'blob' : undefined))(json) as Record<string, unknown>
      const { entries: _rows, you: _you, predictions: _others, picks: _picks, traders: _traders, ...rest } = keys
      return Array.isArray(json) ? json : rest
    })
    const exchanges = bare.exchanges.filter(({ procedure }) => procedure !== 'agent.contests.mine')
    const facts = { ...bare.facts, moves: bare.facts.moves.filter(({ type }) => type !== 'revealPrediction') }
    expect(verdictOf(findIn({ exchanges, facts }), 'entryId')).toBe('missing')
    // A reveal that was taken with it says that it is.
    expect(findIn({ ...bare, exchanges }).pieces.entryId).toMatchObject({ verdict: 'proven', place: 'state:blob' })
  })

  test('which side is up is not told by words outside the known pairs', () => {
    const words = new Map([
      ['UP', 'B'],
      ['DOWN', 'A'],
    ])
    const exchanges = JSON.parse(
      JSON.stringify(recorded.exchanges),
      (_key, value: unknown) => words.get(String(value)) ?? value,
    ) as typeof recorded.exchanges
    const moves = recorded.facts.moves.map((move) => ({ ...move, side: words.get(move.side ?? '') ?? move.side }))
    const found = findIn({ exchanges, facts: { ...recorded.facts, moves } })
    expect(verdictOf(found, 'words.side')).toBe('missing')
    expect(has(found.shapes, 'words.side')).toBe(false)
  })

  test('two entry ids that both are called so and differ are for a person to choose', () => {
    const twice = rewritten(recorded, (json, procedure) => {
      if (procedure !== 'agent.modes.state') return json
      // Rows of players would say which of the two stands on ours.
      const {
        predictions: _rows,
        picks: _picks,
        traders: _traders,
        entries: _entries,
        ...state
      } = json as {
        entryId: string | null
        contestId: string
        [key: string]: unknown
      }
      return state.entryId === null ? state : { ...state, yourEntryId: state.contestId.replace(/^......../, 'abcdef01') }
    })
    const facts = { ...twice.facts, moves: twice.facts.moves.filter(({ type }) => type !== 'revealPrediction') }
    const exchanges = twice.exchanges.filter(({ procedure }) => !procedure.startsWith('agent.contests'))
    const found = findIn({ exchanges, facts })
    expect(verdictOf(found, 'entryId')).toBe('ambiguous')
    expect(has(found.shapes, 'entryId')).toBe(false)
    expect(found.conflicts.join()).toContain('entryId')
  })
})

test('a mode that was not played lacks only what is its own', () => {
  const drafts = new Set(recorded.facts.events.filter(({ data }) => data.mode === 'draft_basket').map(({ data }) => data.contestId))
  const exchanges = recorded.exchanges.filter(
    ({ procedure, input }) => procedure !== 'agent.modes.state' || !drafts.has((input as { contestId: string }).contestId),
  )
  const found = findIn({ ...recorded, exchanges })
  expect(verdictOf(found, 'turn')).toBe('notSeen')
  const [sealed] = modesWhere({ playedBy: 'sealedPrice' })
  expect(needsOf(sealed).filter((need) => !has(found.shapes, need))).toEqual([])
})
