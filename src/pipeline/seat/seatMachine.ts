import { meaningOf, saysNo } from '../../contract/refusals.ts'
import type { ServiceAction } from '../../strategy/action.ts'
import type { Seat } from '../books/books.ts'
import { type Deadline, type Machine, type Move, sooner } from '../state/lifecycle.ts'
import {
  afterMoveMs,
  CONTEST_POLL_MS,
  earlyPollMs,
  isMoving,
  lacksTerms,
  mayMoveEarly,
  movesPollMs,
  standingsAt,
  windowPollMs,
} from './polling.ts'
import type { LiveSeat, OpenSeat, SeatEffect, SeatHappening, SeatRead, SeatSeen, SeatState, SeatTask } from './seatState.ts'

/** Between two tries to ready a seat. */
const READY_RETRY_MS = 1000
/** Between two tries of a move that is refused before its contest is live. */
const EARLY_RETRY_MS = 5000

type SeatMove<S extends SeatState = SeatState> = Move<S, SeatEffect>
type Told<T extends SeatHappening['type']> = Extract<SeatHappening, { readonly type: T }>

const stay = <S extends SeatState>(state: S, effects: readonly SeatEffect[] = []): SeatMove<S> => ({ state, effects })
const planned = <S extends SeatState>(state: S, task: SeatTask, at: number | undefined): S => ({
  ...{ ...state, dueAt: { ...state.dueAt, [task]: at } },
})
const plannedSoon = <S extends SeatState>(state: S, task: SeatTask, at: number): S => planned(state, task, sooner(state.dueAt[task], at))
const changed = <S extends SeatState>(state: S, change: Partial<Seat>): S => ({ ...state, seat: { ...state.seat, ...change } })

const isPlanned = ({ dueAt, seat }: SeatState, read: SeatRead, seen: SeatSeen): boolean =>
  dueAt[read] !== undefined || seen.isReadUnderWay(read, seat.contestId)

/** Reads at once the first time, then every `periodMs`, whatever the answers leave out. */
function followed<S extends SeatState>(state: S, read: 'contest' | 'state', { periodMs, seen }: { periodMs: number; seen: SeatSeen }): S {
  if (isPlanned(state, read, seen)) return state
  const at = state.followed[read] === undefined ? seen.now : seen.now + periodMs
  return planned({ ...state, followed: { ...state.followed, [read]: true } }, read, at)
}

const learnt = <S extends SeatState>(state: S, { change }: Told<'learnt'>): SeatMove<S> => stay(changed(state, change))
const over = (): SeatMove => ({ state: undefined, effects: [] })

/** What was planned for an open seat alone is planned no more. */
const started = ({ seat, dueAt, followed, isRefusedEarly }: OpenSeat, { change }: Told<'started'>): SeatMove =>
  stay<LiveSeat>({
    ...{ is: 'live', seat: { ...seat, ...change }, dueAt: { contest: dueAt.contest, state: dueAt.state }, followed },
    ...{ isRefusedEarly, isWindowAsked: false },
  })

function tendedOpen(state: OpenSeat, _: Told<'tended'>, seen: SeatSeen): SeatMove {
  const { seat } = state
  let next = state
  // A prediction that was committed to early has its time to be shown, whether or not an event says that its contest is live.
  if (seen.predictions > 0 && !seen.isRecorded && seen.isRevealable(seat.contestId))
    next = followed(next, 'contest', { periodMs: seen.predictions * CONTEST_POLL_MS, seen })
  if (!seen.isStreamRead) return stay(next)
  if (lacksTerms(seat)) next = followed(next, 'contest', { periodMs: CONTEST_POLL_MS, seen })
  if (isMoving(seat, seen)) next = followed(next, 'state', { periodMs: movesPollMs(seat, seen), seen })
  else if (mayMoveEarly(seat, seen) && !isPlanned(next, 'early', seen)) next = planned(next, 'early', seen.now + earlyPollMs(seen))
  return stay(next, readied(next, seen))
}

function tendedLive(state: LiveSeat, _: Told<'tended'>, seen: SeatSeen): SeatMove {
  const { seat } = state
  if (!seen.isStreamRead) return stay(state)
  let next = lacksTerms(seat) ? followed(state, 'contest', { periodMs: CONTEST_POLL_MS, seen }) : state
  // What was refused then may be taken now, and a turn is short.
  if (next.isRefusedEarly) next = plannedSoon({ ...next, isRefusedEarly: false }, 'state', seen.now)
  if (isMoving(seat, seen)) next = followed(next, 'state', { periodMs: movesPollMs(seat, seen), seen })
  else if (seen.custodyOf(seat.contestId) === 'committed') next = windowFollowed(next, seen)
  const at = isPlanned(next, 'standings', seen) ? undefined : standingsAt(seat, seen.now)
  return stay(at === undefined ? next : planned(next, 'standings', at))
}

