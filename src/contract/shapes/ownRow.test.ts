import { expect, test } from 'vitest'
import { compileOwn, type OwnIds } from './ownRow.ts'
import type { Shapes } from './shapes.ts'

const ids: OwnIds = { agentId: 'a1', userId: 'u1', handle: 'ann', entryId: 'e1' }
const rows = [
  { user: 'u2', seat: 1, entry: 'e2', isYou: false },
  { user: 'u1', seat: 0, entry: 'e1', isYou: true },
]
const ownOf = (own: Shapes['own'], record: unknown) => compileOwn(own).own({ record }, ids)
const ownRowOf = (own: Shapes['own'], list: unknown, record: unknown = {}) => compileOwn(own).ownRow(list, ids, { record })

test('the own object is where it is said to be', () => {
  expect(ownOf({ at: 'you' }, { you: rows[1] })).toBe(rows[1])
  expect(ownOf({ at: 'you' }, { players: rows })).toBeUndefined()
  expect(ownOf(undefined, { you: rows[1] })).toBeUndefined()
})

test('where there is no such object, it is the row that has one of our names', () => {
  const own = { at: 'you', rows: 'players', by: { user: 'userId' } } as const
  expect(ownOf(own, { you: null, players: rows })).toBe(rows[1])
  expect(ownOf(own, { you: rows[0], players: rows })).toBe(rows[0])
})

test.each([
  ['an id', { user: 'userId' }],
  ['the entry', { entry: 'entryId' }],
  ['a mark', { isYou: true }],
] as const)('a row is ours by %s', (_what, by) => {
  expect(ownRowOf({ rows: '', by }, rows)).toBe(rows[1])
})

test('of several that have our name, or of none, no row is ours', () => {
  expect(ownRowOf({ rows: '', by: { user: 'userId' } }, [rows[1], rows[1]])).toBeUndefined()
  expect(ownRowOf({ rows: '', by: { user: 'userId' } }, [rows[0]])).toBeUndefined()
  expect(compileOwn({ rows: '', by: { user: 'userId' } }).ownRow([{ user: undefined }], {}, { record: {} })).toBeUndefined()
})

test('the rows may be a map with our name for a key', () => {
  expect(ownRowOf({ rows: '', by: { $key: 'handle' } }, { bob: 1, ann: 2 })).toBe(2)
})

test('a seat that the record names is ours: by its number, else by its place', () => {
  expect(ownOf({ rows: 'players', seat: 'seat' }, { seat: 0, players: rows })).toBe(rows[1])
  expect(ownOf({ rows: 'players', seat: 'yourSeat' }, { yourSeat: 0, players: rows })).toBe(rows[0])
  expect(ownOf({ rows: 'players', seat: 'yourSeat' }, { players: rows })).toBeUndefined()
})

test('and so in any list of the record', () => {
  const own = { rows: 'players', seat: 'yourSeat' }
  expect(ownRowOf(own, ['p', 'q'], { yourSeat: 1 })).toBe('q')
  expect(ownRowOf(own, ['p', 'q'])).toBeUndefined()
})
