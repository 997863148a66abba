import { type CompiledPrices, leastPauseMs } from '../../recording/tables.ts'

/** A time of which a log says nothing: the bot that was recorded did not run, or slept. Unix milliseconds. */
export interface Pause {
  /** Of the last thing before it. */
  readonly from: number
  /** Of the first price after it. */
  readonly to: number
  /** The tick that has that price. */
  readonly tick: number
}

interface Silence {
  readonly from: number
  readonly to: number
  readonly tick: number
  /** When something else than a price was heard in it. */
  readonly heardAt: number[]
}

/** Finds the pauses of a log: between two prices far apart, where nothing else was heard either. */
export class PauseFinder {
  readonly #leastMs: number
  /** In the order of time. */
  readonly #silences: readonly Silence[]
  readonly #lastPriceAt: number
  /** What was heard after the last price. */
  readonly #tail: number[] = []

  constructor({ known }: Pick<CompiledPrices, 'known'>) {
    const leastMs = leastPauseMs(known)
    const silences: Silence[] = []
    let from = known[0] ?? 0
    for (let index = 0; index < known.length; index++) {
      const to = known[index] ?? from
      if (to - from > leastMs) silences.push({ from, to, tick: index + 1, heardAt: [] })
      from = to
    }
    this.#leastMs = leastMs
    this.#lastPriceAt = known.at(-1) ?? Number.NEGATIVE_INFINITY
    this.#silences = silences
  }

  /** Something was heard at that time. */
  hear(at: number): void {
    if (at > this.#lastPriceAt) this.#tail.push(at)
    for (const { from, to, heardAt } of this.#silences) if (from < at && at < to) heardAt.push(at)
  }

  /** The last thing that was heard before a pause that nothing ends: a time that is far off belongs to no log. */
  endsAt(): number {
    let end = this.#lastPriceAt
    for (const at of this.#tail.toSorted((a, b) => a - b)) {
      if (at - end > this.#leastMs) break
      end = at
    }
    return end
  }

  /** In the order of time. */
  pauses(): readonly Pause[] {
    return this.#silences.flatMap(({ from, to, tick, heardAt }) => {
      const times = [from, ...heardAt.toSorted((a, b) => a - b), to]
      const begin = times.find((at, index) => (times[index + 1] ?? at) - at > this.#leastMs)
      return begin === undefined ? [] : [{ from: begin, to, tick }]
    })
  }
}
