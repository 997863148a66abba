import type { RunMode, Stopped } from '../../guard/index.ts'
import type { Action, ServiceAction } from '../../strategy/action.ts'
import type { Seat } from '../books/books.ts'
import type { CustodyStatus } from '../protocol/input.ts'
import type { Outcome } from '../protocol/outcome.ts'

/** Reads of a contest: of itself, for what is not known of it and for how its seats stand; of its mode, once it is followed, and before. */
export type SeatRead = 'contest' | 'state' | 'early' | 'standings'
/** What may be planned for a seat: a read, or that it is readied or given back once more. */
export type SeatTask = SeatRead | 'ready' | 'leave'

interface Sat {
  /** As the books show it. */
  readonly seat: Seat
  /** When what is due, in Unix milliseconds, as all times here. */
  readonly dueAt: { readonly [T in SeatTask]?: number | undefined }
  /** Reads that go on and on, and were made once. */
  readonly followed: { readonly [T in 'contest' | 'state']?: true }
  /** A move was refused before the contest was live: it may be taken now. */
  readonly isRefusedEarly: boolean
}

/** Its contest has not begun. */
export interface OpenSeat extends Sat {
  readonly is: 'open'
}

/** Its contest is under way, or has ended and no event has said so. */
export interface LiveSeat extends Sat {
  readonly is: 'live'
  /** When commitments are shown was asked for since it is live: what was said of an open contest may be another time now. */
  readonly isWindowAsked: boolean
}

export type SeatState = OpenSeat | LiveSeat

export type SeatHappening =
  /** Something is known of it. */
  | { readonly type: 'learnt'; readonly change: Partial<Seat> }
  /** Its contest is live. */
  | { readonly type: 'started'; readonly change: Partial<Seat> }
  /** Its contest is over, or it was given back. */
  | { readonly type: 'over' }
  /** It is looked after, as everything is now. */
  | { readonly type: 'tended' }
  /** The run ends, or is stopped: what can be given back is. */
  | { readonly type: 'windUp' }
  | { readonly type: 'due'; readonly task: SeatTask }
  /** A read came to nothing, or is not sent yet: it is due at `at`. */
  | { readonly type: 'unread'; readonly read: SeatRead; readonly at: number }
  /** An action of ours in it came to nothing. */
  | { readonly type: 'failed'; readonly action: Extract<Action, { readonly contestId: string }>; readonly outcome: Outcome }

export type SeatEffect =
  | { readonly type: 'read'; readonly read: SeatRead }
  /** A wish of the framework's own: it goes to the guard like any other. */
  | { readonly type: 'propose'; readonly action: ServiceAction }

/** The rest of the bot, as a seat sees it. */
export interface SeatSeen {
  readonly now: number
  readonly runMode: RunMode
  readonly stopped: Stopped
  /** The stream was read to its end in this run: before, the books may be of long ago. */
  readonly isStreamRead: boolean
  /** What the journal holds is being read back. */
  readonly isRecorded: boolean
  /** Predictions in custody: the looks after them share the read limit. */
  readonly predictions: number
  custodyOf(contestId: string): CustodyStatus | undefined
  /** Its prediction is with the service, or may be, and was not shown. */
  isRevealable(contestId: string): boolean
  isReadUnderWay(read: SeatRead, contestId: string): boolean
  isUnderWay(action: ServiceAction): boolean
  /** Milliseconds until the seat is asked for once more where the service refuses to take it back; undefined: it is asked for no more. */
  leaveRetryMs(contestId: string): number | undefined
  /** The policy of an earlier run has said that it readies this seat itself. */
  isReadiedByPolicy(contestId: string): boolean
  /** Seats whose state is followed closely. */
  moving(): number
  /** Open seats whose mode may ask for a move. */
  early(): number
}
