import type { Result } from '../../contract/enums.ts'
import { type ModeTraits, traitsOf } from '../../contract/modes.ts'
import type { Seat } from '../books/books.ts'
import type { Hindrance } from './hindrance.ts'

/** How the playing of one contest has gone so far. */
interface Play {
  /** Whether a move was due, and could be asked for. */
  isDue: boolean
  isAsked: boolean
  /** Whether a move was taken that is none without another: a commitment. */
  hasBegun: boolean
  hasMoved: boolean
  hindrance: Hindrance | undefined
  /** Whether it was said that its answers lack what a move needs. */
  isLacking: boolean
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

/**
 * What became of the moves of each contest: an entry without a valid one is a stake that is lost, whatever the cause. A valid move is a
 * reveal or a pick that was taken, a swap that was executed, or a seat with a side.
 */
export class Plays {
  readonly #plays = new Map<string, Play>()
  #beganAt = Number.NEGATIVE_INFINITY

  /** @param moved contests in which an earlier run has moved */
  begin(at: number, moved: readonly string[]): void {
    this.#beganAt = at
    for (const contestId of moved) this.moved(contestId)
  }

  /** A move can be made now. */
  due(contestId: string): void {
    this.#of(contestId).isDue = true
  }

  asked(contestId: string): void {
    this.#of(contestId).isAsked = true
  }

  moved(contestId: string): void {
    this.#of(contestId).hasMoved = true
  }

  /** A move could not be made. The first reason stands. */
  hindered(contestId: string, hindrance: Hindrance): void {
    this.#of(contestId).hindrance ??= hindrance
  }

  /** @returns whether this is the first time that an answer lacks what a move needs, and no valid one was made */
  lacks(contestId: string): boolean {
    const play = this.#of(contestId)
    if (play.isLacking || play.hasMoved) return false
    play.isLacking = true
    return true
  }

  /** A move was taken that more have to follow: what stood in its way before is gone. */
  cleared(contestId: string): void {
    const play = this.#of(contestId)
    play.hindrance = undefined
    play.hasBegun = true
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

  /**
   * A contest is over.
   *
   * @returns why no valid move of this bot was made there; undefined where one was, or where nobody knows what a move is
   */
  settled(play: SettledPlay): Hindrance | undefined {
    const { contestId, mode, seat } = play
    const own = this.#of(contestId)
    this.forget(contestId)
    const traits = traitsOf(mode)
    if (seat === undefined || traits === undefined || own.hasMoved || hasMoved(traits, play)) return undefined
    if ((seat.endsAt ?? play.at) < this.#beganAt) return 'down'
    if (own.hindrance === undefined && own.hasBegun) return 'tooLate'
    if (own.hindrance !== undefined) return own.hindrance
    if (own.isAsked) return 'abstained'
    if (own.isDue) return 'unasked'
    return this.#cameLate(traits, seat) ? 'down' : whyNotDue(traits, seat)
  }

  /** Its window had begun when this run did, and nothing was to be moved in it any more. */
  #cameLate({ playedBy }: ModeTraits, { startsAt, movesAhead, lacksPiece }: Seat): boolean {
    if (playedBy !== 'picks' && playedBy !== 'sealedPrice') return false
    return movesAhead === false && !lacksPiece && startsAt !== undefined && startsAt < this.#beganAt
  }

  #of(contestId: string): Play {
    const known = this.#plays.get(contestId)
    if (known !== undefined) return known
    const play: Play = { isDue: false, isAsked: false, hasBegun: false, hasMoved: false, hindrance: undefined, isLacking: false }
    this.#plays.set(contestId, play)
    return play
  }
}

function hasMoved({ playedBy }: ModeTraits, { seat, result, hasSwapped }: SettledPlay): boolean {
  switch (playedBy) {
    case 'swaps':
      return hasSwapped
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
