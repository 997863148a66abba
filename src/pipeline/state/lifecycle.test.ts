import { beforeEach, describe, expect, test } from 'vitest'
import { Deadlines } from '../deadlines.ts'
import { StepDraft } from '../stepDraft.ts'
import { type Deadline, Lifecycle, type Machine } from './lifecycle.ts'
import type { Present } from './present.ts'

// A lamp: it is lit for a while, and burns out.

type Lamp = { readonly is: 'dark' } | { readonly is: 'lit'; readonly offAt: number | undefined; readonly checkAt: number }
type Happening =
  | { readonly type: 'lit'; readonly offAt: number }
  | { readonly type: 'due' }
  | { readonly type: 'struck' }
  | { readonly type: 'wedged' }
type Effect = { readonly type: 'shine' } | { readonly type: 'tell'; readonly happening: Happening } | { readonly type: 'dim' }

const CHECK_AT = 50
const lamp: Machine<Lamp, Happening, Effect, { readonly isOn: boolean }> = {
  name: 'lamp',
  on: {
    dark: {
      lit: {
        to: ['lit'],
        next: (_, { offAt }, { isOn }) => ({
          state: isOn ? { is: 'lit', offAt, checkAt: CHECK_AT } : { is: 'dark' },
          effects: [{ type: 'shine' }, { type: 'tell', happening: { type: 'lit', offAt: offAt + 5 } }, { type: 'dim' }],
        }),
      },
      // Its table leaves out that it ends.
      struck: { to: ['dark'], next: () => ({ state: undefined, effects: [{ type: 'dim' }] }) },
    },
    lit: {
      lit: { to: ['lit'], next: (state, { offAt }) => ({ state: { ...state, offAt }, effects: [] }) },
      wedged: { to: ['lit'], next: (state) => ({ state: { ...state, offAt: undefined }, effects: [] }) },
      struck: { to: ['lit'], next: (state) => ({ state, effects: [{ type: 'dim' }] }) },
      due: { to: ['gone'], next: () => ({ state: undefined, effects: [{ type: 'dim' }] }) },
    },
  },
  dueAt: (state): readonly Deadline[] =>
    state.is === 'dark'
      ? []
      : [...(state.offAt === undefined ? [] : [{ task: 'swap:a' as const, at: state.offAt }]), { task: 'swapBuild:a', at: state.checkAt }],
}

describe('the driver of a machine', () => {
  const seen = { isOn: true }
  let done: unknown[]
  let shown: unknown[]
  let present: Pick<Present, 'deadlines' | 'step' | 'lifecycleBreaks'>
  let lamps: Lifecycle<Lamp, Happening, Effect, { readonly isOn: boolean }>

  beforeEach(() => {
    seen.isOn = true
    done = []
    shown = []
    present = { deadlines: new Deadlines(), step: new StepDraft({ type: 'timer', n: 1, at: 0 }), lifecycleBreaks: 0 }
    lamps = new Lifecycle(lamp, {
      ...{ present, seen },
      show: (id, state) => void shown.push([id, state?.is, present.deadlines.next()]),
      perform: (effect, state, id) => {
        done.push([effect.type, state.is, id, lamps.states.get(id)?.is])
        if (effect.type === 'tell') lamps.tell(id, effect.happening)
      },
    })
    lamps.begin('a', { is: 'dark' })
  })

  test('has effects carried out in order, once the new state stands, and with the state that they came of', () => {
    lamps.tell('a', { type: 'lit', offAt: 100 })
    expect(done).toEqual([
      ['shine', 'dark', 'a', 'lit'],
      ['tell', 'dark', 'a', 'lit'],
      ['dim', 'dark', 'a', 'lit'],
    ])
    // What an effect has led to stands.
    expect(lamps.states.get('a')).toEqual({ is: 'lit', offAt: 105, checkAt: CHECK_AT })
  })

  test('keeps the deadlines in step: a time that moves is moved, one that stays keeps its place, and the end takes all of them away', () => {
    lamps.tell('a', { type: 'lit', offAt: 45 })
    present.deadlines.set('limits', CHECK_AT)
    expect(present.deadlines.next()).toBe(50)
    lamps.tell('a', { type: 'lit', offAt: 70 })
    expect(present.deadlines.takeDue(CHECK_AT), 'first planned, first due').toEqual(['swapBuild:a', 'limits'])
    expect(present.deadlines.next()).toBe(70)
    lamps.tell('a', { type: 'lit', offAt: 80 })
    expect(present.deadlines.takeDue(79), 'what fell due is not planned anew by a state that still has its time').toEqual([])
    lamps.tell('a', { type: 'due' })
    expect(lamps.states.size).toBe(0)
    expect(present.deadlines.next()).toBeUndefined()
  })

  test('drops a time that the next state does not have, and no other', () => {
    lamps.tell('a', { type: 'lit', offAt: 45 })
    lamps.tell('a', { type: 'wedged' })
    expect(present.deadlines.takeDue(1000)).toEqual(['swapBuild:a'])
  })

  test('shows each state that is another one, with its deadlines planned, and its end', () => {
    lamps.tell('a', { type: 'lit', offAt: 45 })
    shown = []
    lamps.tell('a', { type: 'struck' })
    expect(shown, 'it is the same').toEqual([])
    expect(done.at(-1)).toEqual(['dim', 'lit', 'a', 'lit'])
    lamps.tell('a', { type: 'lit', offAt: 40 })
    lamps.tell('a', { type: 'due' })
    expect(shown).toEqual([
      ['a', 'lit', 40],
      ['a', undefined, undefined],
    ])
  })

  test('plans the deadlines of a first state', () => {
    lamps.begin('b', { is: 'lit', offAt: 10, checkAt: 20 }, [{ type: 'shine' }])
    expect(present.deadlines.next()).toBe(10)
    expect(done).toEqual([['shine', 'lit', 'b', 'lit']])
  })

  test.each<[string, Happening, boolean, string]>([
    ['a happening that the table does not have', { type: 'due' }, true, 'lamp: due cannot happen to what is dark: it'],
    ['a state that the table does not have there', { type: 'lit', offAt: 9 }, false, 'what is dark and make it dark: it'],
    ['an end that the table does not have there', { type: 'struck' }, true, 'what is dark and make it gone: it'],
  ])('%s is told, counted and ignored', (_, happening, isOn, says) => {
    seen.isOn = isOn
    lamps.tell('a', happening)
    expect(lamps.states.get('a')).toEqual({ is: 'dark' })
    expect(done).toEqual([])
    expect(present.lifecycleBreaks).toBe(1)
    expect(present.deadlines.next()).toBeUndefined()
    expect(present.step.notes).toMatchObject([
      {
        level: 'error',
        message: expect.stringContaining(says),
        fields: { code: 'LIFECYCLE_BROKEN', lifecycle: 'lamp', id: 'a', state: 'dark', happening: happening.type },
      },
    ])
  })

  test('what comes for one that is over, or was never there, finds nobody', () => {
    lamps.tell('z', { type: 'due' })
    expect([present.lifecycleBreaks, done]).toEqual([0, []])
  })
})
