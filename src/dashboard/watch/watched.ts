import type { Observable } from 'rxjs'
import type { CornermanError } from '../../core/error.ts'
import type { BotStatus, OperatorCommand, OperatorOrder, PriceHistory, Step } from '../../pipeline/index.ts'
import type { BotConfig } from '../../strategy/config.ts'
import type { Phase, StreamView } from './views.ts'

// What the desk needs of the bots it watches. `cli/runs/start/fleet.ts` has it.

export interface WatchedBot {
  readonly name: string
  readonly config: BotConfig
  readonly phase: Phase
  readonly agentId: string | undefined
  /** Why it stopped before its time. */
  readonly failure: CornermanError | undefined
  /** Undefined before its pipeline runs. */
  status(): BotStatus | undefined
  stream(): StreamView
  /** Reads the service still takes of this key in the current minute. */
  readsLeft(): number | undefined
}

/** What the price feed knows, and its newest tick. */
export type NewestPrices = PriceHistory & { readonly tick: number }

export interface WatchedFleet {
  readonly bots: readonly WatchedBot[]
  /** Every step of every bot, and every change of a phase; synchronous with the bot. */
  readonly change$: Observable<{ readonly bot: Pick<WatchedBot, 'name'>; readonly step?: Step }>
  /** What the price feed knows. */
  readonly book: NewestPrices
}

export type HostProblemKind = 'fleetOrder' | 'fleetNotDurable' | 'fleetDatabase'
export interface HostProblem {
  readonly kind: HostProblemKind
  readonly message: string
}

/** What is known of the database and the other hosts of a fleet. */
export interface HostState {
  /** Whether the database has answered within the last seconds. */
  readonly isFresh: boolean
  /** What waits to be committed. */
  readonly queueBytes: number
  /** Undefined while nothing is known. */
  readonly seen: { readonly hosts: number; readonly unheld: number; readonly rolledBack: number } | undefined
  readonly problems: readonly HostProblem[]
}

/** What happens between a host of a fleet and its database. */
export type HostFact = { readonly type: 'kept'; readonly ms: number } | { readonly type: 'late' | 'fenced' | 'takenOver' | 'waits' }

/** This process, where it is a host of a fleet. */
export interface WatchedHost {
  readonly fact$: Observable<HostFact>
  state(): HostState
}

/** Passes on what the owner says at the desk: it holds from one run to the next. */
export interface Operator {
  /**
   * @param bot only this one; undefined: all
   * @returns what still stops more than this, for a person; undefined where nothing does
   */
  say(command: Exclude<OperatorCommand, 'drain'>, bot: string | undefined): string | undefined | Promise<string | undefined>
  /** Has a bot do something now, and tells what became of it once that is known. */
  order(bot: string, order: OperatorOrder): Promise<Ordered>
}

/** What became of an order. */
export interface Ordered {
  readonly isDone: boolean
  /** For a person: why it was not done, or what is not known yet. Undefined where it was done. */
  readonly message: string | undefined
}
