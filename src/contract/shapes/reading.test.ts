import { describe, expect, test } from 'vitest'
import { MODES } from '../modes.ts'
import { hashOf, readingOf } from './reading.ts'
import { sandboxShapes } from './sandboxShapes.ts'
import { type Shapes, shapesSchema } from './shapes.ts'

const without = (...names: readonly string[]): Shapes => ({
  ...sandboxShapes,
  pieces: Object.fromEntries(Object.entries(sandboxShapes.pieces ?? {}).filter(([piece]) => !names.includes(piece))),
})
const withPieces = (pieces: Shapes['pieces'], of = sandboxShapes): Shapes => ({ ...of, pieces: { ...of.pieces, ...pieces } })
const lacks = (shapes: Shapes) => readingOf(shapes).unreadable
/** Each piece as a probe writes it that has proven it. */
const proven = (...butFound: readonly string[]): Shapes =>
  shapesSchema.parse({
    ...sandboxShapes,
    pieces: Object.fromEntries(
      Object.entries(sandboxShapes.pieces ?? {}).map(([piece, said]) => [
        piece,
        { ...(typeof said === 'string' ? { at: said } : said), by: `probe 2026-11-26 ${butFound.includes(piece) ? 'found' : 'proven'}` },
      ]),
    ),
  })

describe('what a mode needs', () => {
  test('the sandbox has, for every mode', () => {
    expect(lacks(sandboxShapes)).toEqual({})
  })

  test('of nothing, is lacking with its name', () => {
    expect(lacks({ version: 1 })).toMatchObject({
      pnl_usd: ['lists.tickets', 'lists.mine', 'ticketId', 'ticketState', 'ticketContest', 'contestId', 'contestState'],
      draft_basket: expect.arrayContaining(['turn', 'pool']),
      price_prediction: expect.arrayContaining(['entryId', 'token', 'commitBy or phase.commit', 'revealFrom or phase.reveal']),
      up_down: expect.arrayContaining(['lists.open', 'words.side']),
    })
    expect(Object.keys(lacks({ version: 1 }))).toEqual(MODES)
  })

  test.each([
    ['turn', ['draft_basket']],
    ['pool', ['draft_basket']],
    ['entryId', ['price_prediction']],
    ['token', ['price_prediction', 'same_token', 'last_bag_standing']],
    ['listedStake', ['up_down']],
    ['round', []],
    ['revealBy', []],
    ['stake', []],
  ])('%s is needed by %j alone', (piece, modes) => {
    const lacking = lacks(without(piece))
    expect(Object.keys(lacking).toSorted()).toEqual([...modes].toSorted())
    for (const names of Object.values(lacking)) expect(names).toEqual([piece])
  })

  test('is not there while it is still to be chosen', () => {
    expect(lacks(withPieces({ turn: { choose: ['state:a', 'state:b'] } }))).toEqual({ draft_basket: ['turn'] })
    expect(lacks(withPieces({ phase: { choose: ['state:a', 'state:b'] } }, without('commitBy', 'revealFrom')))).toEqual({
      price_prediction: ['commitBy or phase.commit', 'revealFrom or phase.reveal'],
    })
  })

  test('of a window is its time, or the phase in a known word or a flag', () => {
    const untimed = without('commitBy', 'revealFrom')
    expect(lacks(untimed)).toEqual({})
    expect(lacks({ ...untimed, words: { ...sandboxShapes.words, phase: { commit: ['commit'] } } })).toEqual({
      price_prediction: ['revealFrom or phase.reveal'],
    })
    const flags = withPieces({ phase: { flags: { reveal: 'state:canReveal' } } }, untimed)
    expect(lacks(flags)).toEqual({ price_prediction: ['commitBy or phase.commit'] })
    expect(lacks(withPieces({ commitBy: 'state:lockAt' }, flags))).toEqual({})
  })
})

describe('a hash', () => {
  test('is the same in whatever order the keys are, in whatever form a place is, and whoever found it', () => {
    const reversed = { ...sandboxShapes, pieces: Object.fromEntries(Object.entries(sandboxShapes.pieces ?? {}).toReversed()) }
    expect(hashOf(reversed)).toBe(hashOf(sandboxShapes))
    expect(hashOf(proven())).toBe(hashOf(sandboxShapes))
    expect(hashOf(withPieces({ round: { at: 'state:round' } }))).toBe(hashOf(sandboxShapes))
  })

  test('is another of what reads otherwise', () => {
    const others: readonly Shapes[] = [
      withPieces({ round: 'state:n' }),
      withPieces({ turn: { at: 'state:yourTurn', is: 'word' } }),
      without('round'),
      { ...sandboxShapes, own: { rows: 'entries', by: { userId: 'userId' } } },
      { ...sandboxShapes, lists: { ...sandboxShapes.lists, mine: 'items' } },
    ]
    const hashes = [sandboxShapes, ...others].map(hashOf)
    expect(new Set(hashes).size).toBe(hashes.length)
  })
})

describe('a trial', () => {
  test('is where what a mode needs is proven by nothing: by hand, or found', () => {
    expect(readingOf(sandboxShapes).onTrial).toEqual(MODES)
    expect(readingOf(proven()).onTrial).toEqual([])
    expect(readingOf(proven('turn')).onTrial).toEqual(['draft_basket'])
    expect(readingOf(proven('round', 'stake')).onTrial).toEqual([])
    expect(readingOf(sandboxShapes, { isProven: true }).onTrial).toEqual([])
  })

  test('is none where one of two that do alike is proven', () => {
    expect(readingOf(proven('phase')).onTrial).toEqual([])
    expect(readingOf(proven('commitBy')).onTrial).toEqual([])
    expect(readingOf(proven('phase', 'commitBy')).onTrial).toEqual(['price_prediction'])
  })

  test('is none of a mode that cannot be played at all', () => {
    const shapes = withPieces({ turn: { choose: ['state:a', 'state:b'] } }, proven('pool'))
    expect(readingOf(shapes).onTrial).toEqual([])
  })
})
