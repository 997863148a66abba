/** What is to be done when: one time a purpose. The bot's only timers. */
export class Agenda {
  readonly #times = new Map<string, number>()

  /** Plans a purpose, in place of the time it had. */
  set(purpose: string, at: number): void {
    this.#times.set(purpose, at)
  }

  /** Plans a purpose no later than `at`. */
  soon(purpose: string, at: number): void {
    const planned = this.#times.get(purpose)
    if (planned === undefined || planned > at) this.#times.set(purpose, at)
  }

  has(purpose: string): boolean {
    return this.#times.has(purpose)
  }

  drop(purpose: string): void {
    this.#times.delete(purpose)
  }

  /** Takes what is due, earliest first; of the same time, as it was planned. */
  takeDue(now: number): string[] {
    const due = [...this.#times].filter(([, at]) => at <= now).sort(([, a], [, b]) => a - b)
    for (const [purpose] of due) this.#times.delete(purpose)
    return due.map(([purpose]) => purpose)
  }

  next(): number | undefined {
    let earliest: number | undefined
    for (const at of this.#times.values()) if (earliest === undefined || at < earliest) earliest = at
    return earliest
  }
}
