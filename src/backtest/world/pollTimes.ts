import { countUpTo } from '../../core/countUpTo.ts'

/**
 * When the bot looks at the event stream: at the instants at which the recorded bot heard of events, and in between, where
 * nothing had happened that it could hear of, in even steps.
 */
export class PollTimes {
  readonly #heardAt: Float64Array
  readonly #everyMs: number

  /**
   * @param heardAt Unix milliseconds, in any order. Where several bots were recorded, those closer than half a period count once.
   * @param lagMs the median time from an event to the bot's hearing of it: half a period, since events come at any time
   */
  constructor(heardAt: readonly number[], lagMs: number) {
    this.#everyMs = Math.max(1, Math.round(2 * lagMs))
    let last = Number.NEGATIVE_INFINITY
    const apart = heardAt
      .toSorted((a, b) => a - b)
      .filter((at) => {
        if (at - last < this.#everyMs / 2) return false
        last = at
        return true
      })
    this.#heardAt = Float64Array.from(apart)
  }

  /** The first look at an instant or after it. */
  from(at: number): number {
    const index = countUpTo(this.#heardAt, at)
    const [before, after] = [this.#heardAt[index - 1], this.#heardAt[index]]
    if (before === at) return at
    if (before === undefined)
      return after === undefined ? at + Math.ceil(this.#everyMs / 2) : after - Math.floor((after - at) / this.#everyMs) * this.#everyMs
    const stepMs = after === undefined ? this.#everyMs : (after - before) / Math.max(1, Math.round((after - before) / this.#everyMs))
    return Math.min(Math.ceil(before + Math.ceil((at - before) / stepMs) * stepMs), after ?? Number.POSITIVE_INFINITY)
  }
}
