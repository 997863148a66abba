/** A time without a price that should have been there. */
export interface Hole {
  /** Unix milliseconds of the prices on both sides. */
  readonly from: number
  readonly until: number
}

export interface HolesFound {
  readonly count: number
  /** Prices that are not there. */
  readonly missing: number
  /** From one price to the next, in milliseconds; 0 without a hole. */
  readonly longestMs: number
  /** The longest of them, in the order of time. */
  readonly listed: readonly Hole[]
}

/** Longer than so many steps is a hole. */
const HOLE_STEPS = 1.5
/** Of holes, how many are listed. */
export const MOST_LISTED = 100

/** The times between prices of one series: its period, and the holes in it. */
export class StepCounts {
  readonly #counts = new Map<number, number>()
  #steps = 0
  #previous: number | undefined
  #shortest = Number.POSITIVE_INFINITY
  /** The longest steps so far, in no order. */
  #long: Hole[] = []

  /** How often each step was taken, in milliseconds. */
  get counts(): ReadonlyMap<number, number> {
    return this.#counts
  }

  /** @param at rising */
  add(at: number): void {
    const from = this.#previous
    this.#previous = at
    if (from === undefined) return
    const step = at - from
    this.#counts.set(step, (this.#counts.get(step) ?? 0) + 1)
    this.#steps += 1
    if (step < this.#shortest) this.#shortest = step
    if (step <= HOLE_STEPS * this.#shortest) return
    this.#long.push({ from, until: at })
    if (this.#long.length >= 4 * MOST_LISTED) this.#long = longest(this.#long, 2 * MOST_LISTED)
  }

  /** The median step; 0 of fewer than two prices. */
  usual(): number {
    let left = this.#steps / 2
    for (const [step, count] of [...this.#counts].toSorted(([a], [b]) => a - b)) {
      left -= count
      if (left <= 0) return step
    }
    return 0
  }

  holes(periodMs = this.usual()): HolesFound {
    const long = [...this.#counts].filter(([step]) => step > HOLE_STEPS * periodMs)
    return {
      count: long.reduce((sum, [, count]) => sum + count, 0),
      missing: long.reduce((sum, [step, count]) => sum + count * (Math.round(step / periodMs) - 1), 0),
      longestMs: long.reduce((most, [step]) => Math.max(most, step), 0),
      listed: longest(
        this.#long.filter(({ from, until }) => until - from > HOLE_STEPS * periodMs),
        MOST_LISTED,
      ).toSorted((a, b) => a.from - b.from),
    }
  }
}

const longest = (holes: readonly Hole[], count: number): Hole[] =>
  holes.toSorted((a, b) => b.until - b.from - (a.until - a.from) || a.from - b.from).slice(0, count)
