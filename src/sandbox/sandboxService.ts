import { HOUSE_BALANCE, HOUSE_GAS_LAMPORTS, House, nextTurnOf, type PlayedWorld, playOn } from '../contests/house/index.ts'
import {
  type AgentEvent,
  type Applied,
  apply,
  type Command,
  type CommandBody,
  type ContestsState,
  commandAt,
  saveContests,
} from '../contests/index.ts'
import type { Clock } from '../core/clock.ts'
import { invariant } from '../core/error.ts'
import type { Price } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import type { LandingShares } from './chain/fate.ts'
import type { LedgerService } from './chain/ledgerService.ts'
import type { Trading } from './chain/openTrading.ts'
import { walletFor } from './createWallet.ts'
import type { FaultPlan } from './faults/faultPlan.ts'
import { type Faults, NO_FAULTS } from './faults/faults.ts'
import type { PriceReplay } from './prices/priceReplay.ts'
import { foldStore, type VerifyReport, verifyStore } from './store/fold.ts'
import type { SandboxStore } from './store/sandboxStore.ts'

const SNAPSHOT_EVERY = 5000
const NEVER = Number.POSITIVE_INFINITY

/** Lamports a new agent has for fees: 1 SOL. */
export const GAS_LAMPORTS = 1_000_000_000n

/** Where events go besides the log. */
export interface Outbox {
  /** When each of these events is due at its agent's endpoint, by event id; those with nowhere to go are left out. */
  deliverAt(events: readonly AgentEvent[]): ReadonlyMap<string, number> | undefined
  /** The events are on the disk, and so is what is to be delivered. */
  posted(events: readonly AgentEvent[]): void
}

export interface SandboxServiceOptions {
  readonly clock: Clock
  readonly store: SandboxStore
  readonly replay: PriceReplay
  /** The longest a ticket waits for an opponent of the house. */
  readonly matchDelayMs: number
  /** Whether the house plays at all. Default true. */
  readonly house?: boolean
  /** Commands between two snapshots of the state. */
  readonly snapshotEvery?: number
  /** Default: events are only kept. */
  readonly outbox?: Outbox
  /** What becomes of agents' transactions. Default: `DEFAULT_LANDING`. */
  readonly landing?: LandingShares | undefined
  /** What goes wrong on request. Default: nothing. */
  readonly faults?: FaultPlan
}

/**
 * The shell around the contest engine: gives it the time and prices, writes down what it obeyed, and
 * lets the house play. Whatever falls due is done before every read and command, and by a timer.
 */
export class SandboxService implements LedgerService {
  readonly store: SandboxStore
  readonly #options: SandboxServiceOptions
  readonly #house: House | undefined
  readonly #world: PlayedWorld
  #state: ContestsState
  #trading: Promise<Trading> | undefined
  #closeTrading: (() => void) | undefined
  #cancelTimer: (() => void) | undefined
  #armedFor = NEVER

  /** Takes the state up where the store left it; `start` sets it going. */
  constructor(options: SandboxServiceOptions) {
    this.#options = options
    this.store = options.store
    this.#state = foldStore(this.store, options.replay.mints)
    const prices = { at: this.priceAt, volatilityPerSecond: options.replay.volatilityPerSecond }
    this.#house = options.house === false ? undefined : new House(this.store.identity.seed, options.matchDelayMs, prices)
    this.#world = { state: () => this.#state, house: this.#house, priceAt: this.priceAt, run: (command) => this.#run(command) }
  }

