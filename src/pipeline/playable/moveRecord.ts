import { traitsOf } from '../../contract/modes.ts'
import type { ProcedureInput } from '../../contract/procedures.ts'
import { isLostRace, meaningOf } from '../../contract/refusals.ts'
import type { ServiceRefusal } from '../../contract/wire.ts'
import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import { type Entry, isEntry } from '../../guard/index.ts'
import { isMove, isSwap } from '../../strategy/action.ts'
import type { Seat } from '../books/books.ts'
import { joinableOf } from '../books/views.ts'
import type { Stores } from '../coordinator/stores.ts'
import type { FactOf } from '../protocol/facts.ts'
import type { Present } from '../state/present.ts'
import type { StepDraft } from '../stepDraft.ts'
import type { LandedBetween } from '../swaps/swapState.ts'
import { wordsOf } from './hindrance.ts'
import type { ModeHappening } from './modeRecord.ts'
import { pauseText } from './owedMove.ts'
import { HAS_PARTS, Plays, type Unplayed } from './plays.ts'

/** A contest that was settled, as it stood before. */
interface SettledContest {
  readonly data: SettledEvent['data']
  /** Unix milliseconds. */
  readonly at: number
  readonly seat: Seat | undefined
  readonly hasSwapped: boolean
}

type SettledEvent = Extract<FactOf<'news'>['event'], { type: 'contest.settled' }>

type Read = Pick<Stores, 'intents' | 'modes' | 'path' | 'portfolios' | 'swaps' | 'unnamed'>

/** Which contests were played by a valid move, and which were not: what that says of their modes. */
export class MoveRecord {
  readonly #present: Present
  readonly #stores: Read
  readonly plays: Plays
  /** Contests that were settled, and of whose moves it is not known yet what became of them. */
  readonly #settled = new Map<string, SettledContest>()

  constructor(present: Present, stores: Read) {
    this.#present = present
    this.#stores = stores
    this.plays = new Plays(present)
  }

  /**
   * A swap of a contest was executed: a valid move, unless it landed after the end. One that may have landed on either side of it counts as what is more likely.
   */
  onSwapFilled({ action, fill: { contestId }, landed }: FactOf<'swapFilled'>): void {
    if (action.type !== 'swap') return
    const { seat } = this.#settled.get(contestId) ?? { seat: this.#present.books.seats.get(contestId) }
    const endsAt = seat?.endsAt
    if (landed === undefined || endsAt === undefined || landed.from + landed.until <= 2 * endsAt) this.onMoved(contestId)
    else this.plays.late(contestId, lateText(landed, endsAt))
  }

  /** A valid move was made in a contest. */
  onMoved(contestId: string): void {
    const { books, ended } = this.#present
    const { plays } = this
    // One that is over, and of which all is said, is not begun again.
    if (ended.has(contestId) && !plays.has(contestId)) return
    plays.moved(contestId)
    const mode = books.seats.get(contestId)?.mode
    const traits = traitsOf(mode)
    if (mode !== undefined) this.#happened(mode, { type: 'moved', isPart: traits !== undefined && HAS_PARTS[traits.playedBy] })
  }

  /** The state of a contest's mode was read, or could not be. Where a live contest lacks what a move needs, the next one would, too. */
  onFolded({ answer: { request, result }, missing }: FactOf<'answerFolded'>): void {
    if (request.procedure !== 'agent.modes.state') return
    const { contestId } = request.input as ProcedureInput<'agent.modes.state'>
    const unread = result.ok ? missing?.message : result.reason
    const isLacking = missing !== undefined
    const { books, ended } = this.#present
    const { plays } = this
    if (!ended.has(contestId)) plays.read(contestId, unread)
    const seat = isLacking ? books.seats.get(contestId) : undefined
    if (seat?.phase === 'live' && seat.mode !== undefined && plays.lacks(contestId))
      this.#happened(seat.mode, { type: 'hindered', hindrance: 'noPiece' })
  }

