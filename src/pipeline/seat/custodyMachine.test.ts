import { describe, expect, test } from 'vitest'
import { type AnyMachine, moveOf, movesMade, movesOf, type Sample } from '../../../test/support/lifecycles/machines.ts'
import { keyedUuid } from '../../core/ids.ts'
import { type ContestEnd, type CustodyHappening, type CustodySeen, type CustodyState, custodyMachine } from './custodyMachine.ts'

const contestId = keyedUuid('contest')
const custody = { contestId, entryId: 'entry', price: '1', salt: 'salt', commitment: 'commitment' }
const held = (is: CustodyState['is'], changes: Partial<Omit<CustodyState, 'is'>> = {}): CustodyState => ({
  ...{ is, custody, trouble: undefined, end: undefined, revealAt: undefined, againAt: undefined, ...changes },
})
const NOW = 1_000_000
const see = (changes: Partial<Record<'isMoveOpen' | 'isFinalStateRead', boolean>> = {}): CustodySeen => ({
  now: NOW,
  isMoveOpen: () => changes.isMoveOpen ?? false,
  isFinalStateRead: () => changes.isFinalStateRead ?? false,
})
const ENDS: readonly (ContestEnd | undefined)[] = [undefined, 'won', 'settled', 'cancelled']
const TOLD: readonly CustodyHappening[] = [
  ...([
    { type: 'committed' },
    { type: 'revealed' },
    { type: 'revealFailed', why: 'no' },
    { type: 'ended', how: 'settled' },
    { type: 'heldBack' },
  ] as const),
]
const OF_REVEAL: readonly CustodyHappening[] = [{ type: 'timed', from: NOW + 500 }, { type: 'due' }, { type: 'revealing' }]
const tended = { type: 'tended' } as const
const move = (state: CustodyState, happening: CustodyHappening, seen = see()) => moveOf(custodyMachine, [state, happening, seen])

const SAMPLES = (['made', 'committed', 'revealed'] as const).flatMap((is): Sample<CustodyState, CustodyHappening, CustodySeen>[] => [
  ...TOLD.map((happening): Sample<CustodyState, CustodyHappening, CustodySeen> => [Object.freeze(held(is)), happening, see()]),
  ...ENDS.map((end): Sample<CustodyState, CustodyHappening, CustodySeen> => [Object.freeze(held(is, { end })), tended, see()]),
  ...(is === 'revealed' ? [] : OF_REVEAL).map(
    (happening): Sample<CustodyState, CustodyHappening, CustodySeen> => [held(is), happening, see()],
  ),
  ...(is === 'made' ? [[held(is), { type: 'dropped' }, see()] as const] : []),
])

/** What the journal is told of a prediction that is closed, in the order of `ENDS` without the first. */
const closedAs = (state: CustodyState, seen = see()) =>
  ENDS.slice(1).map((end) => {
    const { state: next, effects } = move({ ...state, end }, tended, seen)
    const told = effects.flatMap((effect) => (effect.type === 'kept' ? [effect.custody.status] : []))
    return next === undefined ? (told[0] ?? 'closed') : 'open'
  })

describe('the machine of a prediction', () => {
  test('reaches every state that its table lists, and no other', () => {
    expect([...movesMade(custodyMachine, SAMPLES)].sort()).toEqual([...movesOf(custodyMachine as unknown as AnyMachine)].sort())
  })

  test('keeps its salt through every move, and tells the journal of each', () => {
    for (const [state, happening, seen] of SAMPLES) {
      const { state: next, effects } = move(state, happening, seen)
      if (next !== undefined) expect(next.custody).toEqual(custody)
      const kept = effects.filter(({ type }) => type === 'kept')
      const isNew = next?.is !== state.is && !(next === undefined && state.is === 'revealed')
      expect(kept, `${state.is} ${happening.type}`).toHaveLength(isNew ? 1 : 0)
    }
  })

  test('is never un-revealed: neither by a late word of its commitment nor by a reveal that fails', () => {
    for (const happening of TOLD) expect(move(held('revealed'), happening).state?.is).toBe('revealed')
  })

  test('is lost where it was committed and not shown before its contest was settled, and said so with the reason', () => {
    expect(closedAs(held('made'))).toEqual(['dropped', 'dropped', 'dropped'])
    expect(closedAs(held('committed'))).toEqual(['revealed', 'missed', 'dropped'])
    expect(closedAs(held('revealed'))).toEqual(['closed', 'closed', 'closed'])
    expect(move(held('revealed', { end: 'won' }), tended).effects).toEqual([])
    const { effects } = move(held('committed', { end: 'settled', trouble: 'the service says no' }), tended)
    expect(effects).toMatchObject([
      { type: 'kept' },
      { type: 'note', level: 'error', message: expect.stringContaining('the service says no'), fields: { contestId } },
    ])
    expect(move(held('committed', { end: 'settled' }), tended).effects[1]).toMatchObject({
      message: expect.stringContaining('no reveal could be tried'),
    })
  })

  test('waits for what its moves come to, and, where a reveal was tried, for the final state', () => {
    expect(closedAs(held('committed'), see({ isMoveOpen: true }))).toEqual(['open', 'open', 'open'])
    expect(closedAs(held('revealed'), see({ isMoveOpen: true }))).toEqual(['open', 'open', 'open'])
    expect(closedAs(held('committed', { trouble: 'no' }), see({ isFinalStateRead: true }))).toEqual(['open', 'open', 'open'])
    expect(closedAs(held('committed'), see({ isFinalStateRead: true })), 'none was tried').toEqual(['revealed', 'missed', 'dropped'])
  })

  test('is due a little after the service takes it, not before another try may be made, and once', () => {
    const dueAfter = (state: CustodyState, happening: CustodyHappening) => {
      const { state: next } = move(state, happening)
      return next === undefined ? undefined : custodyMachine.dueAt(next)
    }
    const task = `reveal:${contestId}`
    const timed = { type: 'timed', from: NOW } as const
    expect(dueAfter(held('committed'), timed)).toEqual([{ task, at: NOW + 50 }])
    expect(dueAfter(held('committed', { againAt: NOW + 400 }), timed)).toEqual([{ task, at: NOW + 400 }])
    expect(dueAfter(held('committed', { revealAt: NOW + 9 }), { type: 'timed', from: undefined })).toEqual([])
    const planned = held('committed', { revealAt: NOW + 50 })
    expect(move(planned, timed).state, 'the same time is no change').toBe(planned)
    expect(move(held('committed', { revealAt: NOW }), { type: 'due' })).toEqual({
      state: held('committed'),
      effects: [{ type: 'reveal', contestId }],
    })
    expect(move(held('committed'), { type: 'heldBack' }).state).toMatchObject({ againAt: NOW + 500 })
    expect(move(held('committed', { againAt: NOW }), { type: 'revealing' }).state).toMatchObject({ againAt: undefined })
    for (const ending of [{ type: 'revealed' }, { type: 'ended', how: 'won' }] as const)
      expect(dueAfter(held('committed', { revealAt: NOW + 9 }), ending)).toEqual([])
  })
})
