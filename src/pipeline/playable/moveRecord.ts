import type { ServiceEvent } from '../../contract/events.ts'
import { traitsOf } from '../../contract/modes.ts'
import { isLostRace, meaningOf } from '../../contract/refusals.ts'
import type { ServiceRefusal } from '../../contract/wire.ts'
import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import { type Entry, isEntry } from '../../guard/index.ts'
import { type Action, isMove, isSwap } from '../../strategy/action.ts'
import type { Seat } from '../books/books.ts'
import { joinableOf } from '../books/views.ts'
import type { Outcome } from '../protocol/outcome.ts'
import type { Present } from '../state/present.ts'
import type { StepDraft } from '../stepDraft.ts'
import type { LandedBetween } from '../swaps/swapState.ts'
import { wordsOf } from './hindrance.ts'
import type { Modes } from './modes.ts'
import { pauseText } from './owedMove.ts'
import type { PathWatch } from './pathWatch.ts'
import { HAS_PARTS, type Plays, type Unplayed } from './plays.ts'

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
  /** Mode under which the bot entered a contest that it cannot name. */
  readonly enteredAs: (contestId: string) => string | undefined
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

  /**
   * A swap of a contest was executed: a valid move, unless it landed after the end. One that may have landed on either side of it counts as what is more likely.
   *
   * @param landed undefined where nobody can say when
   */
  onSwapped(contestId: string, landed: LandedBetween | undefined): void {
    const { seat } = this.#settled.get(contestId) ?? { seat: this.#present.books.seats.get(contestId) }
    const endsAt = seat?.endsAt
    if (landed === undefined || endsAt === undefined || landed.from + landed.until <= 2 * endsAt) this.onMoved(contestId)
    else this.#options.plays.late(contestId, lateText(landed, endsAt))
  }

  /** A valid move was made in a contest. */
  onMoved(contestId: string): void {
    const { books, ended, step } = this.#present
    const { modes, plays } = this.#options
    // One that is over, and of which all is said, is not begun again.
    if (ended.has(contestId) && !plays.has(contestId)) return
    plays.moved(contestId)
    const mode = books.seats.get(contestId)?.mode
    const traits = traitsOf(mode)
    if (mode !== undefined) modes.happened(mode, { type: 'moved', isPart: traits !== undefined && HAS_PARTS[traits.playedBy] }, step)
  }

  /**
   * The state of a contest's mode was read, or could not be. Where a live contest lacks what a move needs, the next one would, too.
   *
   * @param unread why it could not be read, or what it lacks
   */
  onStateRead(contestId: string, { unread, isLacking }: { readonly unread: string | undefined; readonly isLacking: boolean }): void {
    const { books, ended, step } = this.#present
    const { modes, plays } = this.#options
    if (!ended.has(contestId)) plays.read(contestId, unread)
    const seat = isLacking ? books.seats.get(contestId) : undefined
    if (seat?.phase === 'live' && seat.mode !== undefined && plays.lacks(contestId))
      modes.happened(seat.mode, { type: 'hindered', hindrance: 'noPiece' }, step)
  }

  onConcluded(action: Action, outcome: Outcome): void {
    if (isEntry(action)) this.#onEntry(action, outcome)
    if (!isMove(action) || isSwap(action)) return
    const { plays } = this.#options
    if (outcome.status === 'rejected') plays.hindered(action.contestId, `refused:${outcome.refusal.code}`, outcome.refusal.message)
    if (outcome.status === 'notSent') plays.hindered(action.contestId, 'refused:NOT_SENT', outcome.reason)
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
      const { result, stake } = data
      const enteredAs = this.#options.enteredAs(contestId)
      const mode = enteredAs ?? data.mode
      const found = plays.settled({ contestId, mode: data.mode, result, at, seat, hasSwapped })
      const unplayed = found ?? (enteredAs === undefined ? undefined : UNNAMED_PLAY)
      if (unplayed === undefined) {
        if (seat !== undefined && traitsOf(mode) !== undefined) modes.happened(mode, { type: 'moved', isPart: false }, step)
        continue
      }
      const { hindrance, share } = unplayed
      sayUnplayed(step, { mode, contestId, stake }, unplayed)
      // The path was down, which is told of, and keeps what is played by swaps from being entered by itself.
      const isPathDown = path().explains(hindrance, seat?.startsAt ?? at)
      // The alarm has closed the mode, unless the operator has opened it since.
      const isExplained = isPathDown || (hindrance === 'unnamed' && modes.closed(mode) === undefined)
      if (share === undefined) modes.happened(mode, { type: 'unplayed', hindrance, stake, isExplained }, step)
      else modes.happened(mode, { type: 'partlyPlayed', hindrance, isExplained }, step)
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

function lateText({ from, until }: LandedBetween, endsAt: number): string {
  const seconds = (ms: number) => (ms / 1000).toFixed(1)
  return from < endsAt
    ? `its swap landed within ${seconds(until - from)} s of the end, and may not have counted`
    : `its swap landed ${seconds(from - endsAt)} to ${seconds(until - endsAt)} s after the end`
}

const UNNAMED_PLAY: Unplayed = {
  ...{ hindrance: 'unnamed', words: undefined, dueAt: undefined, askedAt: undefined, pause: undefined, share: undefined },
}

interface StakedContest {
  readonly mode: string
  readonly contestId: string
  readonly stake: Usdc
}

/** Names the money, the contest, the reason in words of the party that gave it, and what is on record of the move. */
function sayUnplayed(step: StepDraft, { mode, contestId, stake }: StakedContest, unplayed: Unplayed): void {
  const { hindrance, words, dueAt, askedAt, pause, share } = unplayed
  const why = pause === undefined ? `${wordsOf(hindrance)}${words === undefined ? '' : ` (${words})`}` : pauseText(pause)
  const staked = `${mode}: ${formatUsdc(stake)} USDC were staked on a contest in which`
  const about = { mode, contestId, stake, hindrance, words, dueAt, askedAt, pause }
  if (share === undefined) step.note('error', `${staked} this bot made no valid move: ${why}`, { code: 'UNPLAYED', ...about })
  else {
    const { made: picked, owed: picks } = share
    step.note('error', `${staked} this bot made ${picked} of the ${picks} picks that were its own: ${why}`, {
      ...{ code: 'UNPLAYED_PART', ...about, picked, picks },
    })
  }
}

/** Whether an entry was refused for when it was sent: a moment later it is not. */
const isOfMoment = (refusal: ServiceRefusal, action: string): boolean =>
  isLostRace(refusal, action) || meaningOf(refusal, action) === 'rate'