  /** Something stood in the way of a move. In a contest that is over nothing is a move, unless it is still to be said what became of it. */
  onHindered({ contestId, hindrance, words }: FactOf<'moveHindered'>): void {
    if (!this.#present.ended.has(contestId) || this.plays.has(contestId)) this.plays.hindered(contestId, hindrance, words)
  }

  onConcluded({ action, outcome }: FactOf<'concluded'>): void {
    if (isEntry(action)) this.#onEntry(action, outcome)
    if (!isMove(action) || isSwap(action)) return
    const { plays } = this
    if (outcome.status === 'rejected') plays.hindered(action.contestId, `refused:${outcome.refusal.code}`, outcome.refusal.message)
    if (outcome.status === 'notSent') plays.hindered(action.contestId, 'refused:NOT_SENT', outcome.reason)
  }

  onNews({ event, seat }: FactOf<'news'>): void {
    if (event.type !== 'contest.settled') return
    const { data, createdAt } = event
    this.plays.keep(data.contestId)
    this.#settled.set(data.contestId, { data, at: createdAt, seat, hasSwapped: this.#stores.portfolios.open.has(data.contestId) })
  }

  /** Of one that is over, and of which nothing is still to be said, nothing is kept. */
  onContestEnded({ contestId }: FactOf<'contestEnded'>): void {
    if (!this.#settled.has(contestId)) this.plays.forget(contestId)
  }

  /** A stake that ends without a valid move is told of, whatever the cause, once it is known what became of its moves. */
  tend(): void {
    if (this.#settled.size === 0) return
    const { step } = this.#present
    const { plays } = this
    const { modes, path, unnamed } = this.#stores
    for (const [contestId, { data, at, seat, hasSwapped }] of this.#settled) {
      if (this.#isMoveOpen(contestId)) continue
      this.#settled.delete(contestId)
      const { result, stake } = data
      const enteredAs = unnamed.enteredAs(contestId)
      const mode = enteredAs ?? data.mode
      const found = plays.settled({ contestId, mode: data.mode, result, at, seat, hasSwapped })
      const unplayed = found ?? (enteredAs === undefined ? undefined : UNNAMED_PLAY)
      if (unplayed === undefined) {
        if (seat !== undefined && traitsOf(mode) !== undefined) this.#happened(mode, { type: 'moved', isPart: false })
        continue
      }
      const { hindrance, share } = unplayed
      sayUnplayed(step, { mode, contestId, stake }, unplayed)
      // The path was down, which is told of, and keeps what is played by swaps from being entered by itself.
      const isPathDown = path.explains(hindrance, seat?.startsAt ?? at)
      // The alarm has closed the mode, unless the operator has opened it since.
      const isExplained = isPathDown || (hindrance === 'unnamed' && modes.closed(mode) === undefined)
      if (share === undefined) this.#happened(mode, { type: 'unplayed', hindrance, stake, isExplained })
      else this.#happened(mode, { type: 'partlyPlayed', hindrance, isExplained })
    }
  }

  /** Whether a move in it is under way, or may have been taken. */
  #isMoveOpen(contestId: string): boolean {
    const { intents, swaps } = this.#stores
    const isUnderWay = intents.isUnderWay({ type: 'draftPick', contestId, token: '' }) || swaps.underWayIn(contestId) > 0
    return isUnderWay || this.#present.books.custody.get(contestId)?.status === 'committed'
  }

  /** A mode whose entries are refused again and again is closed. */
  #onEntry(action: Entry, outcome: FactOf<'concluded'>['outcome']): void {
    const { books } = this.#present
    const mode =
      action.type === 'joinContest' ? (books.seats.get(action.contestId) ?? joinableOf(books, action.contestId))?.mode : action.mode
    if (mode === undefined) return
    if (outcome.status === 'accepted') this.#happened(mode, { type: 'entered', action: action.type === 'joinContest' ? undefined : action })
    else if (outcome.status === 'rejected' && !isOfMoment(outcome.refusal, action.type))
      this.#happened(mode, { type: 'entryRefused', code: outcome.refusal.code })
  }

  #happened(mode: string, happening: ModeHappening): void {
    this.#present.tell({ type: 'mode', mode, happening })
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
