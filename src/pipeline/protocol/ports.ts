import { defer, type Observable } from 'rxjs'
import type { ReadName } from '../../contract/procedures.ts'
import type { Reading } from '../../contract/shapes/reading.ts'
import type { Clock } from '../../core/clock.ts'
import type { Price } from '../../core/price.ts'
import type { TokenFacts } from '../../core/tokenFacts.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { LedgerFacts } from '../../guard/index.ts'
import type { Strategy } from '../../strategy/define.ts'
import type { Fill } from '../../strategy/view.ts'
import type { ModeRecord } from '../playable/modeRecord.ts'
import type { Pause } from '../playable/owedMove.ts'
import type { PriceHistory } from '../prices/priceHistory.ts'
import type {
  ActionCounts,
  Claim,
  Custody,
  InputBody,
  InputOf,
  Intent,
  OperatorWord,
  ReadRequest,
  ReadResult,
  SentTransaction,
  SiblingEntry,
  SwapRecord,
} from './input.ts'
import type { JournalRecord } from './journalRecord.ts'
import type { Outcome } from './outcome.ts'
import type { PastFacts } from './pastFacts.ts'
import type { ActionRequest } from './request.ts'
import type { Step } from './step.ts'
import type { Swapper } from './swapper.ts'

export type * from './swapper.ts'

// What the pipeline needs of the world. Live, backtest and replay hand in different ones, and that
// is all they do differently.

/** The ordered event stream of one agent. Never ends by itself; errors stop the bot. */
export interface EventSource {
  /** Starts after `cursor`; undefined starts at the very first event. */
  from(cursor: string | undefined): Observable<Extract<InputBody, { type: 'event' | 'caughtUp' | 'behind' | 'restored' }>>
}

/** What is asked of it goes out when its answer is subscribed to, once; a simulated world answers on its own clock, or at once. */
export interface ContestService {
  /** One answer. Never fails: what goes wrong is a result. */
  read<N extends ReadName>(request: ReadRequest<N>): Observable<ReadResult<N>>
  /** Sends once, and answers once. Never fails: a lost answer is `unknown`. */
  act(request: ActionRequest): Observable<Outcome>
  /** An answer later than this is lost. */
  readonly timeoutMs: number
  /** What was given up may still arrive for so long, where that is longer than the timeout says: through a proxy. */
  readonly mayArriveForMs?: number | undefined
  /** The figures of money it gives hold for so long, unless the bot's own doings move them. Milliseconds; infinite where nothing else can. */
  readonly figuresHoldMs: number
  /** How its answers are read, as the bot begins; undefined where nothing of them is unknown. */
  readonly reading?: Reading | undefined
}

/** Of a real service: its owner may move money too, and a day of it may end. */
export const FIGURES_HOLD_MS = 60_000

/** One across a network, for whoever asks it outside of a pipeline: its answers are promises. */
export interface RemoteService extends Omit<ContestService, 'read' | 'act'> {
  read<N extends ReadName>(request: ReadRequest<N>): Promise<ReadResult<N>>
  act(request: ActionRequest): Promise<Outcome>
}

/** All of a service but its answers. A spread of an instance would leave out what its class computes. */
export const limitsOf = (service: Omit<ContestService, 'read' | 'act'>): Omit<ContestService, 'read' | 'act'> => ({
  timeoutMs: service.timeoutMs,
  mayArriveForMs: service.mayArriveForMs,
  figuresHoldMs: service.figuresHoldMs,
  reading: service.reading,
})

/** A remote service, as a pipeline asks it. */
export const askedRemotely = (service: RemoteService): ContestService => ({
  ...limitsOf(service),
  read: (request) => defer(() => service.read(request)),
  act: (request) => defer(() => service.act(request)),
})

export interface Market {
  readonly book: PriceHistory
  /** The ticks of the book as they come; only the newest matters to a late reader. */
  readonly tick$: Observable<number>
}

