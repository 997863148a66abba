import { invariant } from '../core/error.ts'
import type { Usdc } from '../core/usdc.ts'

/** What an approval holds back while it may still take effect. */
export interface Hold {
  /** `entry`: a ticket or a seat; `swap`: a swap or a sweep; `move`: everything else. */
  readonly kind: 'entry' | 'swap' | 'move'
  /** USDC it may take out of the wallet. */
  readonly stake: Usdc
  /** The most it can lose by itself: of an entry its stake, of a swap what it may give away against the price feed. */
  readonly risk: Usdc
  /** Of an entry: the mode, and the strategy that asked. Their budgets are of stakes; one of unknown mode counts in that of every mode. */
  readonly mode?: string | undefined
  readonly by?: string | undefined
}

/**
 * What an approval holds until the money it may cost is counted elsewhere:
 *
 * - `pending`: approved, its outcome not known (in flight, or `unknown`);
 * - `placed`: accepted, so the bot's own books count it, but the service's figures may be older.
 */
interface Reservation extends Hold {
  readonly key: string
  /** Equal for two actions that would do the same thing. */
  readonly identity: string
}

interface Placed {
  readonly stake: Usdc
  readonly isEntry: boolean
  /** The number of the input that told of it. */
  readonly placedIn: number
}

/** Identities that nothing holds any more, beyond which they are forgotten. */
const MOST_VACANT = 1024

/**
 * The ledger of approvals. Money is reserved in the check itself, so two actions never pass on the
 * same money, and it is counted at least once at every moment: here, or in figures read afterwards.
 * Every figure is kept as a sum: a decision costs the same whatever is open.
 */
export class Reservations {
  readonly #pending = new Map<string, Reservation>()
  readonly #placed = new Map<string, Placed>()
  /**
   * The key that holds each identity. One that is given up is emptied, not deleted: a Map looks through what was deleted
   * until it grows, and the same few identities come and go all day.
   */
  readonly #holders = new Map<string, string | undefined>()
  #vacant = 0
  readonly #pendingByMode = new Map<string | undefined, Usdc>()
  readonly #pendingByStrategy = new Map<string, Usdc>()
  readonly #entriesByMode = new Map<string | undefined, number>()
  #pendingStake: Usdc = 0n
  #pendingRisk: Usdc = 0n
  #pendingEntries = 0
  #pendingSwapSpend: Usdc = 0n
  #unseenStake: Usdc = 0n
  #unseenSpend: Usdc = 0n

  /** Approvals whose outcome is not known yet. */
  get pendingCount(): number {
    return this.#pending.size
  }

  /** Stakes of entries approved whose outcome is not known yet. */
  get pendingStake(): Usdc {
    return this.#pendingStake
  }

  /** What all that is approved and without an outcome can lose: entries their stakes, swaps their own worst cost. */
  get pendingRisk(): Usdc {
    return this.#pendingRisk
  }

  /** Entries (tickets and seats) approved whose outcome is not known yet. */
  get pendingEntries(): number {
    return this.#pendingEntries
  }

