import { describe, expect, test } from 'vitest'
import { type AnyMachine, moveOf, movesMade, movesOf, type Sample } from '../../../test/support/lifecycles/machines.ts'
import { keyedUuid } from '../../core/ids.ts'
import { type RejoinHappening, type RejoinSeen, type RejoinState, type Rematch, rejoinMachine } from './rejoinMachine.ts'

const NOW = 1_000_000
const FIRST = NOW - 20
const LAST = NOW - 10
const seen: RejoinSeen = Object.freeze({ now: NOW })
const matched = (durationSec: number): Rematch =>
  Object.freeze({ event: { id: keyedUuid('event', durationSec), type: 'match.found' } as Rematch['event'], durationSec })
const rematch = matched(60)
const later = matched(15)
const leaving = (match?: Rematch): RejoinState => Object.freeze({ is: 'leaving', rematch: match })
const heard: RejoinState = Object.freeze({ is: 'heard', first: FIRST, last: LAST })
const STATES = [leaving(), leaving(rematch), heard]

const hears = (match?: Rematch, isRecorded = false, at = NOW): RejoinHappening => ({
  ...{ type: 'heard', at, isRecorded, isOver: false, rematch: match },
})
const hearsOfOver = (isRecorded: boolean): RejoinHappening => ({ type: 'heard', at: LAST, isRecorded, isOver: true, rematch: undefined })
const lists = (begunAt: number, isSeated: boolean): RejoinHappening => ({ type: 'listed', begunAt, isSeated })
type Sampled = Sample<RejoinState, RejoinHappening, RejoinSeen>
const SAMPLES = STATES.flatMap((state): readonly Sampled[] => [
  ...[hears(), hears(later), hears(undefined, true), hearsOfOver(false)].map((happening): Sampled => [state, happening, seen]),
  ...(state.is === 'leaving' ? [{ type: 'left' } as const] : [lists(FIRST - 1, true), lists(FIRST, true), lists(LAST, false)]).map(
    (happening): Sampled => [state, happening, seen],
  ),
  ...([{ type: 'seated' }, { type: 'over' }] as const).map((happening): Sampled => [state, happening, seen]),
])
const move = (state: RejoinState, happening: RejoinHappening) => moveOf(rejoinMachine, [state, happening, seen])
const GONE = { state: undefined, effects: [] }
const stays = (state: RejoinState, happening: RejoinHappening, message: string) => {
  const { state: next, effects } = move(state, happening)
  expect(next, message).toBe(state)
  expect(effects, message).toEqual([])
}

describe('the machine of a seat that is the bot’s again', () => {
  test('reaches every state that its table lists, and no other', () => {
    expect([...movesMade(rejoinMachine, SAMPLES)].sort()).toEqual([...movesOf(rejoinMachine as unknown as AnyMachine)].sort())
  })

  test('remembers the first match into the contest that is being left, and nothing else that is heard of it', () => {
    const { state, effects } = move(leaving(), hears(rematch))
    expect({ state, effects }).toEqual({ state: { is: 'leaving', rematch }, effects: [] })
    expect(state?.is === 'leaving' && state.rematch).toBe(rematch)
    for (const isRecorded of [false, true]) {
      stays(leaving(), hears(undefined, isRecorded), 'no match')
      stays(leaving(rematch), hears(undefined, isRecorded), 'no match after one')
      stays(leaving(rematch), hears(later, isRecorded), 'another match')
    }
  })

  test('is read about before its leave has an outcome, where the seat is known to be over and the contest is heard of', () => {
    const state = { is: 'heard', first: LAST, last: LAST }
    expect(move(leaving(), hearsOfOver(false))).toEqual({ state, effects: [{ type: 'read' }] })
    expect(move(leaving(), hearsOfOver(true)), 'told by the journal').toEqual({ state, effects: [] })
  })

  test('is taken back at once where it was matched, and read about where that is not known', () => {
    expect(move(leaving(rematch), { type: 'left' })).toEqual({ state: undefined, effects: [{ type: 'takeBack', rematch }] })
    expect(move(leaving(), { type: 'left' })).toEqual({ state: { is: 'heard', first: NOW, last: NOW }, effects: [{ type: 'read' }] })
  })

  test('is read about whenever it is heard of, unless the journal tells it', () => {
    for (const at of [LAST, NOW])
      for (const match of [undefined, rematch]) {
        const state = { is: 'heard', first: FIRST, last: at }
        expect(move(heard, hears(match, false, at))).toEqual({ state, effects: [{ type: 'read' }] })
        expect(move(heard, hears(match, true, at)), 'by the journal').toEqual({ state, effects: [] })
      }
  })

  test('is no question any more where the seat is there, or its contest is over', () => {
    for (const state of STATES)
      for (const type of ['seated', 'over'] as const) expect(move(state, { type }), `${state.is} ${type}`).toEqual(GONE)
  })

  test.each<[string, number, 'stays' | 'is the bot’s' | 'is gone', 'stays' | 'is the bot’s' | 'is gone']>([
    ['from before it was heard of first', FIRST - 1, 'stays', 'stays'],
    ['from when it was heard of first', FIRST, 'is the bot’s', 'stays'],
    ['from before it was heard of last', LAST - 1, 'is the bot’s', 'stays'],
    ['from when it was heard of last', LAST, 'is the bot’s', 'is gone'],
    ['from after that', LAST + 1, 'is the bot’s', 'is gone'],
  ])('goes by a list %s as far as that can know', (_, begunAt, withSeat, withoutSeat) => {
    for (const [isSeated, expected] of [
      [true, withSeat],
      [false, withoutSeat],
    ] as const) {
      if (expected === 'stays') stays(heard, lists(begunAt, isSeated), `seated: ${isSeated}`)
      else {
        const effects = expected === 'is gone' ? [] : [{ type: 'takeBack', rematch: undefined }]
        expect(move(heard, lists(begunAt, isSeated)), `seated: ${isSeated}`).toEqual({ state: undefined, effects })
      }
    }
  })

  test('is never due', () => {
    for (const state of STATES) expect(rejoinMachine.dueAt(state)).toEqual([])
  })
})
