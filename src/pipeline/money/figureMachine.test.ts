import { describe, expect, test } from 'vitest'
import { type AnyMachine, moveOf, movesMade, movesOf, type Sample } from '../../../test/support/lifecycles/machines.ts'
import { type FigureHappening, type FigureState, figureMachine } from './figureMachine.ts'

const AT = 1000
const named = { figure: 'bankroll', againAt: AT } as const
const asked = (before: 'unread' | 'known' | 'old'): FigureState => ({ is: 'asked', before, ...named })
const STATES: readonly FigureState[] = [
  { is: 'unread', ...named },
  asked('unread'),
  asked('known'),
  asked('old'),
  { is: 'known', ...named },
  { is: 'old', ...named },
]
const ANSWERED: FigureHappening = { type: 'answered', askedIn: 3, againAt: AT + 500, isWanted: false }
const UNREAD: FigureHappening = { type: 'unread', againAt: AT + 700 }
const ALWAYS: readonly FigureHappening[] = [{ type: 'wanted' }, { type: 'due' }, { type: 'moved' }, { type: 'caughtUp' }]
const SAMPLES = STATES.flatMap((state) =>
  [...ALWAYS, ...(state.is === 'asked' ? [ANSWERED, UNREAD] : [])].map(
    (happening): Sample<FigureState, FigureHappening, unknown> => [Object.freeze(state), happening, undefined],
  ),
)
const move = (state: FigureState, happening: FigureHappening) => moveOf(figureMachine, [state, happening, undefined])

describe('the machine of a figure', () => {
  test('reaches every state that its table lists, and no other', () => {
    expect([...movesMade(figureMachine, SAMPLES)].sort()).toEqual([...movesOf(figureMachine as unknown as AnyMachine)].sort())
  })

  test('is read where it is wanted or due, and where money has moved before the stream was read to its end', () => {
    for (const [state, happening] of SAMPLES) {
      const isOwed = state.is === 'old' || (state.is === 'asked' && state.before === 'old')
      const isRead = happening.type === 'wanted' || happening.type === 'due' || (happening.type === 'caughtUp' && isOwed)
      const effects = move(state, happening).effects.filter(({ type }) => type === 'read')
      expect(effects, `${state.is} ${happening.type}`).toHaveLength(isRead ? 1 : 0)
    }
  })

  test('stays owed until then, whatever is read or fails meanwhile', () => {
    let { state } = move({ is: 'known', ...named }, { type: 'moved' })
    for (const happening of [{ type: 'wanted' }, ANSWERED, { type: 'due' }, UNREAD, { type: 'moved' }, { type: 'due' }] as const)
      state = state && move(state, happening).state
    expect(state).toMatchObject({ is: 'asked', before: 'old' })
    const told = state && move(state, { type: 'caughtUp' })
    expect(told?.effects).toEqual([{ type: 'read' }])
    expect(told?.state && move(told.state, ANSWERED).state?.is).toBe('known')
  })

  test('is due once: then, or when its answer says, and no later than planned where it is wanted meanwhile or fails', () => {
    const dueAfter = (state: FigureState, happening: FigureHappening) => {
      const { state: next } = move(state, happening)
      return next === undefined ? [] : figureMachine.dueAt(next)
    }
    expect(dueAfter({ is: 'known', ...named }, { type: 'due' })).toEqual([])
    expect(dueAfter({ is: 'known', ...named }, { type: 'wanted' })).toEqual([{ task: 'bankroll', at: AT }])
    expect(dueAfter(asked('known'), ANSWERED)).toEqual([{ task: 'bankroll', at: AT + 500 }])
    expect(dueAfter(asked('known'), { ...ANSWERED, isWanted: true })).toEqual([{ task: 'bankroll', at: AT }])
    expect(dueAfter(asked('known'), UNREAD)).toEqual([{ task: 'bankroll', at: AT }])
    expect(dueAfter({ ...asked('known'), againAt: undefined }, UNREAD)).toEqual([{ task: 'bankroll', at: AT + 700 }])
  })

  test('stays owed, and as it was, where it is wanted while it is read', () => {
    for (const before of ['unread', 'known', 'old'] as const) expect(move(asked(before), { type: 'wanted' }).state).toEqual(asked(before))
  })

  test('says with its answer what it has seen', () => {
    expect(move(asked('old'), ANSWERED).effects).toEqual([{ type: 'seen', askedIn: 3 }])
  })
})
