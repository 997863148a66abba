import { minUsdc, type Usdc } from '../../core/usdc.ts'
import type { Account } from './days.ts'

/** Bounds of `payoutGrace`, in milliseconds. */
const LEAST_GRACE_MS = 60_000
const MOST_GRACE_MS = 30 * 60_000
/** Fewer payouts say nothing about the longest delay. */
const DELAYS_NEEDED = 30
const MINUTE_MS = 60_000

/** Late credits that are kept; older ones count as unexplained alone. */
const MOST_LATE = 100

/** Money that the service said it returned. Amounts in micro-USDC, times in steady milliseconds. */
export interface Credit extends Account {
  readonly at: number
  readonly amount: Usdc
  /** Contest or ticket that it is of; undefined for a swap. */
  readonly of?: string | undefined
  /** Stake that stays open until the credit is seen. */
  readonly stake: Usdc
  /** Profit that offsets losses once the credit is seen, and the UTC day that has it. */
  readonly profit: Usdc
  readonly day: number
  /** Part that the newest reading does not show; all of it before the first reading. */
  readonly missing: Usdc
  readonly isRead: boolean
  /** Not shown within the grace: it explains no fall any more. */
  readonly isLate: boolean
}

export type ToldCredit = Omit<Credit, 'missing' | 'isRead' | 'isLate'>

interface Deposit {
  readonly at: number
  readonly amount: Usdc
}

export interface WitnessFacts {
  readonly expected?: Usdc | undefined
  readonly credits: readonly Credit[]
  readonly deposits: readonly Deposit[]
  /** Smallest unexplained surplus of each minute. */
  readonly surplus: readonly Deposit[]
  readonly missing: Usdc
  readonly delays: number
  readonly longestMs: number
}

export interface Reading {
  readonly available: Usdc
  /** Steady time at which the request left. */
  readonly begunAt: number
  readonly now: number
  /** USDC that swaps under way may have taken already. */
  readonly inFlight: Usdc
  /** Stakes that the service may not have taken yet. */
  readonly open: Usdc
}

/** Compares the bankroll with what the bot's own acts and the service's words add up to. */
export class Witness {
  #expected: Usdc | undefined
  #credits: readonly Credit[] = []
  #deposits: readonly Deposit[] = []
  #surplus: readonly Deposit[] = []
  #missing: Usdc = 0n
  #delays = 0
  #longestMs = 0

  restore(facts: WitnessFacts): void {
    this.#expected = facts.expected
    this.#credits = facts.credits
    this.#deposits = facts.deposits
    this.#surplus = facts.surplus
    this.#missing = facts.missing
    this.#delays = facts.delays
    this.#longestMs = facts.longestMs
  }

