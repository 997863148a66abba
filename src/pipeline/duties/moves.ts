import { traitsOf } from '../../contract/modes.ts'
import { meaningOf, saysNo } from '../../contract/refusals.ts'
import type { Action } from '../../strategy/action.ts'
import type { Seat } from '../books/books.ts'
import type { Bot } from '../bot.ts'
import type { Outcome } from '../protocol/outcome.ts'
import type { Purpose } from '../protocol/purpose.ts'
import type { Reads } from '../reads.ts'
import type { Followed } from './followed.ts'

/** A draft is looked at so many times a turn: what a long one leaves of the read limit, other contests need. */
const LOOKS_A_TURN = 13
/** However many drafts there are at once, so many times all the same: a turn that is seen late is one that is not played. */
const LEAST_LOOKS_A_TURN = 4
const DRAFT_POLL_MS = { least: 230, most: 1000, unasked: 2000 }
const COMMIT_POLL_MS = 500
const UNREAD_PAST_END_MS = 2000
/** Of an open contest, whose mode may take moves before it is live: of one, of each of many, and of any while there are moves to make elsewhere. */
const EARLY_POLL_MS = { one: 3000, each: 1000, beside: 2500 }
/** Between two tries of a move that is refused before its contest is live. */
const EARLY_RETRY_MS = 5000

/** Follows the states of modes that may ask for a pick or a commitment: no event says whose turn it is (ADR 0022). */
export class Moves {
  readonly #bot: Bot
  readonly #reads: Reads
  readonly #followed: Followed
  /** Open contests that have refused a move. */
  readonly #refusedEarly = new Set<string>()

  constructor(bot: Bot, { reads, followed }: { readonly reads: Reads; readonly followed: Followed }) {
    this.#bot = bot
    this.#reads = reads
    this.#followed = followed
  }

