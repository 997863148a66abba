import { describe, expect, test } from 'vitest'
import { DraftTurns } from './draftTurns.ts'

const [ALICE, BOB] = ['entry of alice', 'entry of bob']
/** With a clock of 3 s for a pick: the turn's time runs out 3 s after it began. */
const turnOf = (entryId: string, picked: number, beganAt: number) => ({
  phase: 'draft',
  turn: { entryId },
  pickBy: new Date(beganAt + 3000).toISOString(),
  picks: [{ tokens: Array.from({ length: picked }, () => 'a token') }],
})

describe('DraftTurns', () => {
  test('how long a seat took, from when each turn ran out', () => {
    const turns = new DraftTurns()
    for (const state of [turnOf(BOB, 0, 0), turnOf(BOB, 0, 0), turnOf(ALICE, 1, 900), turnOf(ALICE, 2, 1400), turnOf(BOB, 3, 1500)])
      turns.onState(state)
    expect(turns.pickMsOf(BOB)).toEqual([900])
    expect(turns.pickMsOf(ALICE)).toEqual([500, 100])
  })

  test('two turns of which the second was not seen took as long', () => {
    const turns = new DraftTurns()
    for (const state of [turnOf(ALICE, 0, 0), turnOf(BOB, 1, 200), turnOf(ALICE, 3, 1400)]) turns.onState(state)
    expect(turns.pickMsOf(BOB)).toEqual([600, 600])
  })

  test('a state that reads otherwise, and one after the draft, say nothing', () => {
    const turns = new DraftTurns()
    for (const state of [undefined, {}, { pickBy: 'soon' }, { ...turnOf(BOB, 0, 0), turn: null }]) turns.onState(state)
    expect(turns.pickMsOf(BOB)).toEqual([])
  })
})
