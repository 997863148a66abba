import { describe, expect, test } from 'vitest'
import { type AnyMachine, moveOf, movesMade, movesOf, type Sample } from '../../../test/support/lifecycles/machines.ts'
import { type OverdueHappening, type OverdueSeen, type OverdueState, openSeat, overdueMachine, waitingTicket } from './overdueMachine.ts'

const NOW = 1_000_000
const END = { status: 'settled' }
const see = (caughtUp = true): OverdueSeen => ({ now: NOW, caughtUp })
const seat = (is: OverdueState['is'], dueAt: number | undefined = NOW + 5): OverdueState => ({ is, purpose: 'overdueSeat:c', dueAt })
const ticket = (is: OverdueState['is'], dueAt: number | undefined = NOW + 5): OverdueState => ({ is, purpose: 'overdueTicket:t', dueAt })
const HAPPENINGS: readonly OverdueHappening[] = [
  ...([{ type: 'due' }, { type: 'asked' }, { type: 'unread', at: NOW + 9 }, { type: 'changed', endsAt: undefined }] as const),
  ...([{ type: 'looked', end: END }, { type: 'looked', end: undefined }, { type: 'told' }] as const),
]
type Sampled = Sample<OverdueState, OverdueHappening, OverdueSeen>
const SAMPLES = [seat, ticket].flatMap((thing) =>
  (['expected', 'doubted'] as const).flatMap((is) =>
    HAPPENINGS.flatMap((happening) => [true, false].map((caughtUp): Sampled => [Object.freeze(thing(is)), happening, see(caughtUp)])),
  ),
)
const move = (state: OverdueState, happening: OverdueHappening, seen = see()) => moveOf(overdueMachine, [state, happening, seen])
const dueAfter = (state: OverdueState, happening: OverdueHappening, seen = see()) => move(state, happening, seen).state?.dueAt

describe('the machine of what may be overdue', () => {
  test('reaches every state that its table lists, and no other', () => {
    expect([...movesMade(overdueMachine, SAMPLES)].sort()).toEqual([...movesOf(overdueMachine as unknown as AnyMachine)].sort())
  })

  test('ends what two looks show to be over, with the stream read, and nothing before', () => {
    const first = move(seat('expected'), { type: 'looked', end: END })
    expect(first).toMatchObject({ state: { is: 'doubted', dueAt: NOW + 10_000 }, effects: [] })
    expect(move(seat('doubted'), { type: 'looked', end: END })).toEqual({ state: undefined, effects: [{ type: 'over', end: END }] })
    for (const is of ['expected', 'doubted'] as const)
      expect(move(seat(is), { type: 'looked', end: END }, see(false))).toMatchObject({ state: { is: 'expected' }, effects: [] })
    expect(move(seat('doubted'), { type: 'looked', end: undefined }).state?.is, 'the second look takes the first back').toBe('expected')
  })

  test('is looked at again: a ticket after five minutes, a seat after one, and one that begins or changes when it ends', () => {
    expect(dueAfter(ticket('expected'), { type: 'looked', end: undefined })).toBe(NOW + 300_000)
    expect(dueAfter(seat('expected'), { type: 'looked', end: undefined })).toBe(NOW + 60_000)
    expect(dueAfter(seat('expected'), { type: 'changed', endsAt: undefined })).toBe(NOW + 300_000)
    expect(dueAfter(seat('expected'), { type: 'changed', endsAt: NOW + 500 })).toBe(NOW + 60_500)
    expect(dueAfter(seat('expected'), { type: 'changed', endsAt: NOW - 500 })).toBe(NOW + 60_000)
    expect(dueAfter(seat('doubted'), { type: 'changed', endsAt: NOW + 500 })).toBe(NOW + 10_000)
  })

  test('is looked at at once where there is reason to, and no later than planned where a look has to wait', () => {
    expect(dueAfter(seat('expected'), { type: 'asked' })).toBe(NOW)
    expect(dueAfter(seat('expected', NOW - 1), { type: 'asked' })).toBe(NOW - 1)
    expect(dueAfter({ ...seat('expected'), dueAt: undefined }, { type: 'unread', at: NOW + 9 })).toBe(NOW + 9)
    expect(dueAfter(seat('expected'), { type: 'unread', at: NOW + 9 })).toBe(NOW + 5)
    expect(move(seat('doubted'), { type: 'due' })).toEqual({ state: { ...seat('doubted'), dueAt: undefined }, effects: [{ type: 'look' }] })
  })

  test('is due when its state says so', () => {
    expect(overdueMachine.dueAt(seat('doubted', NOW))).toEqual([{ task: 'overdueSeat:c', at: NOW }])
    expect(overdueMachine.dueAt(openSeat('c'))).toEqual([])
    expect(overdueMachine.dueAt(waitingTicket('t', NOW))).toEqual([{ task: 'overdueTicket:t', at: NOW + 300_000 }])
  })
})
