import { describe, expect, test } from 'vitest'
import { type AnyMachine, moveOf, movesMade, movesOf, type Sample } from '../../../test/support/lifecycles/machines.ts'
import { type FinalReadHappening, type FinalReadState, finalReadMachine, owed } from './finalReadMachine.ts'

const NOW = 1_000_000
const PURPOSES = ['finalContest:c', 'finalState:c'] as const
const owing = (tries: number, dueAt?: number): FinalReadState => Object.freeze({ is: 'owed', purpose: 'finalState:c', tries, dueAt })
const due = { type: 'due' } as const
const unread = { type: 'unread', at: NOW } as const
const answered = (againAt?: number): FinalReadHappening => ({ type: 'answered', againAt })

type Sampled = Sample<FinalReadState, FinalReadHappening, undefined>
const SAMPLES = [1, 2, 3].flatMap((tries) =>
  [due, unread, answered(), answered(NOW)].map((happening): Sampled => [owing(tries), happening, undefined]),
)
const move = (state: FinalReadState, happening: FinalReadHappening) => moveOf(finalReadMachine, [state, happening, undefined])
const GONE = { state: undefined, effects: [] }

describe('the machine of a final read', () => {
  test('reaches every state that its table lists, and no other', () => {
    expect([...movesMade(finalReadMachine, SAMPLES)].sort()).toEqual([...movesOf(finalReadMachine as unknown as AnyMachine)].sort())
  })

  test('is under way for the first time as it begins', () => {
    for (const purpose of PURPOSES) expect(owed(purpose)).toEqual({ is: 'owed', purpose, tries: 1, dueAt: undefined })
  })

  test('is read as it is due, which is one try more', () => {
    for (const tries of [1, 2, 7]) expect(move(owing(tries, NOW), due)).toEqual({ state: owing(tries + 1), effects: [{ type: 'read' }] })
  })

  test.each([
    ['where nothing was planned', undefined, NOW],
    ['where that is sooner', NOW + 1, NOW],
    ['at the same time', NOW, NOW],
    ['no later than planned', NOW - 1, NOW - 1],
  ])('that is not sent yet is due when it may be, %s, and that is no try', (_, planned, at) => {
    expect(move(owing(2, planned), unread)).toEqual({ state: owing(2, at), effects: [] })
  })

  test('is over where the service has said all it will', () => {
    for (const tries of [1, 2, 3, 4]) expect(move(owing(tries), answered())).toEqual(GONE)
  })

  test('is tried three times at most', () => {
    for (const tries of [1, 2]) {
      expect(move(owing(tries), answered(NOW + 9))).toEqual({ state: owing(tries, NOW + 9), effects: [] })
      expect(move(owing(tries, NOW), answered(NOW + 9)), 'in place of what was planned').toEqual({
        state: owing(tries, NOW + 9),
        effects: [],
      })
      expect(move(owing(tries), answered(0))).toEqual({ state: owing(tries, 0), effects: [] })
    }
    for (const tries of [3, 4]) expect(move(owing(tries), answered(NOW + 9))).toEqual(GONE)
  })

  test('is due when its state says so', () => {
    for (const purpose of PURPOSES) {
      expect(finalReadMachine.dueAt({ ...owed(purpose), dueAt: NOW })).toEqual([{ task: purpose, at: NOW }])
      expect(finalReadMachine.dueAt({ ...owed(purpose), dueAt: 0 })).toEqual([{ task: purpose, at: 0 }])
      expect(finalReadMachine.dueAt(owed(purpose))).toEqual([])
    }
  })
})
