import type { Result } from '../../contract/enums.ts'
import { type ModeTraits, type PlayKind, traitsOf } from '../../contract/modes.ts'
import type { Seat } from '../books/books.ts'
import type { Present } from '../state/present.ts'
import type { Hindrance } from './hindrance.ts'
import { freshMove, type Missed, missed, type OwedMove, type Pause } from './owedMove.ts'

/** Contests last hours at most: older pauses explain nothing. */
const MOST_PAUSES = 100

/** Moves of one contest so far. */
interface Play {
  /** Own moves by their place; a draft has several. */
  readonly moves: Map<number, OwedMove>
  /** Place of the move that is owed now. */
  place: number
  /** Valid moves that were taken. */
  made: number
  /** Whether a move was taken that is none without another: a commitment. */
  hasBegun: boolean
  /** Whether it was said that its answers lack what a move needs. */
  isLacking: boolean
  /** Its last swap landed after its end. */
  isLate: boolean
  /** Why its state could not be read when it was asked for last. */
  unread: string | undefined
}

/** A contest that was settled, and what is known of the bot's part in it. */
export interface SettledPlay {
  readonly contestId: string
  readonly mode: string
  readonly result: Result
  /** When it was settled, in Unix milliseconds. */
  readonly at: number
  /** As it stood before; undefined of a contest that this bot was never known to sit in. */
  readonly seat: Seat | undefined
  /** Whether a swap of the contest was executed. */
  readonly hasSwapped: boolean
}

/** Moves that a contest asked for and the bot did not make. */
export interface Unplayed extends Missed {
  /** Own picks of a draft, and how many it asked for; undefined where no valid move was made. */
  readonly share: { readonly made: number; readonly owed: number } | undefined
}

/**
 * What became of the moves of each contest: an entry without a valid one is a stake that is lost, whatever the cause. A valid move is a
 * reveal or a pick that was taken, an executed swap, or a seat with a side. Each fact is recorded when it happens.
 */
export class Plays {
  readonly #present: Present
  readonly #plays = new Map<string, Play>()
  #pauses: readonly Pause[] = []
  #beganAt = Number.NEGATIVE_INFINITY

  constructor(present: Present) {
    this.#present = present
  }

  /** @param moved contests in which an earlier run has moved, once for each move */
  begin(at: number, moved: readonly string[]): void {
    this.#beganAt = at
    for (const contestId of moved) this.moved(contestId)
  }

  /** The process stood still. */
  paused(pause: Pause): void {
    this.#pauses = [...this.#pauses.slice(1 - MOST_PAUSES), pause]
  }

  /** @returns the newest pause; undefined: there was none */
  get lastPause(): Pause | undefined {
    return this.#pauses.at(-1)
  }

  /**
   * A move can be made now.
   *
   * @param place of the move among the bot's own; default: the next one
   */
  due(contestId: string, place?: number): void {
    const play = this.#of(contestId)
    play.place = place ?? Math.max(play.place, play.made)
    this.#move(play).dueAt ??= this.#present.now
  }

  /** @param awaitsAnswer the strategy owes an answer */
  asked(contestId: string, { awaitsAnswer }: { readonly awaitsAnswer: boolean }): void {
    const move = this.#move(this.#of(contestId))
    move.askedAt ??= this.#present.now
    move.awaitsAnswer = awaitsAnswer
  }

