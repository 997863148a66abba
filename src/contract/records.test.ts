import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { contestEntrySchema, contestSchema, historyItemSchema, modeStateSchema, ticketSchema } from './records.ts'

const ID = '0198b5a0-7c1e-7a2b-8c3d-4e5f60718293'
const OTHER = '6ba7b810-9dad-41d1-80b4-00c04fd430c8'
const AT = '2025-07-21T12:00:00.000Z'
const AT_MS = Date.UTC(2025, 6, 21, 12)

const TICKET = {
  ticketId: ID,
  status: 'queued',
  mode: 'up_down',
  stake: '1000000',
  durationSec: 15,
  opponents: 'ANY',
  chain: 'solana',
  createdAt: AT,
  expiresAt: AT,
  contestId: null,
}
const ENTRY = { entryId: ID, userId: null, kind: 'AGENT', side: 'UP', ready: true, score: null }
const CONTEST = {
  contestId: ID,
  mode: 'up_down',
  chain: 'solana',
  format: 'duel',
  status: 'live',
  stake: '1000000',
  durationSec: 15,
  capacity: 2,
  filled: 2,
  lane: 'MIXED',
  visibility: 'public',
  params: { token: 'x' },
  startsAt: AT,
  endsAt: null,
  entries: [ENTRY],
  you: ENTRY,
}
const HISTORY = { contestId: ID, mode: 'up_down', result: 'WIN', stake: '1', payout: '2', profit: '-1', versus: 'AGENT', settledAt: AT }
const STATE = { contestId: ID, mode: 'price_prediction' }

const RECORDS: readonly (readonly [string, z.ZodType, Record<string, unknown>])[] = [
  ['ticket', ticketSchema, TICKET],
  ['contest', contestSchema, CONTEST],
  ['entry', contestEntrySchema, ENTRY],
  ['history item', historyItemSchema, HISTORY],
  ['mode state', modeStateSchema, STATE],
]

describe('records whose fields are not shown', () => {
  test('have amounts as bigint and instants as Unix milliseconds', () => {
    expect(ticketSchema.parse(TICKET)).toEqual({ ...TICKET, stake: 1_000_000n, createdAt: AT_MS, expiresAt: AT_MS })
    expect(contestSchema.parse(CONTEST)).toEqual({ ...CONTEST, stake: 1_000_000n, startsAt: AT_MS })
    expect(historyItemSchema.parse(HISTORY)).toEqual({ ...HISTORY, stake: 1n, payout: 2n, profit: -1n, settledAt: AT_MS })
  })

  test.each(RECORDS)('a %s may have nothing we know, and keeps what we do not', (_name, schema, record) => {
    expect(schema.parse({})).toEqual({})
    expect(schema.parse({ ...record, surprise: { deep: [1] } })).toMatchObject({ surprise: { deep: [1] } })
  })

  test.each(RECORDS)('an odd field of a %s becomes undefined and hides no other', (_name, schema, record) => {
    const whole = schema.parse(record) as Record<string, unknown>
    for (const field of Object.keys(record)) {
      for (const odd of [Symbol('odd'), [[]], { odd: 1 }]) {
        // What params holds is not shown at all: any record is one.
        if (field === 'params' && !Array.isArray(odd) && typeof odd === 'object') continue
        const { [field]: shown, ...rest } = schema.parse({ ...record, [field]: odd }) as Record<string, unknown>
        // An object where an entry stands is an entry that says nothing.
        expect(shown, field).toEqual(field === 'you' && !Array.isArray(odd) && typeof odd === 'object' ? { odd: 1 } : undefined)
        expect(rest).toEqual(Object.fromEntries(Object.entries(whole).filter(([key]) => key !== field)))
      }
    }
  })

  test.each([null, 'text', 5, []])('%j is no record', (value) => {
    for (const [, schema] of RECORDS) expect(schema.safeParse(value).success).toBe(false)
  })

  test('an entry that is odd in one field is still an entry of its contest', () => {
    const { entries, you } = contestSchema.parse({
      entries: [
        { ...ENTRY, score: 5 },
        { entryId: OTHER, ready: 'yes' },
      ],
      you: { ...ENTRY, side: 7 },
    })
    expect(entries).toEqual([
      { ...ENTRY, score: undefined },
      { entryId: OTHER, ready: undefined },
    ])
    expect(you).toEqual({ ...ENTRY, side: undefined })
  })

  test('of a mode’s state all stays as the service sent it, for the paths to find', () => {
    const state = { ...STATE, phase: { name: 'commit' }, entryId: 'entry-7', turn: { entryId: 5 } }
    expect(modeStateSchema.parse(state)).toEqual(state)
  })
})
