import { CornermanError, invariant } from '../../core/error.ts'
import type { TaskKey } from '../protocol/taskKey.ts'
import type { Present } from './present.ts'

/** A time at which an entity of a lifecycle wants to be told that it is due. */
export interface Deadline {
  readonly task: TaskKey
  /** Unix milliseconds. */
  readonly at: number
}

/** The answer to a happening: the next state, undefined at the end, and all that is to be done, in order. */
export interface Move<S, E> {
  readonly state: S | undefined
  readonly effects: readonly E[]
}

/** A pair of a state and a happening: how it is answered, and every state that may follow. */
export interface Transition<From, H, To extends { readonly is: string }, E, Seen> {
  readonly to: readonly (To['is'] | 'gone')[]
  next(state: From, happening: H, seen: Seen): Move<To, E>
}

/**
 * A lifecycle as a table of pure functions. They hold nothing and do nothing: the same state, happening and view give the same move. A pair
 * that cannot be is left out.
 *
 * `S` is the state of one entity, `H` a happening, `E` an effect, and `Seen` the present of the rest of the bot.
 */
export interface Machine<S extends { readonly is: string }, H extends { readonly type: string }, E, Seen> {
  readonly name: string
  readonly on: {
    readonly [K in S['is']]: {
      readonly [T in H['type']]?: Transition<Extract<S, { readonly is: K }>, Extract<H, { readonly type: T }>, S, E, Seen>
    }
  }
  /** All deadlines of a state. One that has fallen due is not in the state that follows, or is there for a later time. */
  dueAt(state: S): readonly Deadline[]
}

const NONE: readonly Deadline[] = []

/** The one deadline of a state; none where its time is not known. */
export const deadlineAt = (task: TaskKey, at: number | undefined): readonly Deadline[] => (at === undefined ? NONE : [{ task, at }])

/** A time that was planned, if it was, or an earlier one. Unix milliseconds. */
export const sooner = (planned: number | undefined, at: number): number => (planned === undefined ? at : Math.min(planned, at))

/** A move after these effects. */
export const after = <S, E>(effects: readonly E[], move: Move<S, E>): Move<S, E> => ({ ...move, effects: [...effects, ...move.effects] })

export interface LifecycleOptions<S, E, Seen> {
  readonly present: Pick<Present, 'deadlines' | 'step'> & { lifecycleBreaks: number }
  readonly seen: Seen
  /** Shows a new state to whoever reads it, before anything is made of it; undefined: the entity is over. */
  readonly show?: (id: string, state: S | undefined) => void
  /** Carries one effect out. `state` is the one that it came of. */
  readonly perform: (effect: E, state: S, id: string) => void
}

/**
 * The driver of a machine, and the only writer of its entities: it checks each move against the table, keeps the bot's deadlines
 * in step with those of the states, and has the effects carried out once the new state stands.
 */
export class Lifecycle<S extends { readonly is: string }, H extends { readonly type: string }, E, Seen> {
  readonly #machine: Machine<S, H, E, Seen>
  readonly #options: LifecycleOptions<S, E, Seen>
  readonly #states = new Map<string, S>()

  constructor(machine: Machine<S, H, E, Seen>, options: LifecycleOptions<S, E, Seen>) {
    this.#machine = machine
    this.#options = options
  }

  /** The entities that are under way, by id. */
  get states(): ReadonlyMap<string, S> {
    return this.#states
  }

  /** Lets an entity in, with what its first state leads to. */
  begin(id: string, state: S, effects: readonly E[] = []): void {
    invariant(!this.#states.has(id), 'an entity of a lifecycle begins once', { id })
    this.#enter(id, undefined, { state, effects })
  }

  /** Tells an entity what happened to it. Whatever comes for one that is over, or was never there, finds nobody. */
  tell(id: string, happening: H): void {
    const state = this.#states.get(id)
    if (state === undefined) return
    const transition = this.#transitionOf(state, happening)
    if (transition === undefined) {
      this.#sayBroken(id, state, { happening, to: '' })
      return
    }
    const move = transition.next(state, happening, this.#options.seen)
    const to = move.state?.is ?? 'gone'
    if (transition.to.includes(to)) this.#enter(id, state, move)
    else this.#sayBroken(id, state, { happening, to: ` and make it ${to}` })
  }

  #transitionOf(state: S, happening: H): Transition<S, H, S, E, Seen> | undefined {
    // A journal of a later version may have a state that is not known here.
    const ofState: Readonly<Record<string, unknown>> | undefined = this.#machine.on[state.is as S['is']]
    return ofState?.[happening.type] as Transition<S, H, S, E, Seen> | undefined
  }

  #enter(id: string, before: S | undefined, { state, effects }: Move<S, E>): void {
    if (state === undefined) this.#states.delete(id)
    else this.#states.set(id, state)
    if (state !== before) {
      this.#plan(before, state)
      this.#options.show?.(id, state)
    }
    const from = before ?? state
    if (from !== undefined) for (const effect of effects) this.#options.perform(effect, from, id)
  }

  /** Mirrors the deadlines of the new state into those of the bot: those that are others. One that has fallen due, and was not told yet, is not planned again. */
  #plan(before: S | undefined, state: S | undefined): void {
    const { deadlines } = this.#options.present
    const old = before === undefined ? NONE : this.#machine.dueAt(before)
    const planned = state === undefined ? NONE : this.#machine.dueAt(state)
    // Of most moves neither state has one.
    if (old.length === 0 && planned.length === 0) return
    for (const { task } of old) if (!planned.some((deadline) => deadline.task === task)) deadlines.drop(task)
    for (const { task, at } of planned) if (!old.some((deadline) => deadline.task === task && deadline.at === at)) deadlines.set(task, at)
  }

  /** The entity stays as it is, and so does the money it holds: the bot plays on without it. */
  #sayBroken(id: string, state: S, { happening, to }: { readonly happening: H; readonly to: string }): void {
    const { present } = this.#options
    const { name: lifecycle } = this.#machine
    const { code, message } = new CornermanError(
      'LIFECYCLE_BROKEN',
      `${lifecycle}: ${happening.type} cannot happen to what is ${state.is}${to}: it stays as it is. Please report it`,
    )
    present.lifecycleBreaks += 1
    present.step.note('error', message, { code, lifecycle, id, state: state.is, happening: happening.type })
  }
}
