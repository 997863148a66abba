import { invariant } from '../core/error.ts'
import type { Usdc } from '../core/usdc.ts'

/**
 * What an approval holds until the money it may cost is counted elsewhere:
 *
 * - `pending`: approved, its outcome not known (in flight, or `unknown`);
 * - `placed`: accepted, so the bot's own books count it, but the service's figures may be older.
 */
interface Reservation {
  readonly key: string
  /** Equal for two actions that would do the same thing. */
  readonly identity: string
  readonly stake: Usdc
  placedAt: number | undefined
}

/**
 * The ledger of approvals. A stake is reserved in the check itself, so two actions never pass on the
 * same money, and it is counted at least once at every moment: here, or in figures read afterwards.
 */
export class Reservations {
  readonly #byKey = new Map<string, Reservation>()
  readonly #pendingIdentities = new Map<string, string>()
  #pendingStake: Usdc = 0n
  #placedStake: Usdc = 0n
  #pendingEntries = 0

  /** Stakes approved whose outcome is not known yet. */
  get pendingStake(): Usdc {
    return this.#pendingStake
  }

  /** Entries (tickets and seats) approved whose outcome is not known yet. */
  get pendingEntries(): number {
    return this.#pendingEntries
  }

  /** Stakes the service's figures may not show: pending ones, and those placed since they were read. */
  get unseenStake(): Usdc {
    return this.#pendingStake + this.#placedStake
  }

  /** The key of a pending action that would do the same thing. */
  pendingTwin(identity: string): string | undefined {
    return this.#pendingIdentities.get(identity)
  }

  reserve(reservation: { key: string; identity: string; stake: Usdc }): void {
    invariant(!this.#byKey.has(reservation.key), 'a reservation is taken once', { key: reservation.key })
    this.#byKey.set(reservation.key, { ...reservation, placedAt: undefined })
    this.#pendingIdentities.set(reservation.identity, reservation.key)
    this.#pendingStake += reservation.stake
    if (reservation.stake > 0n) this.#pendingEntries += 1
  }

  /** The service accepted it: the bot's own books count it from now on. */
  place(key: string, at: number): void {
    const reservation = this.#end(key)
    if (reservation === undefined || reservation.stake === 0n) return
    reservation.placedAt = at
    this.#byKey.set(key, reservation)
    this.#placedStake += reservation.stake
  }

  /** It did not happen: nothing is held for it any more. */
  release(key: string): void {
    this.#end(key)
  }

  /** The service's figures were read by a request begun at `begunAt`: they count what was placed before. */
  seen(begunAt: number): void {
    if (this.#placedStake === 0n) return
    for (const reservation of this.#byKey.values()) {
      if (reservation.placedAt === undefined || reservation.placedAt >= begunAt) continue
      this.#byKey.delete(reservation.key)
      this.#placedStake -= reservation.stake
    }
  }

  /** Takes a pending reservation out of the ledger. */
  #end(key: string): Reservation | undefined {
    const reservation = this.#byKey.get(key)
    if (reservation === undefined || reservation.placedAt !== undefined) return undefined
    this.#byKey.delete(key)
    this.#pendingIdentities.delete(reservation.identity)
    this.#pendingStake -= reservation.stake
    if (reservation.stake > 0n) this.#pendingEntries -= 1
    return reservation
  }
}
