import { describe, expect, test } from 'vitest'
import { MODES } from '../../contract/modes.ts'
import { keyedUuid } from '../../core/ids.ts'
import { type Books, emptyBooks, emptySeat, type Seat } from '../books/books.ts'
import type { Custody, ReadRequest } from '../protocol/input.ts'
import { counts, type DriftFacts, isNeeded, modesNeeding, type PinnedPiece, shows } from './drift.ts'

const NOW = 1_000_000
const contestId = keyedUuid('one')
const STATE: ReadRequest = { procedure: 'agent.modes.state', input: { contestId } }
const CONTEST: ReadRequest = { procedure: 'agent.contests.get', input: { contestId } }
const TICKETS: ReadRequest = { procedure: 'agent.queue.list', input: null }
const LIST: ReadRequest = { procedure: 'agent.contests.list', input: { status: 'open' } }

const live = (seat: Partial<Seat>, custody?: Custody['status']): Books => {
  const held = { contestId, entryId: 'e', price: '1', salt: '', commitment: '', status: custody ?? 'made' } as const
  return {
    ...emptyBooks,
    seats: new Map([[contestId, { ...emptySeat(contestId), phase: 'live', ...seat }]]),
    ...(custody === undefined ? {} : { custody: new Map([[contestId, held]]) }),
  }
}
const facts = (request: ReadRequest, books: Books = emptyBooks): DriftFacts => ({ request, books, now: NOW })
const prediction = { mode: 'price_prediction' }
const draft = { mode: 'draft_basket', movesAhead: true }

describe('a piece is needed', () => {
  test.each<[string, PinnedPiece, ReadRequest, Books]>([
    ['a list in each answer that is one', 'lists.tickets', TICKETS, emptyBooks],
    ['the id of each ticket', 'ticketId', TICKETS, emptyBooks],
    ['the id of a contest', 'contestId', CONTEST, emptyBooks],
    ['an entry id before the commitment', 'entryId', STATE, live(prediction)],
    ['the same in the contest itself', 'entryId', CONTEST, live(prediction, 'made')],
    ['a window that is not known', 'commitBy', STATE, live(prediction)],
    ['a window that is not over', 'revealFrom', STATE, live({ ...prediction, commitsUntil: NOW + 1 })],
    ['a turn while a draft runs', 'turn', STATE, live(draft)],
    ['the same before the draft was read', 'pool', STATE, live({ mode: 'draft_basket' })],
    ['the token of a contest about one', 'token', CONTEST, live({ mode: 'same_token' })],
    ['the token of contests with sides', 'listedToken', { procedure: 'agent.contests.list', input: { modes: ['up_down'] } }, emptyBooks],
  ])('%s', (_, piece, request, books) => {
    expect(isNeeded(piece, facts(request, books))).toBe(true)
  })

  test.each<[string, PinnedPiece, ReadRequest, Books]>([
    ['a list of another kind', 'lists.mine', TICKETS, emptyBooks],
    ['an entry id after the commitment', 'entryId', STATE, live(prediction, 'committed')],
    ['the same as the service shows it', 'entryId', STATE, live({ ...prediction, committed: true })],
    ['anything once nobody commits any more', 'commitBy', STATE, live({ ...prediction, commitsUntil: NOW })],
    ['a contest that is not live', 'entryId', STATE, live({ ...prediction, phase: 'open' })],
    ['a contest of others', 'turn', STATE, emptyBooks],
    ['a turn after the draft', 'turn', STATE, live({ ...draft, movesAhead: false })],
    ['an entry id in a draft', 'entryId', STATE, live(draft)],
    ['a token where any is swapped', 'token', STATE, live({ mode: 'pnl_usd' })],
    ['a side once it is taken', 'token', STATE, live({ mode: 'up_down' })],
    ['the token of any contest that is listed', 'listedToken', LIST, emptyBooks],
    ['what nobody needs', 'score', STATE, live(draft)],
    ['a mode of a later service', 'turn', STATE, live({ mode: 'chess' })],
  ])('not %s', (_, piece, request, books) => {
    expect(isNeeded(piece, facts(request, books))).toBe(false)
  })
})

test('a null is as good as none where it says that it is nobody`s turn', () => {
  const gone = (piece: PinnedPiece, got: unknown) => ({ piece, place: 'state:x', expected: 'a text', got })
  expect(counts(gone('turn', null), facts(STATE, live(draft)))).toBe(false)
  expect(counts(gone('turn', undefined), facts(STATE, live(draft)))).toBe(true)
  expect(counts(gone('entryId', null), facts(STATE, live(prediction)))).toBe(true)
})

describe('an answer shows that a piece is there', () => {
  test.each<[string, PinnedPiece, string, DriftFacts, unknown, boolean]>([
    ['a list, though it is empty', 'lists.tickets', 'items', facts(TICKETS), [], true],
    ['the id of a ticket', 'ticketId', 'ticket:id', facts(TICKETS), [{}], true],
    ['none where no ticket is', 'ticketId', 'ticket:id', facts(TICKETS), { items: [] }, false],
    ['a turn in the state', 'turn', 'state:turn', facts(STATE, live(draft)), {}, true],
    ['none in the contest where the state has it', 'turn', 'state:turn', facts(CONTEST, live(draft)), {}, false],
    ['none where none is needed', 'turn', 'state:turn', facts(STATE), {}, false],
  ])('%s', (_, piece, place, known, output, shown) => {
    expect(shows({ piece, place }, known, output)).toBe(shown)
  })
})

test('what closes with a piece', () => {
  expect(modesNeeding('turn')).toEqual(['draft_basket'])
  expect(modesNeeding('phase')).toEqual(['price_prediction'])
  expect(modesNeeding('lists.open')).toEqual(['up_down'])
  for (const piece of ['lists.tickets', 'lists.mine', 'ticketId', 'contestId'] as const) expect(modesNeeding(piece)).toEqual(MODES)
  expect(modesNeeding('score')).toEqual([])
})
