import type { Custody, CustodyStatus } from '../protocol/input.ts'
import type { Note } from '../protocol/note.ts'
import { deadlineAt, type Machine, type Move } from '../state/lifecycle.ts'

/** How a contest came to its end: settled in any other way than won, or cancelled. */
export type ContestEnd = 'won' | 'settled' | 'cancelled'

/** A reveal that is sent on the very millisecond may be early by the service's clock. */
export const MARGIN_MS = 50
const RETRY_MS = 500

interface Held {
  readonly custody: Omit<Custody, 'status'>
  /** Why the last reveal came to nothing; undefined where none was tried, or none failed. */
  readonly trouble: string | undefined
  /** How its contest came to its end; undefined while that goes on. */
  readonly end: ContestEnd | undefined
  /** When it is to be shown; undefined while that is not known. Unix milliseconds, as all times here. */
  readonly revealAt: number | undefined
  /** A reveal that was kept back, or came to nothing, is not tried again before. */
  readonly againAt: number | undefined
}

/** A prediction and its salt, made and not known to be with the service. */
interface Made extends Held {
  readonly is: 'made'
}

/** The service has the commitment: without a reveal its stake is lost. */
interface Committed extends Held {
  readonly is: 'committed'
}

/** It was shown. It stays until its contest is over, so that nothing can make the same contest a second one. */
interface Revealed extends Held {
  readonly is: 'revealed'
}

export type CustodyState = Made | Committed | Revealed

export type CustodyHappening =
  /** The service has the commitment, by its answer or by what it shows. */
  | { readonly type: 'committed' }
  | { readonly type: 'revealed' }
  /** It is of a seat that was given back: nothing is owed for it. */
  | { readonly type: 'dropped' }
  /** A reveal came to nothing: `why`, in words of the service or of a look at it. */
  | { readonly type: 'revealFailed'; readonly why: string }
  | { readonly type: 'ended'; readonly how: ContestEnd }
  /** From when the service takes its reveal; undefined while that is not known. */
  | { readonly type: 'timed'; readonly from: number | undefined }
  | { readonly type: 'due' }
  /** Its reveal is on its way. */
  | { readonly type: 'revealing' }
  /** Its reveal was kept back by the guard, or came to nothing. */
  | { readonly type: 'heldBack' }
  /** It is looked after: of a contest that is over it is closed, once it is known what became of its moves. */
  | { readonly type: 'tended' }

export type CustodyEffect =
  /** It is so from now on, for the journal and the counts. */
  | { readonly type: 'kept'; readonly custody: Custody }
  /** It is time to show it. */
  | { readonly type: 'reveal'; readonly contestId: string }
  | ({ readonly type: 'note' } & Note)

export interface CustodySeen {
  readonly now: number
  /** A commitment or a reveal in the contest has no outcome yet. */
  isMoveOpen(contestId: string): boolean
  /** How the mode of the contest ended is being read. */
  isFinalStateRead(contestId: string): boolean
}

type CustodyMove = Move<CustodyState, CustodyEffect>
type Told<T extends CustodyHappening['type']> = Extract<CustodyHappening, { readonly type: T }>

const stay = (state: CustodyState): CustodyMove => ({ state, effects: [] })
const kept = ({ custody }: CustodyState, status: CustodyStatus): CustodyEffect => ({ type: 'kept', custody: { ...custody, status } })

const committed = (state: Made): CustodyMove => ({ state: { ...state, is: 'committed' }, effects: [kept(state, 'committed')] })
const revealed = (state: Made | Committed): CustodyMove => ({
  state: { ...state, is: 'revealed', revealAt: undefined, againAt: undefined },
  effects: [kept(state, 'revealed')],
})
const dropped = (state: Made): CustodyMove => ({ state: undefined, effects: [kept(state, 'dropped')] })
const revealFailed = (state: CustodyState, { why }: Told<'revealFailed'>): CustodyMove => stay({ ...state, trouble: why })
const ended = (state: CustodyState, { how }: Told<'ended'>): CustodyMove =>
  stay({ ...state, end: how, revealAt: undefined, againAt: undefined })

