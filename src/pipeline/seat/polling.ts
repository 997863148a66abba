import { isTradingMode, type PlayKind, traitsOf } from '../../contract/modes.ts'
import type { Seat } from '../books/books.ts'
import type { SeatSeen } from './seatState.ts'

// How often what is read again and again, and of which seats (ADR 0022).

/** A draft is looked at so many times a turn: what a long one leaves of the read limit, other contests need. */
const LOOKS_A_TURN = 13
/** However many drafts there are at once, so many times all the same: a turn that is seen late is one that is not played. */
const LEAST_LOOKS_A_TURN = 4
const DRAFT_POLL_MS = { least: 230, most: 1000, unasked: 2000 }
const COMMIT_POLL_MS = 500
const UNREAD_PAST_END_MS = 2000
/** Of an open contest, whose mode may take moves before it is live: of one, of each of many, and of any while there are moves to make elsewhere. */
const EARLY_POLL_MS = { one: 3000, each: 1000, beside: 2500 }
/** Of a mode's state that does not say from when it takes reveals: its phase does, once it does. What it has said it may say otherwise. */
const WINDOW_POLL_MS = { untold: 2000, told: 5000 }
/** Of a contest whose reads leave out what the bot needs to know, and of one that is not known to be live, with a prediction in it. */
export const CONTEST_POLL_MS = 5000
/** Of a live contest whose service tells scores before its end. */
const STANDINGS_POLL_MS = 10_000

/** Between two tries to give a seat or a ticket back. */
export const LEAVE_RETRY_MS = 2000

/** What is seen of the rest, for whether a seat may ask for a move. */
type MoveSeen = Pick<SeatSeen, 'now' | 'custodyOf'>

/** Whether the contest is to be read for what is not known of it. A trader needs its parameters, which no event has: the token it is about, for one. */
export function lacksTerms({ stake, mode, phase, ready, isRead, lacksPiece }: Seat): boolean {
  const isUnknown = stake === undefined || mode === undefined || (phase === 'open' && ready === undefined)
  const isUnreadTrade = !isRead && phase === 'live' && mode !== undefined && isTradingMode(mode)
  return isUnknown || isUnreadTrade || (lacksPiece && !isRead)
}

/** True where the state of the mode may yet ask for a move. Modes of swaps and of sides ask for none there. */
const ASKS: Readonly<Record<PlayKind, (seat: Seat, seen: MoveSeen) => boolean>> = {
  swaps: () => false,
  side: () => false,
  picks: () => true,
  sealedPrice({ contestId }, { custodyOf }) {
    const status = custodyOf(contestId)
    return status === undefined || status === 'made'
  },
}

function owesMove(seat: Seat, seen: MoveSeen): boolean {
  const traits = traitsOf(seat.mode)
  return traits !== undefined && ASKS[traits.playedBy](seat, seen)
}

/** Whether an open seat's mode may ask for a move. A seat that is not ready holds the contest up. */
export const mayMoveEarly = (seat: Seat, seen: MoveSeen): boolean => seat.phase === 'open' && seat.ready !== false && owesMove(seat, seen)

/** Whether the mode's state is to be followed closely. Before the contest is live nothing but the state itself can say so. */
export const isMoving = (seat: Seat, seen: MoveSeen): boolean =>
  seat.phase === 'live' ? hasMovesAhead(seat, seen) : mayMoveEarly(seat, seen) && seat.movesAhead === true

/** Whether the state of a live contest can still ask for a move of ours. */
function hasMovesAhead(seat: Seat, seen: MoveSeen): boolean {
  const { startsAt, endsAt, movesAhead } = seat
  if (!owesMove(seat, seen)) return false
  const isPast = (time: number | undefined) => time !== undefined && seen.now >= time
  // A service may take moves after the start, and an end that it tells may be wrong: its state, which is read once at least, says whether it does.
  return isPast(startsAt) || isPast(endsAt) ? (movesAhead ?? true) : true
}

/** Between two looks at a state that is followed closely: those followed at once share the read limit, and must not leave the event stream without. */
export function movesPollMs(seat: Seat, { now, moving }: Pick<SeatSeen, 'now' | 'moving'>): number {
  const { endsAt, movesAhead, mode } = seat
  const followed = moving()
  // Of one that is over, as it seems, and cannot be read.
  if (movesAhead === undefined && endsAt !== undefined && now >= endsAt) return followed * UNREAD_PAST_END_MS
  const traits = traitsOf(mode)
  return (traits === undefined ? windowPolls : POLLS[traits.playedBy])(seat, followed)
}

/** @param followed contests that share the read limit */
const windowPolls = (_: Seat, followed: number): number => followed * COMMIT_POLL_MS
const POLLS: Readonly<Record<PlayKind, typeof windowPolls>> = {
  ...{ swaps: windowPolls, side: windowPolls, sealedPrice: windowPolls },
  picks: draftPollMs,
}

/** @param followed contests that share the read limit */
function draftPollMs({ movesAhead, turnMs = 0 }: Seat, followed: number): number {
  const { least, most, unasked } = DRAFT_POLL_MS
  const isAsked = movesAhead !== false
  const alone = isAsked ? Math.min(most, Math.max(least, Math.round(turnMs / LOOKS_A_TURN))) : most
  const latest = isAsked ? Math.round(turnMs / LEAST_LOOKS_A_TURN) : unasked
  return Math.max(followed * least, Math.min(followed * alone, latest))
}

/** Until the first look at an open contest's mode, and between two: not at once, since a match is live a moment later, as a rule, and seldom. */
export function earlyPollMs({ moving, early }: Pick<SeatSeen, 'moving' | 'early'>): number {
  const { one, each, beside } = EARLY_POLL_MS
  return moving() > 0 ? early() * beside : Math.max(one, early() * each)
}

/** Until a move that came to nothing is looked at again. */
export const afterMoveMs = (move: 'draftPick' | 'commitPrediction'): number => (move === 'draftPick' ? DRAFT_POLL_MS.least : COMMIT_POLL_MS)

/** Between two looks for when a prediction may be shown. */
export const windowPollMs = ({ revealFrom }: Seat, { predictions }: Pick<SeatSeen, 'predictions'>): number =>
  predictions * (revealFrom === undefined ? WINDOW_POLL_MS.untold : WINDOW_POLL_MS.told)

/**
 * When a live contest is next read for how its seats stand: half way through its window, and from then on again and again where that told a
 * score. Of a service that keeps scores to itself until the end nothing more is asked.
 *
 * @returns Unix milliseconds; undefined: not any more, or its window is not known
 */
export function standingsAt({ startsAt, endsAt, standings }: Seat, now: number): number | undefined {
  if (startsAt === undefined || endsAt === undefined) return undefined
  const isTold = standings?.some(({ score }) => score !== undefined) === true
  const next = isTold ? Math.max(now + STANDINGS_POLL_MS, startsAt) : startsAt + (endsAt - startsAt) / 2
  return next > now && next < endsAt ? next : undefined
}
