import type { ServiceEvent } from '../../contract/events.ts'
import type { Machine, Move } from '../state/lifecycle.ts'

/** A ticket that had waited until then was matched into the contest. */
export interface Rematch {
  readonly event: Extract<ServiceEvent, { type: 'match.found' }>
  /** What its ticket said, which alone says how long the contest is to be. */
  readonly durationSec: number | undefined
}

/** Its seat is being given back, and the contest was heard of since: if the service gives it back, that is of the seat after it. */
interface Leaving {
  readonly is: 'leaving'
  /** Undefined: somebody may have a seat there. */
  readonly rematch: Rematch | undefined
}

/** Its seat was given back, and the contest was heard of since, which may be a late word of that seat. Unix milliseconds. */
interface Heard {
  readonly is: 'heard'
  readonly first: number
  readonly last: number
}

export type RejoinState = Leaving | Heard

export type RejoinHappening =
  /** It was heard of, at `at`; what the journal holds was heard before any read. `rematch`: by a match into it. */
  | {
      readonly type: 'heard'
      readonly at: number
      readonly isRecorded: boolean
      /** The seat is over, whatever became of the leave. */
      readonly isOver: boolean
      readonly rematch: Rematch | undefined
    }
  /** The seat was given back. */
  | { readonly type: 'left' }
  /** The seat is there: it was not given back after all, or is another one by now. */
  | { readonly type: 'seated' }
  /** `agent.contests.mine`, begun at `begunAt`, shows a seat there, or shows none. */
  | { readonly type: 'listed'; readonly begunAt: number; readonly isSeated: boolean }
  /** It is over for everybody, whatever a list that is on its way shows. */
  | { readonly type: 'over' }

export type RejoinEffect =
  /** Whether there is a seat is to be read, soon. */
  | { readonly type: 'read' }
  /** The seat is the bot's again. */
  | { readonly type: 'takeBack'; readonly rematch: Rematch | undefined }

export interface RejoinSeen {
  readonly now: number
}

type RejoinMove = Move<RejoinState, RejoinEffect>
type Told<T extends RejoinHappening['type']> = Extract<RejoinHappening, { readonly type: T }>

const READ: readonly RejoinEffect[] = [{ type: 'read' }]

const stay = (state: RejoinState): RejoinMove => ({ state, effects: [] })
const gone = (effects: readonly RejoinEffect[] = []): RejoinMove => ({ state: undefined, effects })
const closed = (): RejoinMove => gone()

function heardWhileLeaving(state: Leaving, { at, isRecorded, isOver, rematch }: Told<'heard'>): RejoinMove {
  if (isOver) return { state: { is: 'heard', first: at, last: at }, effects: isRecorded ? [] : READ }
  return stay(state.rematch === undefined && rematch !== undefined ? { ...state, rematch } : state)
}
const heardAgain = (state: Heard, { at, isRecorded }: Told<'heard'>): RejoinMove => ({
  ...{ state: { ...state, last: at }, effects: isRecorded ? [] : READ },
})

/** A match says that the seat is the bot's; of anything else it is to be read whose it was. */
const left = ({ rematch }: Leaving, _: Told<'left'>, { now }: RejoinSeen): RejoinMove =>
  rematch === undefined ? { state: { is: 'heard', first: now, last: now }, effects: READ } : gone([{ type: 'takeBack', rematch }])

/** What was asked for before it was heard of may show the seat before; that there is none says only one that was asked for after all of it. */
function listed(state: Heard, { begunAt, isSeated }: Told<'listed'>): RejoinMove {
  if (begunAt < state.first) return stay(state)
  if (isSeated) return gone([{ type: 'takeBack', rematch: undefined }])
  return begunAt >= state.last ? gone() : stay(state)
}

/** Whether a seat that is given back, or was, is the bot's again. */
export const rejoinMachine: Machine<RejoinState, RejoinHappening, RejoinEffect, RejoinSeen> = {
  name: 'rejoin',
  on: {
    leaving: {
      heard: { next: heardWhileLeaving, to: ['leaving', 'heard'] },
      left: { next: left, to: ['heard', 'gone'] },
      seated: { next: closed, to: ['gone'] },
      over: { next: closed, to: ['gone'] },
    },
    heard: {
      heard: { next: heardAgain, to: ['heard'] },
      seated: { next: closed, to: ['gone'] },
      listed: { next: listed, to: ['heard', 'gone'] },
      over: { next: closed, to: ['gone'] },
    },
  },
  dueAt: () => [],
}