/** A time may turn out to be nearer, later, past, or none: what is known now takes the place of what was planned. */
function timed(state: CustodyState, { from }: Told<'timed'>): CustodyMove {
  const revealAt = from === undefined ? undefined : Math.max(from + MARGIN_MS, state.againAt ?? from)
  return stay(revealAt === state.revealAt ? state : { ...state, revealAt })
}

const due = (state: CustodyState): CustodyMove => ({
  state: { ...state, revealAt: undefined },
  effects: [{ type: 'reveal', contestId: state.custody.contestId }],
})
const revealing = (state: CustodyState): CustodyMove => stay({ ...state, againAt: undefined })
const heldBack = (state: CustodyState, _: Told<'heldBack'>, { now }: CustodySeen): CustodyMove =>
  stay({ ...state, againAt: now + RETRY_MS })

/** Of a contest that is over: an unrevealed prediction is lost, once it is known what became of its moves. */
function tended(state: CustodyState, _: Told<'tended'>, seen: CustodySeen): CustodyMove {
  const { is, custody, end, trouble } = state
  const { contestId } = custody
  if (end === undefined || seen.isMoveOpen(contestId)) return stay(state)
  if (is === 'revealed') return { state: undefined, effects: [] }
  if (is === 'made') return dropped(state)
  // Of one that was tried the final state says whether it was lost.
  if (trouble !== undefined && seen.isFinalStateRead(contestId)) return stay(state)
  // Who has not revealed does not win: it was taken, whatever its answers said.
  if (end === 'won') return { state: undefined, effects: [kept(state, 'revealed')] }
  if (end === 'cancelled') return { state: undefined, effects: [kept(state, 'dropped')] }
  const reason = trouble ?? 'no reveal could be tried in its time'
  const message = `a prediction was not revealed before its contest was settled, its stake is lost: ${reason}`
  return { state: undefined, effects: [kept(state, 'missed'), { type: 'note', level: 'error', message, fields: { contestId } }] }
}

/** A prediction from before it is committed until it is shown, or lost. */
export const custodyMachine: Machine<CustodyState, CustodyHappening, CustodyEffect, CustodySeen> = {
  name: 'custody',
  on: {
    made: {
      committed: { next: committed, to: ['committed'] },
      revealed: { next: revealed, to: ['revealed'] },
      dropped: { next: dropped, to: ['gone'] },
      revealFailed: { next: revealFailed, to: ['made'] },
      ended: { next: ended, to: ['made'] },
      timed: { next: timed, to: ['made'] },
      due: { next: due, to: ['made'] },
      revealing: { next: revealing, to: ['made'] },
      heldBack: { next: heldBack, to: ['made'] },
      tended: { next: tended, to: ['made', 'gone'] },
    },
    committed: {
      committed: { next: stay, to: ['committed'] },
      revealed: { next: revealed, to: ['revealed'] },
      revealFailed: { next: revealFailed, to: ['committed'] },
      ended: { next: ended, to: ['committed'] },
      timed: { next: timed, to: ['committed'] },
      due: { next: due, to: ['committed'] },
      revealing: { next: revealing, to: ['committed'] },
      heldBack: { next: heldBack, to: ['committed'] },
      tended: { next: tended, to: ['committed', 'gone'] },
    },
    revealed: {
      // The word of a move and the word of the contest's end may both say so.
      committed: { next: stay, to: ['revealed'] },
      revealed: { next: stay, to: ['revealed'] },
      revealFailed: { next: revealFailed, to: ['revealed'] },
      ended: { next: ended, to: ['revealed'] },
      heldBack: { next: stay, to: ['revealed'] },
      tended: { next: tended, to: ['revealed', 'gone'] },
    },
  },
  dueAt: ({ custody, revealAt }) => deadlineAt(`reveal:${custody.contestId}`, revealAt),
}
