import type { ServiceEvent } from '../../contract/events.ts'
import { isLostRace, meaningOf } from '../../contract/refusals.ts'
import type { ServiceRefusal } from '../../contract/wire.ts'
import { formatUsdc } from '../../core/usdc.ts'
import { type Entry, isEntry } from '../../guard/index.ts'
import type { Action } from '../../strategy/action.ts'
import type { Seat } from '../books/books.ts'
import { joinableOf } from '../books/views.ts'
import type { Outcome } from '../protocol/outcome.ts'
import type { Present } from '../state/present.ts'
import { wordsOf } from './hindrance.ts'
import type { Modes } from './modes.ts'
import type { PathWatch } from './pathWatch.ts'
import type { Plays } from './plays.ts'

/** A contest that was settled, as it stood before. */
interface SettledContest {
  readonly data: SettledEvent['data']
  /** Unix milliseconds. */
  readonly at: number
  readonly seat: Seat | undefined
  readonly hasSwapped: boolean
}

type SettledEvent = Extract<ServiceEvent, { type: 'contest.settled' }>

interface MoveRecordOptions {
  readonly modes: Modes
  readonly plays: Plays
  readonly path: () => PathWatch
  /** Whether a pick or a swap in a contest is under way. */
  readonly isUnderWay: (contestId: string) => boolean
}

/** Which contests were played by a valid move, and which were not: what that says of their modes. */
export class MoveRecord {
  readonly #present: Present
  readonly #options: MoveRecordOptions
  /** Contests that were settled, and of whose moves it is not known yet what became of them. */
  readonly #settled = new Map<string, SettledContest>()

  constructor(present: Present, options: MoveRecordOptions) {
    this.#present = present
    this.#options = options
  }

  /** A valid move was made in a contest. */
  onMoved(contestId: string): void {
    const { books, ended, step } = this.#present
    const { modes, plays } = this.#options
    // One that is over, and of which all is said, is not begun again.
    if (ended.has(contestId) && !plays.has(contestId)) return
    plays.moved(contestId)
    const mode = books.seats.get(contestId)?.mode
    if (mode !== undefined) modes.happened(mode, { type: 'moved' }, step)
  }

  /** A live contest lacks what a move needs: the next one would, too. */
  onLacking(contestId: string): void {
    const { books, step } = this.#present
    const { modes, plays } = this.#options
    const seat = books.seats.get(contestId)
    if (seat?.phase === 'live' && seat.mode !== undefined && plays.lacks(contestId))
      modes.happened(seat.mode, { type: 'hindered', hindrance: 'noPiece' }, step)
  }

  onConcluded(action: Action, outcome: Outcome): void {
    if (isEntry(action)) this.#onEntry(action, outcome)
    if (action.type !== 'draftPick' && action.type !== 'commitPrediction' && action.type !== 'revealPrediction') return
    const { plays } = this.#options
    if (outcome.status === 'rejected') plays.hindered(action.contestId, `refused:${outcome.refusal.code}`)
    if (outcome.status === 'notSent') plays.hindered(action.contestId, 'refused:NOT_SENT')
  }

  /** @param seat as it stood before */
  onSettled({ data, createdAt }: SettledEvent, { seat, hasSwapped }: Pick<SettledContest, 'seat' | 'hasSwapped'>): void {
    this.#options.plays.keep(data.contestId)
    this.#settled.set(data.contestId, { data, at: createdAt, seat, hasSwapped })
  }

  /** Of one that is over, and of which nothing is still to be said, nothing is kept. */
  onContestEnded(contestId: string): void {
    if (!this.#settled.has(contestId)) this.#options.plays.forget(contestId)
  }

  /** A stake that ends without a valid move is told of, whatever the cause, once it is known what became of its moves. */
  tend(): void {
    if (this.#settled.size === 0) return
    const { step } = this.#present
    const { modes, plays, path } = this.#options
    for (const [contestId, { data, at, seat, hasSwapped }] of this.#settled) {
      if (this.#isMoveOpen(contestId)) continue
      this.#settled.delete(contestId)
      const { mode, result, stake } = data
      const hindrance = plays.settled({ contestId, mode, result, at, seat, hasSwapped })
      if (hindrance === undefined) {
        if (seat !== undefined) modes.happened(mode, { type: 'moved' }, step)
        continue
      }
      const message = `${mode}: ${formatUsdc(stake)} USDC were staked on a contest in which this bot made no valid move: ${wordsOf(hindrance)}`
      step.note('error', message, { code: 'UNPLAYED', mode, contestId, stake, hindrance })
      // The path was down, which is told of, and keeps what is played by swaps from being entered by itself.
      const isExplained = hindrance.startsWith('swap:') && path().wasDownSince(seat?.startsAt ?? at)
      modes.happened(mode, { type: 'unplayed', hindrance, stake, isExplained }, step)
    }
  }

  /** Whether a move in it is under way, or may have been taken. */
  #isMoveOpen(contestId: string): boolean {
    return this.#options.isUnderWay(contestId) || this.#present.books.custody.get(contestId)?.status === 'committed'
  }

  /** A mode whose entries are refused again and again is closed. */
  #onEntry(action: Entry, outcome: Outcome): void {
    const { books, step } = this.#present
    const { modes } = this.#options
    const mode =
      action.type === 'joinContest' ? (books.seats.get(action.contestId) ?? joinableOf(books, action.contestId))?.mode : action.mode
    if (mode === undefined) return
    if (outcome.status === 'accepted')
      modes.happened(mode, { type: 'entered', action: action.type === 'joinContest' ? undefined : action }, step)
    else if (outcome.status === 'rejected' && !isOfMoment(outcome.refusal, action.type))
      modes.happened(mode, { type: 'entryRefused', code: outcome.refusal.code }, step)
  }
}

/** Whether an entry was refused for when it was sent: a moment later it is not. */
const isOfMoment = (refusal: ServiceRefusal, action: string): boolean =>
  isLostRace(refusal, action) || meaningOf(refusal, action) === 'rate'
