import type { TaskKeyOf } from '../protocol/taskKey.ts'
import { deadlineAt, type Machine, type Move, sooner } from '../state/lifecycle.ts'

/** A read that nothing depends on is not tried more often. */
const TRIES = 3

/** A read of what a contest that was settled has come to, by its purpose. */
export type FinalRead = TaskKeyOf<'finalReads'>

/** It is owed. */
export interface FinalReadState {
  readonly is: 'owed'
  readonly purpose: FinalRead
  readonly tries: number
  /** When it is tried again; undefined while it is under way. Unix milliseconds. */
  readonly dueAt: number | undefined
}

export type FinalReadHappening =
  | { readonly type: 'due' }
  /** It is not sent yet. */
  | { readonly type: 'unread'; readonly at: number }
  /** It was answered, or its answer is lost. `againAt`: when it may be tried again; undefined where the service has said all it will. */
  | { readonly type: 'answered'; readonly againAt: number | undefined }

export interface FinalReadEffect {
  readonly type: 'read'
}

type FinalReadMove = Move<FinalReadState, FinalReadEffect>
type Told<T extends FinalReadHappening['type']> = Extract<FinalReadHappening, { readonly type: T }>

const READ: readonly FinalReadEffect[] = [{ type: 'read' }]

const due = (state: FinalReadState): FinalReadMove => ({ state: { ...state, tries: state.tries + 1, dueAt: undefined }, effects: READ })
const unread = (state: FinalReadState, { at }: Told<'unread'>): FinalReadMove => ({
  ...{ state: { ...state, dueAt: sooner(state.dueAt, at) }, effects: [] },
})
const answered = (state: FinalReadState, { againAt }: Told<'answered'>): FinalReadMove => ({
  ...{ state: againAt === undefined || state.tries >= TRIES ? undefined : { ...state, dueAt: againAt }, effects: [] },
})

/** A last read of a contest, from its settlement until the service has told, or will not. */
export const finalReadMachine: Machine<FinalReadState, FinalReadHappening, FinalReadEffect, undefined> = {
  name: 'final read',
  on: {
    owed: {
      due: { next: due, to: ['owed'] },
      unread: { next: unread, to: ['owed'] },
      answered: { next: answered, to: ['owed', 'gone'] },
    },
  },
  dueAt: ({ purpose, dueAt }) => deadlineAt(purpose, dueAt),
}

/** One that is asked for at once. */
export const owed = (purpose: FinalRead): FinalReadState => ({ is: 'owed', purpose, tries: 1, dueAt: undefined })