/** What the journal gives back after a crash or a stop. */
export interface JournalContents {
  readonly cursor: string | undefined
  /** What is folded of events and fills; undefined where nothing is. */
  readonly facts?: PastFacts | undefined
  readonly ledger?: LedgerFacts | undefined
  /** Rows that are not what was written and that the bot can do without, each in words that show nothing of them. */
  readonly faults?: readonly string[]
  /** Every event that is not folded, and those of contests that are open, raw, oldest first. */
  readonly events: Iterable<unknown>
  /** Intents that have no outcome: each may have been sent. */
  readonly pending: readonly Intent[]
  readonly custody: readonly Custody[]
  /** Tickets and contests that accepted intents made or joined. */
  readonly claimed: readonly Claim[]
  /** Tickets of accepted actions that were not taken back since, the newest hundred: what became of them the events may say. */
  readonly tickets: readonly string[]
  /** Contests whose seat the bot gave back and did not take again: no event says so. */
  readonly left: readonly string[]
  /** Contests that were joined by a policy which readies its seat itself, the newest hundred. */
  readonly ownReadies: readonly string[]
  /** Contests in which picks were taken, once for each of the newest hundred picks. */
  readonly picked: readonly string[]
  /** Contests whose prediction was shown, the newest hundred: their salts are not in custody any more. */
  readonly revealed: readonly string[]
  /** What is known of the playing of modes; undefined where none is ever closed. */
  readonly modes?: readonly ModeRecord[] | undefined
  /**
   * The end of the stream when the journal was made: events up to this cursor are no news. Null: the stream was empty. Empty text: the service did
   * not say, and news begin where the stream is first read to its end. Absent in journals of before, where `madeAt` decides.
   */
  readonly newsAfter?: string | null | undefined
  /** When the journal was made, in Unix milliseconds. Undefined where it does not say. */
  readonly madeAt: number | undefined
  /** The newest swaps that were sent, whatever became of them: those of the last minute are among them. */
  readonly sent: readonly SentTransaction[]
  /** Of swaps among `pending` that were sent, or may have been. */
  readonly swaps: readonly SwapRecord[]
  /** Every executed swap that is not folded, oldest first. */
  readonly fills: readonly Fill[]
  readonly counts: ActionCounts
  /** The number of the last input that was written: the next run counts on. */
  readonly lastInput: number
}

export interface Journal {
  load(): JournalContents
  commit(record: JournalRecord): void
}

/** Keeps what happened to a bot, and what it decided, for replays and backtests. */
export interface Recorder {
  /** Written before the journal; where the step sends something it is on the disk when this returns (law 4). */
  record(step: Step): void
  /** A price that led to nothing, which is no step: without it a recording would replay to other prices. */
  price(input: InputOf<'prices'>): void
}

/** A prediction's secret and the commitment that hides it. */
export interface Seal {
  readonly salt: string
  readonly commitment: string
}

/** How bots of one config hear of one another's entries. */
export interface Siblings {
  readonly heard$: Observable<Extract<InputBody, { type: 'siblingEntered' | 'siblingLeft' }>>
  entered(entry: SiblingEntry): void
  left(bot: string, key: string): void
}

/** An input, and what was known of prices then. */
export interface Moment {
  readonly n: number
  /** Unix milliseconds. */
  readonly at: number
  readonly tick: number
}

/** What a strategy that runs elsewhere is told besides what it is handed itself. */
export interface Present {
  /** The input that is being processed, or was last. */
  moment(): Moment
  /** Whether the stream has been read to its end: periods that end meanwhile are not told. */
  isCaughtUp(): boolean
  /** The ticks that strategies are told of. */
  readonly tick$: Observable<number>
}

/** Where strategies run that must not hold the bot up (`isolate`). */
export interface Isolation {
  /**
   * What the bot asks in place of the strategy. Whatever it says comes as an input of its own, at once or later.
   *
   * @param place of the strategy in its bot's config, from 0
   */
  standInFor(strategy: Strategy, place: number, present: Present): Strategy
}

/** In the bot's own thread: for strategies whose past is known. */
export const inPlace: Isolation = { standInFor: (strategy) => strategy }

export interface Ports {
  readonly clock: Clock
  /** How far `clock` is ahead of this machine's, in milliseconds, whenever that changes; absent: never. */
  readonly skewMs$?: Observable<number>
  /** How far `clock` is ahead of the service's, in milliseconds, whenever that changes; absent: never. */
  readonly lagMs$?: Observable<number>
  /** How far this machine's clock is ahead of the service's, while that is more than an hour; else 0. Milliseconds. */
  readonly gapMs$?: Observable<number>
  /** Times of over a second in which the process or its clock stood still; absent: there are none. */
  readonly pause$?: Observable<Pause>
  /** USDC of the agent's wallet on the chain, in micro-USDC, read after each bankroll; absent without an RPC. */
  readonly chainUsdc$?: Observable<Usdc>
  /** Why the price feed gives no price to swap at, whenever that changes; undefined: it does. Absent: it always does. */
  readonly feedTrouble$?: Observable<string | undefined>
  readonly events: EventSource
  readonly service: ContestService
  readonly market: Market
  readonly swapper: Swapper
  /** What is known of tokens beside the table, and whatever changes of it; absent: nothing. */
  readonly tokens$?: Observable<readonly TokenFacts[]>
  readonly journal: Journal
  readonly siblings: Siblings
  readonly operator$: Observable<OperatorWord>
  readonly recorder: Recorder
  readonly isolation: Isolation
  /** Seals a prediction, with a fresh salt from the system's secure randomness; a replay plays recorded commitments. */
  seal(price: Price, entryId: string): Seal
}