  /** @param isMove the strategy wants one */
  answered(contestId: string, isMove: boolean): void {
    const move = this.#move(this.#of(contestId))
    if (move.answer?.isMove !== true) move.answer = { at: this.#present.now, isMove }
  }

  moved(contestId: string): void {
    const play = this.#of(contestId)
    play.made += 1
    play.isLate = false
    // An answer may come after the next move is due.
    const move = play.moves.values().find(({ isMade, answer }) => !isMade && answer?.isMove === true) ?? this.#move(play)
    move.isMade = true
  }

  /** A move could not be made. The first reason stands. @param words of the party that gave the reason */
  hindered(contestId: string, hindrance: Hindrance, words?: string): void {
    this.#move(this.#of(contestId)).obstacle ??= { at: this.#present.now, hindrance, words }
  }

  /** A swap landed after its end. @param words how late */
  late(contestId: string, words: string): void {
    this.#of(contestId).isLate = true
    this.hindered(contestId, 'tooLate', words)
  }

  /** Its state was asked for. @param unread why it could not be read; undefined: it could */
  read(contestId: string, unread: string | undefined): void {
    const play = this.#plays.get(contestId)
    if (play !== undefined || unread !== undefined) this.#of(contestId).unread = unread
  }

  /** @returns whether this is the first time that an answer lacks what a move needs, and no valid one was made */
  lacks(contestId: string): boolean {
    const play = this.#of(contestId)
    if (play.isLacking || play.made > 0) return false
    play.isLacking = true
    return true
  }

  /** A move was taken that more have to follow: what stood in its way before is gone. */
  cleared(contestId: string): void {
    const play = this.#of(contestId)
    play.hasBegun = true
    play.place += 1
    this.due(contestId, play.place)
  }

  /** It is over, and what became of it is still to be said. */
  keep(contestId: string): void {
    this.#of(contestId)
  }

  has(contestId: string): boolean {
    return this.#plays.has(contestId)
  }

  forget(contestId: string): void {
    this.#plays.delete(contestId)
  }

  /** A contest is over. @returns undefined where every move was made that it asked for, or nobody knows what a move is */
  settled(play: SettledPlay): Unplayed | undefined {
    const { contestId, mode, seat } = play
    const own = this.#of(contestId)
    this.forget(contestId)
    const traits = traitsOf(mode)
    if (seat === undefined || traits === undefined) return undefined
    if (HAS_PARTS[traits.playedBy] && own.made > 0) return this.#partOf(own, seat, play)
    if (own.made > 0 || hasMoved(traits, own, play)) return undefined
    const orElse = () => this.#unrecorded(own, traits, seat)
    return { ...this.#missed(this.#move(own), own, { seat, at: play.at, orElse }), share: undefined }
  }

  /** Own picks, where the service has made others. */
  #partOf(play: Play, seat: Seat, { at }: SettledPlay): Unplayed | undefined {
    const { made, moves, unread } = play
    const isCut = unread !== undefined && seat.movesAhead !== false
    const dueAfter = [...moves].filter(([place, { dueAt }]) => place >= made && dueAt !== undefined).length
    const owed = Math.max(seat.picksHeld ?? 0, made + Math.max(dueAfter, isCut ? 1 : 0))
    if (owed <= made) return undefined
    const move = moves.values().find(({ isMade }) => !isMade) ?? freshMove()
    const isDown = this.#beganAt > (seat.startsAt ?? Number.NEGATIVE_INFINITY)
    return {
      ...this.#missed(move, play, { seat, at, orElse: () => (isCut ? 'unread' : isDown ? 'down' : 'unasked') }),
      share: { made, owed },
    }
  }

  #missed(
    move: OwedMove,
    { unread }: Play,
    { seat: { startsAt, endsAt }, at, orElse }: { readonly seat: Seat; readonly at: number; readonly orElse: () => Hindrance },
  ): Missed {
    const until = endsAt ?? at
    if (until < this.#beganAt) return { hindrance: 'down', words: undefined, dueAt: move.dueAt, askedAt: move.askedAt, pause: undefined }
    const found = missed(move, { from: move.dueAt ?? startsAt ?? until, until }, this.#pauses, orElse)
    return found.hindrance === 'unread' && found.words === undefined ? { ...found, words: unread } : found
  }

  #unrecorded({ hasBegun, moves, unread }: Play, traits: ModeTraits, seat: Seat): Hindrance {
    if (hasBegun) return 'tooLate'
    if (moves.values().some(({ dueAt }) => dueAt !== undefined)) return 'unasked'
    if (this.#cameLate(traits, seat)) return 'down'
    const why = whyNotDue(traits, seat)
    return why === 'unasked' && unread !== undefined ? 'unread' : why
  }

  /** Its window had begun when this run did, and nothing was to be moved in it any more. */
  #cameLate({ playedBy }: ModeTraits, { startsAt, movesAhead, lacksPiece }: Seat): boolean {
    if (!IS_OVER_BEFORE_END[playedBy]) return false
    return movesAhead === false && !lacksPiece && startsAt !== undefined && startsAt < this.#beganAt
  }

  #move({ moves, place }: Play): OwedMove {
    const known = moves.get(place)
    if (known !== undefined) return known
    const move = freshMove()
    moves.set(place, move)
    return move
  }

  #of(contestId: string): Play {
    const known = this.#plays.get(contestId)
    if (known !== undefined) return known
    const play: Play = { moves: new Map(), place: 0, made: 0, hasBegun: false, isLacking: false, isLate: false, unread: undefined }
    this.#plays.set(contestId, play)
    return play
  }
}

/** True where one contest asks for several moves. The service makes each itself where the bot does not. */
export const HAS_PARTS: Readonly<Record<PlayKind, boolean>> = { swaps: false, picks: true, sealedPrice: false, side: false }
/** True where the last move is due before the contest is over. */
const IS_OVER_BEFORE_END: Readonly<Record<PlayKind, boolean>> = { swaps: false, picks: true, sealedPrice: true, side: false }

function hasMoved({ playedBy }: ModeTraits, { isLate }: Play, { seat, result, hasSwapped }: SettledPlay): boolean {
  switch (playedBy) {
    case 'swaps':
      return hasSwapped && !isLate
    case 'side':
      // The service gives one to a seat that it has seated: one that was never read is none without.
      return seat?.side !== undefined || seat?.isRead !== true
    case 'sealedPrice':
      // Who has not revealed does not win.
      return result === 'WIN'
    case 'picks':
      return false
  }
}

/** No move was ever due: for want of what, as far as the seat shows it. */
function whyNotDue({ playedBy, needsToken }: ModeTraits, seat: Seat): Hindrance {
  switch (playedBy) {
    case 'swaps':
      if (!seat.isRead) return 'unread'
      return seat.startsAt === undefined || (needsToken && seat.token === undefined) ? 'noPiece' : 'unasked'
    case 'side':
      return 'unasked'
    case 'picks':
      return seat.movesAhead === undefined ? 'unread' : 'noPiece'
    case 'sealedPrice':
      if (seat.movesAhead === undefined) return 'unread'
      return seat.lacksPiece || seat.entryId === undefined || seat.token === undefined ? 'noPiece' : 'unasked'
  }
}