  /** Brings everything up to now, seats the house, and runs from then on. */
  start(): void {
    const startedAt = this.now()
    this.#house?.resume(this.#state)
    playOn(this.#world, startedAt)
    this.#run({ type: 'advance', now: startedAt })
    if (this.#house !== undefined) {
      this.#admit(this.#house, startedAt)
      this.#house.open(this.#state)
    }
    playOn(this.#world, startedAt)
    this.#arm()
  }

  get landing(): LandingShares | undefined {
    return this.#options.landing
  }

  get faults(): Faults {
    return this.#options.faults?.faults ?? NO_FAULTS
  }

  get clock(): Clock {
    return this.#options.clock
  }

  /** Unix milliseconds; never before a command that was obeyed, whatever the machine's clock does. */
  now(): number {
    return Math.max(this.#options.clock.now(), this.#state.now)
  }

  /**
   * Obeys or refuses a command, now. What was obeyed is durable on return.
   *
   * @param also writes what belongs to the command beside the log; not called for a refused one
   */
  dispatch(body: CommandBody, also?: () => void): Applied {
    // One look at the clock: what falls due after it must not be skipped over by the command.
    const now = this.now()
    playOn(this.#world, now)
    const applied = this.#obey(body, now, also)
    playOn(this.#world, now)
    this.#arm()
    return applied
  }

  /** Looks at the state as it is now. */
  read<T>(view: (state: ContestsState, now: number) => T): T {
    const now = this.now()
    playOn(this.#world, now)
    this.#arm()
    return view(this.#state, now)
  }

  /** The price of a token at an instant; `null` for a token without prices. */
  readonly priceAt = (mint: Mint, atMs: number): Price | null => this.#options.replay.at(mint, atMs - this.store.epochMs)

  /**
   * The chain and what trades on it. The VM is loaded when it is first asked for: a sandbox on which
   * nobody trades starts sooner and is 60 MB smaller.
   */
  trading(): Promise<Trading> {
    this.#trading ??= import('./chain/openTrading.ts').then(({ openTrading }) => {
      const trading = openTrading(this)
      this.#closeTrading = () => trading.desk.close()
      return trading
    })
    return this.#trading
  }

  /** Commands of the house that were refused since the start: each one is a fault of the house. */
  get houseRefusals(): number {
    return this.#house?.refusals ?? 0
  }

  /** Runs the whole log again and compares its events with the stored ones. */
  verify(): VerifyReport {
    return verifyStore(this.store, this.#options.replay.mints)
  }

  /** Stops the timer and closes the store; the next start reads a fresh snapshot. */
  close(): void {
    if (!this.store.isOpen) return
    this.#closeTrading?.()
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.store.saveSnapshot(saveContests(this.#state))
    this.store.close()
  }

  /** Once nothing is due by then. */
  #obey(body: CommandBody, now: number, also?: () => void): Applied {
    return this.#run(commandAt(this.#state, body, { now, priceAt: this.priceAt }), also)
  }

  #run(command: Command, also?: () => void): Applied {
    let applied: Applied
    try {
      applied = apply(this.#state, command)
      if (applied.ok) this.store.append(command, applied.events, { deliverAt: this.#options.outbox?.deliverAt(applied.events), also })
      else invariant(applied.events.length === 0, 'a refused command caused events', { type: command.type })
    } catch (thrown) {
      // Half of it may have been done: the log says what was. The house has noticed nothing yet.
      this.#state = foldStore(this.store, this.#options.replay.mints)
      throw thrown
    }
    if (applied.events.length > 0) this.#options.outbox?.posted(applied.events)
    this.#house?.notice(this.#state, command, applied)
    if (applied.ok && this.store.lastSeq % (this.#options.snapshotEvery ?? SNAPSHOT_EVERY) === 0) {
      this.store.saveSnapshot(saveContests(this.#state))
    }
    return applied
  }

  #arm(): void {
    const nextAt = nextTurnOf(this.#world)
    if (nextAt === this.#armedFor) return
    this.#cancelTimer?.()
    this.#armedFor = nextAt
    this.#cancelTimer = nextAt === NEVER ? undefined : this.#options.clock.at(nextAt, () => this.#tick())
  }

  #tick(): void {
    this.#armedFor = NEVER
    playOn(this.#world, this.now())
    this.#arm()
  }

  #admit(house: House, now: number): void {
    for (const [agentId, { handle, kind }] of house.members) {
      if (this.#state.agents.has(agentId)) continue
      const applied = this.#run({
        type: 'createAgent',
        agentId,
        handle,
        kind,
        house: true,
        walletAddress: walletFor(this.store, agentId).address,
        balance: HOUSE_BALANCE,
        gasLamports: HOUSE_GAS_LAMPORTS,
        caps: null,
        now,
      })
      invariant(applied.ok, `the house agent ${handle} was refused`, { handle })
    }
  }
}
