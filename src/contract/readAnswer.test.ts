import { describe, expect, test } from 'vitest'
import { PROCEDURE_NAMES, procedures, type ReadName } from './procedures.ts'
import { readAnswer } from './readAnswer.ts'

const ID = '0198b5a0-7c1e-7a2b-8c3d-4e5f60718293'
const LIMITS = { maxStake: '1', dailyLossCap: '1', lostToday: '0', inPlay: '0', remaining: '1' }

function lackedBy(name: ReadName, about: Parameters<typeof readAnswer>[1]): string | undefined {
  const read = readAnswer(name, about)
  return read.ok ? undefined : read.lacks
}

interface Row {
  readonly input: unknown
  readonly json: unknown
  /** Fields that the answer must hold, and the name of each in the error. */
  readonly holds: Readonly<Record<string, string>>
}

/** Each read with the least that answers it. A read without a row holds nothing that the bot needs. */
const ROWS: Partial<Record<ReadName, Row>> = {
  'agent.me': { input: null, json: { agent: {}, bankroll: { available: '1' } }, holds: { agent: 'agent', bankroll: 'bankroll' } },
  'agent.bankroll': { input: null, json: { available: '1' }, holds: { available: 'available' } },
  'agent.limits': { input: null, json: LIMITS, holds: Object.fromEntries(Object.keys(LIMITS).map((field) => [field, field])) },
  'agent.history': { input: {}, json: { items: [] }, holds: { items: 'items' } },
  'agent.leaderboard': { input: {}, json: { items: [] }, holds: { items: 'items' } },
  'agent.events': { input: { after: null }, json: { events: [], cursor: null }, holds: { events: 'events', cursor: 'cursor' } },
  'agent.queue.get': { input: { ticketId: ID }, json: { ticketId: ID }, holds: { ticketId: 'ticketId' } },
  'agent.queue.list': { input: null, json: { items: [{ ticketId: ID }] }, holds: { items: 'items' } },
  'agent.contests.list': { input: {}, json: { items: [{ contestId: ID }] }, holds: { items: 'items' } },
  'agent.contests.get': { input: { contestId: ID }, json: { contestId: ID }, holds: { contestId: 'contestId' } },
  'agent.contests.mine': { input: null, json: { items: [{ contestId: ID }] }, holds: { items: 'items' } },
}
/** Reads of which nothing is needed, or whose fields stand where a mapping says. */
const HOLD_NOTHING: readonly ReadName[] = [
  ...(['agent.profile', 'agent.rank', 'agent.stats', 'agent.contests.counts', 'agent.modes.state', 'agent.tx.status'] as const),
]

test('every read has a row, or holds nothing; what an action made is looked up whatever it answers', () => {
  const reads = PROCEDURE_NAMES.filter((name) => procedures[name].kind === 'read')
  expect([...Object.keys(ROWS), ...HOLD_NOTHING].toSorted()).toEqual(reads.toSorted())
})

const rows = Object.entries(ROWS) as [ReadName, Row][]
const cases = rows.flatMap(([name, { input, json, holds }]) =>
  Object.entries(holds).map(([field, named]) => ({ name, input, json: json as Record<string, unknown>, field, named })),
)

describe.each(cases)('$name without $field', ({ name, input, json, field, named }) => {
  const { [field]: value, ...rest } = json
  test('is whole with it', () => {
    expect(lackedBy(name, { input, json })).toBeUndefined()
  })
  test.each([
    ['left out', rest],
    ['under another key', { ...rest, [`${field}_v2`]: value }],
    ['of another type', { ...rest, [field]: 5 }],
    ['in an object around it', { ...rest, data: { [field]: value } }],
  ])('%s', (_how, odd) => {
    expect(lackedBy(name, { input, json: odd })).toBe(named)
  })
  test.each([
    ['null', null],
    ['a text', 'nothing'],
    ['a number', 0],
  ] as const)('an answer that is %s', (_what, odd) => {
    expect(lackedBy(name, { input, json: odd })).toBe('json')
  })
})

describe.each(['agent.queue.list', 'agent.contests.list', 'agent.contests.mine'] as const)('%s', (name) => {
  const id = name === 'agent.queue.list' ? 'ticketId' : 'contestId'
  const input = name === 'agent.contests.list' ? {} : null
  test.each([
    ['bare', (items: unknown[]) => items],
    ['in a page', (items: unknown[]) => ({ items })],
  ])('needs an id in a row, %s; a mapping finds it itself, and an empty list lacks none', (_form, listOf) => {
    expect(lackedBy(name, { input, json: listOf([{ key: ID }, { key: ID }]) })).toBe(`items[].${id}`)
    expect(lackedBy(name, { input, json: listOf([{ key: ID }]), isMapped: true })).toBeUndefined()
    expect(lackedBy(name, { input, json: listOf([{ key: ID }, { id: ID }]) })).toBeUndefined()
    expect(lackedBy(name, { input, json: listOf([]) })).toBeUndefined()
  })
})

test('the newest cursor comes without events', () => {
  expect(lackedBy('agent.events', { input: { latest: true }, json: { cursor: ID } })).toBeUndefined()
  expect(lackedBy('agent.events', { input: { latest: true }, json: {} })).toBe('cursor')
})