  /** Plans the next look at what the seat's mode asks for. @returns whether its state is followed */
  tend(seat: Seat): boolean {
    const { contestId, phase } = seat
    // What was refused then may be taken now, and a turn is short.
    if (phase === 'live' && this.#refusedEarly.delete(contestId)) this.#bot.agenda.soon(`state:${contestId}`, this.#bot.now)
    if (this.#isMoving(seat)) this.#followed.follow(`state:${contestId}`, this.#stateMs(seat))
    else if (this.#mayMoveEarly(seat)) this.#lookEarly(contestId)
    else return false
    return true
  }

  /** A move came to nothing. */
  onFailed(action: Extract<Action, { contestId: string }>, outcome: Outcome): void {
    const { agenda, books, now } = this.#bot
    const { type, contestId } = action
    if (type !== 'draftPick' && type !== 'commitPrediction') return
    const meaning = outcome.status === 'rejected' ? meaningOf(outcome.refusal, type) : undefined
    if (meaning === 'taken' && type === 'draftPick') this.#leaveOut(contestId, action.token)
    if (meaning === 'tooLate') this.#bot.seats.change(contestId, { isTooLate: true, commitBy: undefined })
    // One that came too often, say, was not refused for being early.
    const isRefused = outcome.status === 'rejected' && (meaning === 'notYet' || saysNo(outcome.refusal))
    if (isRefused && meaning !== 'taken' && books.seats.get(contestId)?.phase === 'open') {
      this.#refusedEarly.add(contestId)
      agenda.set(`state:${contestId}`, now + EARLY_RETRY_MS)
      return
    }
    // Of one that was too late as well: an earlier request may have been taken.
    agenda.soon(`state:${contestId}`, now + (type === 'draftPick' ? DRAFT_POLL_MS.least : COMMIT_POLL_MS))
  }

  /** The service has refused a token as taken, whatever the state still shows: the strategy is asked again, without it. */
  #leaveOut(contestId: string, token: string): void {
    const { turn, refusedPicks = [] } = this.#bot.books.seats.get(contestId) ?? {}
    if (turn === undefined) return
    const available = turn.available.filter((other) => other !== token)
    this.#bot.seats.change(contestId, { turn: { ...turn, available }, refusedPicks: [...refusedPicks, token] })
  }

  /** It is time for the look that was planned. */
  onDue(kind: 'early' | 'state', contestId: string): void {
    const seat = this.#bot.books.seats.get(contestId)
    const isWanted = kind === 'early' ? seat?.phase === 'open' : seat !== undefined
    if (isWanted) this.#reads.ask(`${kind}:${contestId}`, 'agent.modes.state', { contestId })
  }

  onContestEnded(contestId: string): void {
    this.#refusedEarly.delete(contestId)
  }

  /** Not at once, since a match is live a moment later, as a rule, and seldom: only a state that waits for a move is followed. */
  #lookEarly(contestId: string): void {
    const purpose: Purpose = `early:${contestId}`
    if (this.#followed.isPlanned(purpose)) return
    const { agenda, books, now } = this.#bot
    const seats = [...books.seats.values()]
    const open = seats.filter((other) => this.#mayMoveEarly(other)).length
    const { one, each, beside } = EARLY_POLL_MS
    const isBusy = seats.some((other) => this.#isMoving(other))
    agenda.set(purpose, now + (isBusy ? open * beside : Math.max(one, open * each)))
  }

  /** A seat that is not ready holds the contest up. */
  #mayMoveEarly({ contestId, mode, phase, ready }: Seat): boolean {
    return phase === 'open' && ready !== false && this.#owesMove(contestId, mode)
  }

  /** Whether the mode's state is to be followed closely. Before the contest is live nothing but the state itself can say so. */
  #isMoving(seat: Seat): boolean {
    return seat.phase === 'live' ? this.#hasMovesAhead(seat) : this.#mayMoveEarly(seat) && seat.movesAhead === true
  }

  /** Of its mode, and of what was committed: a draft always may. */
  #owesMove(contestId: string, mode: string | undefined): boolean {
    const status = this.#bot.books.custody.get(contestId)?.status
    const playedBy = traitsOf(mode)?.playedBy
    return playedBy === 'picks' || (playedBy === 'sealedPrice' && (status === undefined || status === 'made'))
  }

  /** Whether the state of a live contest can still ask for a move of ours. */
  #hasMovesAhead({ contestId, mode, startsAt, endsAt, movesAhead }: Seat): boolean {
    const { now } = this.#bot
    if (!this.#owesMove(contestId, mode)) return false
    const isPast = (time: number | undefined) => time !== undefined && now >= time
    // A service may take moves after the start, and an end that it tells may be wrong: its state, which is read once at least, says whether it does.
    return isPast(startsAt) || isPast(endsAt) ? (movesAhead ?? true) : true
  }

  /** Contests followed at once share the read limit: it must not leave the event stream without. */
  #stateMs(seat: Seat): number {
    const followed = [...this.#bot.books.seats.values()].filter((other) => this.#isMoving(other))
    const { endsAt, movesAhead } = seat
    // Of one that is over, as it seems, and cannot be read.
    if (movesAhead === undefined && endsAt !== undefined && this.#bot.now >= endsAt) return followed.length * UNREAD_PAST_END_MS
    return traitsOf(seat.mode)?.playedBy === 'picks' ? draftPollMs(seat, followed.length) : followed.length * COMMIT_POLL_MS
  }
}

/** @param followed contests that share the read limit */
function draftPollMs({ movesAhead, turnMs = 0 }: Seat, followed: number): number {
  const { least, most, unasked } = DRAFT_POLL_MS
  const isAsked = movesAhead !== false
  const alone = isAsked ? Math.min(most, Math.max(least, Math.round(turnMs / LOOKS_A_TURN))) : most
  const latest = isAsked ? Math.round(turnMs / LEAST_LOOKS_A_TURN) : unasked
  return Math.max(followed * least, Math.min(followed * alone, latest))
}
