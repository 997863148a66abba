import type { Usdc } from '../../core/usdc.ts'

/** The owner of a sum. Undefined counts for every mode or strategy. */
export interface Account {
  readonly mode?: string | undefined
  readonly by?: string | undefined
}

export interface DayFact extends Account {
  readonly day: number
  readonly profit: Usdc
}

/** True where a sum of one account counts in the cap of another. */
export const isOf = (account: Account, { mode, by }: Account): boolean =>
  (mode === undefined || account.mode === undefined || account.mode === mode) && (by === undefined || account.by === by)

/** Profits by UTC day, mode and strategy, in micro-USDC. Keeps the days around the present one. */
export class Days {
  #facts: readonly DayFact[] = []

  get facts(): readonly DayFact[] {
    return this.#facts
  }

  restore(facts: readonly DayFact[]): void {
    this.#facts = facts
  }

  add({ day, mode, by, profit }: DayFact): void {
    if (profit === 0n) return
    const known = this.#facts.find((fact) => fact.day === day && fact.mode === mode && fact.by === by)
    const sum = { day, mode, by, profit: profit + (known?.profit ?? 0n) }
    this.#facts = [...this.#facts.filter((fact) => fact !== known), sum]
  }

  /** Forgets what no cap can need any more. */
  forget(today: number): void {
    if (this.#facts.some(({ day }) => day < today - 1 || day > today + 2))
      this.#facts = this.#facts.filter(({ day }) => day >= today - 1 && day <= today + 2)
  }

  profit(day: number, of: Account = {}): Usdc {
    let sum = 0n
    for (const fact of this.#facts) if (fact.day === day && isOf(fact, of)) sum += fact.profit
    return sum
  }
}
