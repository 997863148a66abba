import { describe, expect, test } from 'vitest'
import type { ContestRow } from '../../watch/views.ts'
import { contestsShown, type Shown } from './contestOrder.ts'

const AT = Date.parse('2026-11-27T12:04:09.5Z')
const row = (contestId: string, fields: Partial<ContestRow> = {}): ContestRow => ({
  ...{ contestId, mode: 'up_down', strategy: 'ladder', stake: '2000000', token: undefined, side: undefined, phase: 'settled' },
  ...{ startsAt: AT, endsAt: AT + 60_000, settledAt: AT + 61_000, versus: 'AGENT', result: 'WIN', profit: '1900000' },
  ...fields,
})
const all: Shown = { mode: undefined, strategy: undefined, state: undefined, sort: 'when', isReversed: false }
const rows = [
  row('lost', { result: 'LOSS', profit: '-2000000', settledAt: AT + 3000, stake: '10000000' }),
  row('won', { settledAt: AT + 2000 }),
  row('live', { phase: 'live', result: undefined, profit: undefined, settledAt: undefined, mode: 'draft_basket', strategy: 'other' }),
]
const idsOf = (shown: Partial<Shown>) => contestsShown(rows, { ...all, ...shown }).map(({ contestId }) => contestId)

describe('the contests that are shown', () => {
  test('are those of a mode, a strategy, a state', () => {
    expect(idsOf({ mode: 'draft_basket' })).toEqual(['live'])
    expect(idsOf({ strategy: 'ladder' })).toEqual(['lost', 'won'])
    expect(idsOf({ state: 'WIN' })).toEqual(['won'])
    expect(idsOf({ state: 'live' })).toEqual(['live'])
  })

  test('come in the order of a figure, as amounts and not as text, and what has none comes last either way', () => {
    expect(idsOf({ sort: 'stake' })).toEqual(['lost', 'won', 'live'])
    expect(idsOf({ sort: 'profit' })).toEqual(['won', 'lost', 'live'])
    expect(idsOf({ sort: 'profit', isReversed: true })).toEqual(['lost', 'won', 'live'])
    expect(idsOf({ sort: 'when' })).toEqual(['lost', 'won', 'live'])
    expect(idsOf({ sort: 'contest' })).toEqual(['live', 'lost', 'won'])
  })
})
