import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { contestsCsv } from '../src/dashboard/page/bot/contestsCsv.ts'
import type { ContestRow } from '../src/dashboard/watch/views.ts'

// Not beside its source: what reads CSV brings Node's types, which the page has none of.

const AT = Date.parse('2026-11-27T12:04:09.5Z')
const row = (contestId: string, fields: Partial<ContestRow> = {}): ContestRow => ({
  ...{ contestId, mode: 'up_down', strategy: 'ladder', stake: '2000000', token: undefined, side: undefined, phase: 'settled' },
  ...{ startsAt: AT, endsAt: AT + 60_000, settledAt: AT + 61_000, versus: 'AGENT', result: 'WIN', profit: '1900000' },
  ...fields,
})

describe('the contests as CSV', () => {
  test('have a header and a value a cell, in USDC and ISO times, whatever a service calls a thing', () => {
    const csv = contestsCsv([row('a', { side: 'UP, "maybe"', profit: '-1234567' }), row('b', { mode: undefined, versus: undefined })])
    const [first, second] = parse<Record<string, string>>(csv, { columns: true })
    expect(first).toEqual({
      ...{ contest_id: 'a', mode: 'up_down', strategy: 'ladder', state: 'settled', result: 'WIN', opponents: 'AGENT', token: '' },
      ...{ side: 'UP, "maybe"', token_mint: '', stake_usdc: '2.00', profit_usdc: '-1.234567', starts_at: '2026-11-27T12:04:09.500Z' },
      ...{ ends_at: '2026-11-27T12:05:09.500Z', settled_at: '2026-11-27T12:05:10.500Z' },
    })
    expect([second?.mode, second?.opponents]).toEqual(['', ''])
    expect(csv.endsWith('\r\n')).toBe(true)
  })
})
