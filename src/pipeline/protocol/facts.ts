import type { ServiceEvent } from '../../contract/events.ts'
import type { CornermanError } from '../../core/error.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Refusal, Reservations } from '../../guard/index.ts'
import type { Action, ServiceAction, SwapAction } from '../../strategy/action.ts'
import type { Fill, SwapOutcome } from '../../strategy/view.ts'
import type { Books, Realised, Seat } from '../books/books.ts'
import type { Accepted } from '../books/foldAccepted.ts'
import type { Bankroll } from '../money/foldFigures.ts'
import type { Hindrance } from '../playable/hindrance.ts'
import type { ModeHappening } from '../playable/modeRecord.ts'
import type { PathFailure } from '../playable/swapPath.ts'
import type { ContestEnd } from '../seat/custodyMachine.ts'
import type { LandedBetween } from '../swaps/swapState.ts'
import type { InputOf, SiblingEntry } from './input.ts'
import type { IntentStatus } from './journalRecord.ts'
import type { Outcome } from './outcome.ts'
import type { TaskKeyOf } from './taskKey.ts'

/** An event of the stream, in the bot's own time. `before`: the books without it. `isRepeated`: it ends what has ended before. `contradiction`: of the service with itself. */
export interface HeardEvent<E extends ServiceEvent = ServiceEvent> {
  readonly type: 'event'
  readonly event: E
  readonly recorded: boolean
  readonly cursor: string | undefined
  readonly isRepeated: boolean
  readonly contradiction: string | undefined
  readonly before: Books
}

/** Everything that one part of a bot tells the others: whoever hears it acts at once, in the order of the parts. Times are Unix milliseconds. */
export type Fact =
  | HeardEvent
  /** An event that is no history. `seat`: as it stood before. */
  | { readonly type: 'news'; readonly event: ServiceEvent; readonly seat: Seat | undefined }
  /** A read came to an answer, or to none. `askedIn`: number of the input that asked; undefined of an earlier run. `againAt`: the same read is due again then. */
  | {
      readonly type: 'answered'
      readonly answer: InputOf<'answer'>
      readonly askedIn: number | undefined
      readonly againAt: number | undefined
    }
  /** An answer was taken in, and lacks nothing or this field. */
  | { readonly type: 'answerFolded'; readonly answer: InputOf<'answer'>; readonly missing: CornermanError | undefined }
  | { readonly type: 'readAgain'; readonly purpose: TaskKeyOf<'seats'>; readonly at: number }
  | { readonly type: 'caughtUp' }
  /** A sibling bot has money no more in what it told. */
  | { readonly type: 'siblingGone'; readonly entry: SiblingEntry }
  // Contests, tickets and seats.
  /** `isSupposed`: no event has said so. */
  | {
      readonly type: 'contestEnded'
      readonly contestId: string
      readonly how: ContestEnd
      readonly at: number
      readonly isSupposed: boolean
    }
  /** No event has said so. */
  | { readonly type: 'ticketEnded'; readonly ticketId: string }
  | { readonly type: 'supposedLost'; readonly lost: Realised }
  /** A ticket or contest has come to something: there may be room for another. */
  | { readonly type: 'moneyFreed'; readonly isPast: boolean }
  | { readonly type: 'seatTended'; readonly seat: Seat }
  | { readonly type: 'seatsTended' }
  /** A contest is about to be joined. */
  | { readonly type: 'joining'; readonly contestId: string }
  // Actions. `by`: the strategy that asks, `framework` or `operator`.
  | { readonly type: 'wished'; readonly action: ServiceAction; readonly by: string }
  | { readonly type: 'held'; readonly reservation: Parameters<Reservations['reserve']>[0] }
  | { readonly type: 'entrySent'; readonly key: string; readonly stake: Usdc; readonly mode: string | undefined; readonly by: string }
  /** An action took effect. */
  | ({ readonly type: 'actionTaken' } & Accepted)
  /** An action came to nothing. `wasLeft`: it was to join a contest whose seat was given back. */
  | {
      readonly type: 'actionFailed'
      readonly action: ServiceAction
      readonly key: string
      readonly status: IntentStatus
      readonly wasLeft: boolean
    }
  /** The answer to an action that counts. */
  | { readonly type: 'concluded'; readonly action: ServiceAction; readonly outcome: Outcome }
  /** The guard keeps an action back. `atStake`: a stake that is lost if nothing follows. */
  | {
      readonly type: 'refused'
      readonly strategy: string
      readonly action: Action
      readonly refusal: Refusal
      readonly words: string
      readonly atStake: Usdc | undefined
    }
  | { readonly type: 'entryClosed'; readonly key: string }
  | { readonly type: 'predictionDropped'; readonly contestId: string }
  | { readonly type: 'predictionEnded'; readonly status: 'revealed' | 'missed' }
  // Swaps.
  | { readonly type: 'swapWished'; readonly action: SwapAction; readonly by: string; readonly how: 'queued' | 'ordered' | 'sweep' }
  | { readonly type: 'swapWithdrawn'; readonly by: string; readonly contestId: string }
  | {
      readonly type: 'swapFilled'
      readonly key: string
      readonly by: string
      readonly action: SwapAction
      readonly fill: Fill
      readonly bankroll: Bankroll | undefined
      readonly landed: LandedBetween | undefined
    }
  /** `isSent`: the service had it. `bankroll`: what it left, where that came with it. */
  | {
      readonly type: 'swapFailed'
      readonly key: string
      readonly status: IntentStatus
      readonly bankroll: Bankroll | undefined
    }
  | { readonly type: 'swapRefused'; readonly key: string }
  | { readonly type: 'swapConcluded'; readonly by: string; readonly contestId: string; readonly outcome: SwapOutcome }
  | { readonly type: 'swapKeptBack'; readonly refusal: Refusal }
  | { readonly type: 'pathFailed'; readonly failure: PathFailure }
  | { readonly type: 'walletBusy'; readonly reason: string }
  | { readonly type: 'walletFree' }
  | { readonly type: 'bankrollWanted' }
  | { readonly type: 'bankrollRead'; readonly available: Usdc; readonly begunAt: number; readonly swapsInFlight: Usdc }
  /** Swaps do not come through: it is told with each input meanwhile. */
  | { readonly type: 'pathDown' }
  // Moves. `place`: of the move among the bot's own. `awaitsAnswer`: the strategy owes one. `isMove`: it wants one.
  | { readonly type: 'moveDue'; readonly contestId: string; readonly place: number | undefined }
  | { readonly type: 'moveAsked'; readonly contestId: string; readonly awaitsAnswer: boolean }
  | { readonly type: 'moveAnswered'; readonly contestId: string; readonly isMove: boolean }
  | { readonly type: 'moveHindered'; readonly contestId: string; readonly hindrance: Hindrance; readonly words: string | undefined }
  | { readonly type: 'moveCleared'; readonly contestId: string }
  | { readonly type: 'moveMade'; readonly contestId: string }
  | { readonly type: 'mode'; readonly mode: string; readonly happening: ModeHappening }
  /** Queue policies are to be asked: in this step, or a little later. */
  | { readonly type: 'decisionWanted'; readonly isSoon: boolean }

export type FactOf<T extends Fact['type']> = Extract<Fact, { readonly type: T }>