  get facts(): WitnessFacts {
    const [credits, deposits, surplus] = [this.#credits, this.#deposits, this.#surplus]
    const [missing, delays, longestMs] = [this.#missing, this.#delays, this.#longestMs]
    return { ...(this.#expected === undefined ? {} : { expected: this.#expected }), credits, deposits, surplus, missing, delays, longestMs }
  }

  /** Credits told within `graceMs`, and later ones that no reading shows. */
  get credits(): readonly Credit[] {
    return this.#credits
  }

  /** How long a payout may take until it is an alarm. */
  get graceMs(): number {
    if (this.#delays < DELAYS_NEEDED) return MOST_GRACE_MS
    return Math.min(Math.max(3 * this.#longestMs, LEAST_GRACE_MS), MOST_GRACE_MS)
  }

  /** The shortfall of the bankroll that no credit within its grace explains. */
  get unexplained(): Usdc {
    let rest = this.#missing
    for (const { missing, isRead, isLate } of this.#credits) if (isRead && !isLate) rest -= missing
    return rest > 0n ? rest : 0n
  }

  /** A stake was sent, or USDC spent by a swap. */
  debit(amount: Usdc): void {
    if (this.#expected !== undefined) this.#expected -= amount
  }

  /** Something that was debited never left this process. */
  undo(amount: Usdc): void {
    this.debit(-amount)
  }

  credit(credit: ToldCredit): void {
    if (this.#expected === undefined) return
    this.#expected += credit.amount
    this.#credits = [...this.#credits, { ...credit, missing: credit.amount, isRead: false, isLate: false }]
  }

  /** The operator says what became of an unexplained fall. */
  acknowledge(amount: Usdc): void {
    this.debit(amount)
    this.#missing = this.#missing > amount ? this.#missing - amount : 0n
  }

  read({ available, begunAt, now, inFlight, open }: Reading): void {
    if (this.#expected === undefined) {
      this.#expected = available
      return
    }
    this.#forget(now)
    const surplus = available - this.#expected - open
    let missing = -(surplus + open) - inFlight
    for (const { at, amount } of this.#credits) if (at > begunAt) missing -= amount
    if (missing > 0n) missing -= this.#takeBackDeposits(missing)
    this.#missing = missing > 0n ? missing : 0n
    this.#attribute(begunAt, now)
    this.#noteSurplus(surplus, now)
  }

  #forget(now: number): void {
    const { graceMs } = this
    const isOld = ({ at }: Credit): boolean => now - at > graceMs
    if (this.#credits.some(isOld)) {
      const late = this.#credits.filter((credit) => isOld(credit) && !(credit.isRead && credit.missing === 0n)).slice(-MOST_LATE)
      const young = this.#credits.filter((credit) => !isOld(credit))
      this.#credits = [...late.map((credit) => ({ ...credit, isLate: true })), ...young]
    }
    if (this.#deposits.some(({ at }) => now - at > MOST_GRACE_MS))
      this.#deposits = this.#deposits.filter(({ at }) => now - at <= MOST_GRACE_MS)
  }

  /** The newest credits are the ones that a reading may not show yet. */
  #attribute(begunAt: number, now: number): void {
    let rest = this.#missing
    const credits = this.#credits.toReversed().map((credit) => {
      if (credit.at > begunAt) return credit
      const missing = minUsdc(rest, credit.amount)
      rest -= missing
      if (missing === 0n && (!credit.isRead || credit.missing > 0n)) {
        this.#delays += 1
        this.#longestMs = Math.max(this.#longestMs, now - credit.at)
      }
      return missing === credit.missing && credit.isRead ? credit : { ...credit, missing, isRead: true }
    })
    this.#credits = credits.reverse()
  }

  /** A payout that came before its event looked like a deposit: once it is told, it is none. */
  #takeBackDeposits(missing: Usdc): Usdc {
    let taken = 0n
    this.#deposits = this.#deposits.flatMap((deposit) => {
      const told = this.#credits.reduce((sum, { at, amount }) => (at > deposit.at ? sum + amount : sum), 0n)
      const back = minUsdc(minUsdc(missing - taken, deposit.amount), told)
      taken += back
      return back === deposit.amount ? [] : [back === 0n ? deposit : { ...deposit, amount: deposit.amount - back }]
    })
    this.debit(taken)
    return taken
  }

  /** A surplus that lasts for the whole grace is a deposit: it raises what is expected, and offsets no loss. */
  #noteSurplus(surplus: Usdc, now: number): void {
    const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
    const newest = this.#surplus.at(-1)
    const amount = surplus > 0n ? surplus : 0n
    if (newest?.at === minute) {
      if (amount < newest.amount) this.#surplus = [...this.#surplus.slice(0, -1), { at: minute, amount }]
      return
    }
    const oldest = minute - this.graceMs
    this.#surplus = [...this.#surplus.filter(({ at }) => at >= oldest), { at: minute, amount }]
    const isWhole = (this.#surplus[0]?.at ?? minute) <= oldest + MINUTE_MS
    if (!isWhole) return
    const deposit = this.#surplus.reduce((smallest, each) => minUsdc(smallest, each.amount), amount)
    if (deposit === 0n) return
    this.#expected = (this.#expected ?? 0n) + deposit
    this.#deposits = [...this.#deposits, { at: now, amount: deposit }]
    this.#surplus = this.#surplus.map((each) => ({ ...each, amount: each.amount - deposit }))
  }
}