/** From when a prediction may be shown stands in the mode's state alone: as a time, or as a phase that comes before the end. */
function windowFollowed(state: LiveSeat, seen: SeatSeen): LiveSeat {
  const next = followed(state, 'state', { periodMs: windowPollMs(state.seat, seen), seen })
  return next.isWindowAsked ? next : plannedSoon({ ...next, isWindowAsked: true }, 'state', seen.now)
}

/** Who readies the seat is known once the answer to its join is. */
function readied({ seat, dueAt }: OpenSeat, seen: SeatSeen): readonly SeatEffect[] {
  const { contestId, ready, readiedBy } = seat
  if (ready !== false || readiedBy !== 'framework' || seen.isReadiedByPolicy(contestId)) return []
  if (seen.runMode !== 'running' || seen.stopped === 'all' || seen.isUnderWay({ type: 'joinContest', contestId })) return []
  const action = { type: 'ready', contestId, ready: true } as const
  return dueAt.ready !== undefined || seen.isUnderWay(action) ? [] : [{ type: 'propose', action }]
}

function windUp(state: OpenSeat, _: Told<'windUp'>, seen: SeatSeen): SeatMove {
  const { contestId } = state.seat
  const action: ServiceAction = { type: 'leaveContest', contestId }
  const retryMs = seen.leaveRetryMs(contestId)
  if (state.dueAt.leave !== undefined || retryMs === undefined || seen.isUnderWay(action)) return stay(state)
  return stay(planned(state, 'leave', seen.now + retryMs), [{ type: 'propose', action }])
}

const due = (state: SeatState, { task }: Told<'due'>): SeatMove =>
  stay(planned(state, task, undefined), task === 'ready' || task === 'leave' ? [] : [{ type: 'read', read: task }])
const unread = <S extends SeatState>(state: S, { read, at }: Told<'unread'>): SeatMove<S> => stay(plannedSoon(state, read, at))

function failed<S extends SeatState>(state: S, { action, outcome }: Told<'failed'>, { now }: SeatSeen): SeatMove<S> {
  const { type } = action
  // It may be ready already, or no seat at all.
  if (type === 'ready')
    return stay(state.is === 'open' ? planned(state, 'ready', now + READY_RETRY_MS) : state, [{ type: 'read', read: 'contest' }])
  if (type !== 'draftPick' && type !== 'commitPrediction') return stay(state)
  const meaning = outcome.status === 'rejected' ? meaningOf(outcome.refusal, type) : undefined
  let next = meaning === 'taken' && type === 'draftPick' ? withoutToken(state, action.token) : state
  if (meaning === 'tooLate') next = changed(next, { isTooLate: true, commitBy: undefined })
  // One that came too often, say, was not refused for being early.
  const isRefused = outcome.status === 'rejected' && (meaning === 'notYet' || saysNo(outcome.refusal))
  if (isRefused && meaning !== 'taken' && state.is === 'open')
    return stay(planned({ ...next, isRefusedEarly: true }, 'state', now + EARLY_RETRY_MS))
  // Of one that was too late as well: an earlier request may have been taken.
  return stay(plannedSoon(next, 'state', now + afterMoveMs(type)))
}

/** The service has refused a token as taken, whatever the state still shows: the strategy is asked again, without it. */
function withoutToken<S extends SeatState>(state: S, token: string): S {
  const { turn, refusedPicks } = state.seat
  if (turn === undefined) return state
  const available = turn.available.filter((other) => other !== token)
  return changed(state, { turn: { ...turn, available }, refusedPicks: [...refusedPicks, token] })
}

const TASKS: readonly SeatTask[] = ['contest', 'state', 'early', 'standings', 'ready', 'leave']

/** A seat from when it is known until its contest is over, or it was given back. */
export const seatMachine: Machine<SeatState, SeatHappening, SeatEffect, SeatSeen> = {
  name: 'seat',
  on: {
    open: {
      learnt: { next: learnt, to: ['open'] },
      started: { next: started, to: ['live'] },
      over: { next: over, to: ['gone'] },
      tended: { next: tendedOpen, to: ['open'] },
      windUp: { next: windUp, to: ['open'] },
      due: { next: due, to: ['open'] },
      unread: { next: unread, to: ['open'] },
      failed: { next: failed, to: ['open'] },
    },
    live: {
      learnt: { next: learnt, to: ['live'] },
      over: { next: over, to: ['gone'] },
      tended: { next: tendedLive, to: ['live'] },
      due: { next: due, to: ['live'] },
      unread: { next: unread, to: ['live'] },
      failed: { next: failed, to: ['live'] },
    },
  },
  dueAt: ({ seat: { contestId }, dueAt }) =>
    TASKS.flatMap((task): readonly Deadline[] => {
      const at = dueAt[task]
      return at === undefined ? [] : [{ task: `${task}:${contestId}`, at }]
    }),
}

/** A seat that has come to be known. */
export const seated = (seat: Seat): SeatState => {
  const begun = { seat, dueAt: {}, followed: {}, isRefusedEarly: false }
  return seat.phase === 'live' ? { is: 'live', ...begun, isWindowAsked: false } : { is: 'open', ...begun }
}
