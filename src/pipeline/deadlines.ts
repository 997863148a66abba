import type { TaskKey } from './protocol/taskKey.ts'

/** What is to be done when: one time a purpose. The bot's only timers. */
export class Deadlines {
  readonly #times = new Map<TaskKey, number>()
  /** The earliest of the times; undefined where it has to be looked for. */
  #earliest: number | undefined = Number.POSITIVE_INFINITY

  /** Plans a purpose, in place of the time it had. */
  set(purpose: TaskKey, at: number): void {
    const planned = this.#times.get(purpose)
    this.#times.set(purpose, at)
    if (this.#earliest === undefined) return
    if (at <= this.#earliest) this.#earliest = at
    else if (planned === this.#earliest) this.#earliest = undefined
  }

  /** Plans a purpose no later than `at`. */
  soon(purpose: TaskKey, at: number): void {
    const planned = this.#times.get(purpose)
    if (planned === undefined || planned > at) this.set(purpose, at)
  }

  has(purpose: TaskKey): boolean {
    return this.#times.has(purpose)
  }

  isDue(purpose: TaskKey, now: number): boolean {
    return (this.#times.get(purpose) ?? Number.POSITIVE_INFINITY) <= now
  }

  drop(purpose: TaskKey): void {
    if (this.#times.get(purpose) === this.#earliest) this.#earliest = undefined
    this.#times.delete(purpose)
  }

  /** Takes what is due, earliest first; of the same time, as it was planned. */
  takeDue(now: number): readonly TaskKey[] {
    if (this.#soonest() > now) return NOTHING
    const due: { readonly purpose: TaskKey; readonly at: number }[] = []
    for (const [purpose, at] of this.#times) if (at <= now) due.push({ purpose, at })
    if (due.length > 1) due.sort((a, b) => a.at - b.at)
    for (const { purpose } of due) this.drop(purpose)
    return due.map(({ purpose }) => purpose)
  }

  next(): number | undefined {
    const earliest = this.#soonest()
    return earliest === Number.POSITIVE_INFINITY ? undefined : earliest
  }

  #soonest(): number {
    if (this.#earliest !== undefined) return this.#earliest
    let earliest = Number.POSITIVE_INFINITY
    for (const at of this.#times.values()) if (at < earliest) earliest = at
    this.#earliest = earliest
    return earliest
  }
}

const NOTHING: readonly TaskKey[] = []