  /** Entries approved whose outcome is not known yet, of modes that the test accepts; undefined: the mode is not known. */
  pendingEntriesOf(isOf: (mode: string | undefined) => boolean): number {
    let count = 0
    for (const [mode, entries] of this.#entriesByMode) if (isOf(mode)) count += entries
    return count
  }

  /** Stakes of entries the service's figures may not show: pending ones, and those placed since they were read. */
  get unseenStake(): Usdc {
    return this.#unseenStake
  }

  /** USDC that swaps without an outcome may have spent. */
  get pendingSwapSpend(): Usdc {
    return this.#pendingSwapSpend
  }

  /** USDC that the bankroll may still show and that is spent, or may be: by entries and by swaps. */
  get unseenSpend(): Usdc {
    return this.#unseenSpend
  }

  /** Pending stakes of one mode, and of entries whose mode is not known. */
  pendingByMode(mode: string): Usdc {
    return (this.#pendingByMode.get(mode) ?? 0n) + (this.#pendingByMode.get(undefined) ?? 0n)
  }

  /** Pending stakes of what one strategy asked for. */
  pendingByStrategy(strategy: string): Usdc {
    return this.#pendingByStrategy.get(strategy) ?? 0n
  }

  /** The key of a pending action that would do the same thing. */
  pendingTwin(identity: string): string | undefined {
    return this.#holders.get(identity)
  }

  isPending(key: string): boolean {
    return this.#pending.has(key)
  }

  reserve(reservation: { readonly key: string; readonly identity: string } & Hold): void {
    const { key, identity } = reservation
    invariant(!this.#pending.has(key) && !this.#placed.has(key), 'a reservation is taken once', { key })
    this.#pending.set(key, reservation)
    if (this.#holders.has(identity) && this.#holders.get(identity) === undefined) this.#vacant -= 1
    this.#holders.set(identity, key)
    this.#count(reservation, 1n)
  }

  /** It took effect, as input `n` told: the bot's own books count it from now on. */
  place(key: string, n: number): void {
    const reservation = this.#end(key)
    if (reservation === undefined || reservation.stake === 0n) return
    const { stake, kind } = reservation
    const placed = { stake, isEntry: kind === 'entry', placedIn: n }
    this.#placed.set(key, placed)
    this.#countUnseen(placed, 1n)
  }

  /** It did not happen: nothing is held for it any more. */
  release(key: string): void {
    this.#end(key)
  }

  /**
   * All figures of the service were read by requests that input `n` led to, or a later one. What an input leads to is sent once it is done
   * with: they count what was placed by then.
   */
  seen(n: number): void {
    for (const [key, placed] of this.#placed) if (placed.placedIn <= n) this.#see(key, placed)
  }

  /** The bankroll was read by a request that input `n` led to: no other figure is less by what swaps placed by then have taken. */
  seenSwaps(n: number): void {
    for (const [key, placed] of this.#placed) if (!placed.isEntry && placed.placedIn <= n) this.#see(key, placed)
  }

  #see(key: string, placed: Placed): void {
    this.#placed.delete(key)
    this.#countUnseen(placed, -1n)
  }

  /** Takes a pending reservation out of the ledger. */
  #end(key: string): Reservation | undefined {
    const reservation = this.#pending.get(key)
    if (reservation === undefined) return undefined
    this.#pending.delete(key)
    if (this.#holders.get(reservation.identity) === key) this.#vacate(reservation.identity)
    this.#count(reservation, -1n)
    return reservation
  }

  #vacate(identity: string): void {
    this.#holders.set(identity, undefined)
    this.#vacant += 1
    if (this.#vacant <= MOST_VACANT + this.#pending.size) return
    for (const [one, holder] of this.#holders) if (holder === undefined) this.#holders.delete(one)
    this.#vacant = 0
  }

  #count({ kind, stake, risk, mode, by }: Hold, sign: 1n | -1n): void {
    this.#pendingRisk += sign * risk
    this.#countUnseen({ stake, isEntry: kind === 'entry' }, sign)
    if (kind === 'swap') this.#pendingSwapSpend += sign * stake
    if (kind !== 'entry') return
    this.#pendingEntries += Number(sign)
    this.#entriesByMode.set(mode, (this.#entriesByMode.get(mode) ?? 0) + Number(sign))
    this.#pendingStake += sign * stake
    addTo(this.#pendingByMode, mode, sign * stake)
    if (by !== undefined) addTo(this.#pendingByStrategy, by, sign * stake)
  }

  #countUnseen({ stake, isEntry }: Pick<Placed, 'stake' | 'isEntry'>, sign: 1n | -1n): void {
    this.#unseenSpend += sign * stake
    if (isEntry) this.#unseenStake += sign * stake
  }
}

function addTo<K>(sums: Map<K, Usdc>, name: K, amount: Usdc): void {
  sums.set(name, (sums.get(name) ?? 0n) + amount)
}
