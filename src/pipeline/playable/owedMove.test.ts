import { expect, test } from 'vitest'
import { freshMove, missed, type OwedMove, type Pause } from './owedMove.ts'

// A move could be made from 0 to 60 s.

const SPAN: Pause = { from: 0, until: 60_000 }
const pause = (fromSec: number, untilSec: number): Pause => ({ from: fromSec * 1000, until: untilSec * 1000 })
const move = (facts: Partial<OwedMove> = {}): OwedMove => ({ ...freshMove(), ...facts })
const wants = (atSec: number, isMove = true): Partial<OwedMove> => ({ askedAt: 0, answer: { at: atSec * 1000, isMove } })
const met = (hindrance: NonNullable<OwedMove['obstacle']>['hindrance'], atSec: number): Partial<OwedMove> => ({
  obstacle: { at: atSec * 1000, hindrance, words: 'its words' },
})

test.each<readonly [string, OwedMove, readonly Pause[], string]>([
  ['nothing on record', move(), [], 'unasked'],
  ['asked, and nothing said', move({ askedAt: 0 }), [], 'abstained'],
  ['asked, and an answer owed', move({ askedAt: 0, awaitsAnswer: true }), [], 'failed'],
  ['answered with nothing', move(wants(1, false)), [], 'abstained'],
  ['a move wanted, and nothing heard', move(wants(1)), [], 'unanswered'],
  ['an obstacle after the answer', move({ ...wants(1), ...met('swap:dex', 2) }), [], 'swap:dex'],
  ['an obstacle before anything', move(met('guard:PRICE_STALE', 2)), [], 'guard:PRICE_STALE'],

  ['never asked, paused meanwhile', move(), [pause(10, 26)], 'paused'],
  ['never asked, paused before', move(), [pause(-20, -4)], 'unasked'],
  ['never asked, paused after', move(), [pause(61, 77)], 'unasked'],
  ['a move wanted before the pause, and nothing heard', move(wants(1)), [pause(2, 18)], 'paused'],
  ['refused before the pause', move({ ...wants(1), ...met('refused:TAKEN', 2) }), [pause(3, 59)], 'refused:TAKEN'],
  ['refused after the pause', move({ ...wants(27), ...met('refused:COMMIT_CLOSED', 28) }), [pause(10, 26)], 'paused'],
  ['kept back for old prices after it', move({ ...wants(27), ...met('guard:PRICE_STALE', 28) }), [pause(10, 26)], 'paused'],
  ['kept back by a cap after it', move({ ...wants(27), ...met('guard:SWAPS_IN_MINUTE', 28) }), [pause(10, 26)], 'guard:SWAPS_IN_MINUTE'],
  ['kept back by a cap with too little time left', move({ ...wants(57), ...met('guard:SWAPS_IN_MINUTE', 58) }), [pause(10, 56)], 'paused'],
  ['nothing wanted, with time enough after it', move(wants(27, false)), [pause(10, 26)], 'abstained'],
  ['nothing wanted before it', move(wants(1, false)), [pause(2, 18)], 'abstained'],
  ['nothing wanted, with too little time left', move(wants(57, false)), [pause(10, 56)], 'paused'],
])('%s', (_what, facts, pauses, hindrance) => {
  expect(missed(facts, SPAN, pauses, () => 'unasked').hindrance).toBe(hindrance)
})

test('gives the words of who gave the reason, when the move was due and asked for, and the pause', () => {
  const facts = move({ dueAt: 500, askedAt: 600, ...met('refused:TAKEN', 2) })
  expect(missed(facts, SPAN, [], () => 'unasked')).toEqual({
    ...{ hindrance: 'refused:TAKEN', words: 'its words', dueAt: 500, askedAt: 600, pause: undefined },
  })
  expect(missed(move(), SPAN, [pause(10, 26)], () => 'unasked')).toMatchObject({ hindrance: 'paused', pause: pause(10, 26) })
})
