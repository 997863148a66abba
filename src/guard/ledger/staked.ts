import type { Usdc } from '../../core/usdc.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Hours that count, the one under way apart. */
const HOURS = 24

export interface StakedHour {
  /** Steady hours since the ledger began. */
  readonly hour: number
  readonly sent: Usdc
  /** Payouts and refunds that the bankroll has shown. */
  readonly shown: Usdc
}

export interface StakedFacts {
  readonly hours: readonly StakedHour[]
  /** Payouts and refunds that were told and not shown yet. */
  readonly told: Usdc
  /** Smallest stake sent so far. */
  readonly smallest?: Usdc | undefined
  /** `available` of the newest reading, and what was sent since. */
  readonly available?: Usdc | undefined
  readonly sentSince: Usdc
}

/** Stakes of the last 24 hours of steady time, net of payouts that the bankroll has shown. */
export class Staked {
  #facts: StakedFacts = { hours: [], told: 0n, sentSince: 0n }
  /** Steady times of the entries of the last minute. */
  #minute: readonly number[] = []

  get facts(): StakedFacts {
    return this.#facts
  }

  get smallest(): Usdc | undefined {
    return this.#facts.smallest
  }

  restore(facts: StakedFacts): void {
    this.#facts = facts
  }

  sent(stake: Usdc, now: number): void {
    this.#minute = [...this.#minute.filter((at) => at > now - MINUTE_MS), now]
    const { smallest, sentSince } = this.#facts
    this.#facts = { ...this.#facts, smallest: smallest === undefined || stake < smallest ? stake : smallest, sentSince: sentSince + stake }
    this.#add(now, { sent: stake, shown: 0n })
  }

  /** A stake that this ledger did not see sent: of a restored journal, of another host, or by hand. */
  adopted(stake: Usdc, now: number): void {
    this.#add(now, { sent: stake, shown: 0n })
  }

  told(credit: Usdc): void {
    this.#facts = { ...this.#facts, told: this.#facts.told + credit }
  }

  /** USDC that a swap moved is no payout. */
  swapped(net: Usdc): void {
    const { available } = this.#facts
    if (available !== undefined) this.#facts = { ...this.#facts, available: available + net }
  }

  /** Counts a rise of the bankroll as payouts that were told. A bankroll that stands still shows nothing. */
  read(available: Usdc, now: number): void {
    const { available: before, told, sentSince } = this.#facts
    const rise = before === undefined ? 0n : available - before
    const most = rise > 0n ? rise + sentSince : 0n
    const shown = most < told ? most : told
    this.#facts = { ...this.#facts, available, sentSince: 0n, told: told - shown }
    if (shown > 0n) this.#add(now, { sent: 0n, shown })
  }

  /** Net, never negative. */
  net(now: number): Usdc {
    const first = Math.floor(now / HOUR_MS) - HOURS
    let sum = 0n
    for (const { hour, sent, shown } of this.#facts.hours) if (hour >= first) sum += sent - shown
    return sum > 0n ? sum : 0n
  }

  entriesInMinute(now: number): number {
    let count = 0
    for (const at of this.#minute) if (at > now - MINUTE_MS) count += 1
    return count
  }

  #add(now: number, { sent, shown }: Pick<StakedHour, 'sent' | 'shown'>): void {
    const hour = Math.floor(now / HOUR_MS)
    const newest = this.#facts.hours.at(-1)
    const hours =
      newest?.hour === hour
        ? [...this.#facts.hours.slice(0, -1), { hour, sent: newest.sent + sent, shown: newest.shown + shown }]
        : [...this.#facts.hours.filter((each) => each.hour >= hour - HOURS), { hour, sent, shown }]
    this.#facts = { ...this.#facts, hours }
  }
}
