// How far the service's clock is ahead of this machine's, from bounds: each time the service names says that the offset is no less, or no more.

/** The newest bounds that count. */
export const MOST_BOUNDS = 20
/** A single bound moves nothing. */
const LEAST_VOTES = 2
/** A smaller move is not worth it. Milliseconds. */
const LEAST_MOVE_MS = 50
/** Once `MOST_BOUNDS` are known the estimate moves by no more than this in this long. Milliseconds. */
const SLEW_MS = 1000
const SLEW_EVERY_MS = 60_000

/** Service time less machine time lies between these, in milliseconds; infinite on a side of which nothing is known. */
export interface OffsetBound {
  readonly leastMs: number
  readonly mostMs: number
}

/** A time that the service named, and when this machine knows it to have been. Unix milliseconds, each by the clock of its side. */
export interface DatedMoment {
  /** The time, by the service's clock. */
  readonly dateMs: number
  /** Earliest time that it can have been, by this machine's clock. Left out: unknown. */
  readonly notBefore?: number | undefined
  /** Latest time that it can have been, by this machine's clock. */
  readonly notAfter: number
  /** Coarseness of the date: it names the beginning of a span this long. Default: 0. */
  readonly spanMs?: number
}

export const boundOf = ({ dateMs, notBefore, notAfter, spanMs = 0 }: DatedMoment): OffsetBound => ({
  leastMs: dateMs - notAfter,
  mostMs: notBefore === undefined ? Number.POSITIVE_INFINITY : dateMs + spanMs - notBefore,
})

/**
 * The offset nearest to an earlier estimate that more than half of the bounds allow, on each side by itself. Where fewer than half of the bounds
 * of a side are wrong, it is never farther from the truth than the earlier one was.
 */
export function offsetNear(fromMs: number, bounds: readonly OffsetBound[]): number {
  const leastMs = -limitOf(bounds.map((bound) => -bound.leastMs))
  const mostMs = limitOf(bounds.map((bound) => bound.mostMs))
  // Most say more than this and most say less: nothing is known.
  if (leastMs > mostMs) return fromMs
  return Math.min(mostMs, Math.max(leastMs, fromMs))
}

/** The smallest limit that more than half of the known ones do not exceed; infinite where too few are known. */
function limitOf(limits: readonly number[]): number {
  const known = limits.filter(Number.isFinite).sort((a, b) => a - b)
  const votes = Math.max(LEAST_VOTES, Math.floor(known.length / 2) + 1)
  return known[votes - 1] ?? Number.POSITIVE_INFINITY
}

/** The offsets that satisfy most of the bounds, where all of them are known at once; of several such spans the lowest. */
export function mostAgreed(bounds: readonly OffsetBound[]): OffsetBound & { readonly votes: number } {
  const starts = [Number.NEGATIVE_INFINITY, ...bounds.map(({ leastMs }) => leastMs)].sort((a, b) => a - b)
  let best = { leastMs: Number.NEGATIVE_INFINITY, mostMs: Number.POSITIVE_INFINITY, votes: 0 }
  for (const leastMs of starts) {
    const holding = bounds.filter((bound) => bound.leastMs <= leastMs && leastMs <= bound.mostMs)
    if (holding.length > best.votes) best = { leastMs, mostMs: Math.min(...holding.map(({ mostMs }) => mostMs)), votes: holding.length }
  }
  return best
}

/** True if one offset satisfies every bound. */
const areAgreed = (bounds: readonly OffsetBound[]): boolean =>
  Math.max(...bounds.map(({ leastMs }) => leastMs)) <= Math.min(...bounds.map(({ mostMs }) => mostMs))

/** An offset by the newest bounds: it follows most of them freely at first, and slowly once it is set, unless all of them agree. */
export class OffsetEstimate {
  #offsetMs = 0
  #bounds: OffsetBound[] = []
  #movedAt = Number.NEGATIVE_INFINITY

  get offsetMs(): number {
    return this.#offsetMs
  }

  get count(): number {
    return this.#bounds.length
  }

  get newest(): OffsetBound | undefined {
    return this.#bounds.at(-1)
  }

  /** @param beside a bound of another kind, which counts this once. @param nowMs time that nobody sets */
  add(bound: OffsetBound, nowMs: number, beside?: OffsetBound): void {
    this.#bounds = [...this.#bounds, bound].slice(-MOST_BOUNDS)
    this.consider(nowMs, beside)
  }

  /** Looks at the known bounds once more. */
  consider(nowMs: number, beside?: OffsetBound): void {
    const bounds = beside === undefined ? this.#bounds : [...this.#bounds, beside].slice(-MOST_BOUNDS)
    const target = Math.round(this.#targetOf(bounds, nowMs))
    if (Math.abs(target - this.#offsetMs) < LEAST_MOVE_MS) return
    this.#offsetMs = target
    this.#movedAt = nowMs
  }

  #targetOf(bounds: readonly OffsetBound[], nowMs: number): number {
    const target = offsetNear(this.#offsetMs, bounds)
    if (bounds.length < MOST_BOUNDS || areAgreed(bounds)) return target
    const by = Math.min(SLEW_MS, Math.max(-SLEW_MS, target - this.#offsetMs))
    return nowMs - this.#movedAt < SLEW_EVERY_MS ? this.#offsetMs : this.#offsetMs + by
  }

  /** Takes over the offset that something else says. */
  moveTo(offsetMs: number): void {
    this.#offsetMs = offsetMs
  }

  /** Forgets the bounds, and keeps the offset until new ones say otherwise. */
  restart(): void {
    this.#bounds = []
    this.#movedAt = Number.NEGATIVE_INFINITY
  }
}

/** A change of an offset by more is a step of a clock; clocks that are nearer than this agree. Milliseconds. */
export const STEP_MS = 2000
/** A `Date` header names a whole second. */
const DATE_MS = 1000
/** Times of events and answers decide from this many on: one could be an error. */
const LEAST_TIMES = 2

/**
 * The service's clock less this machine's: by the times in events and answers, with the newest `Date` header as one more bound; until there are
 * such times, by the header alone.
 */
export class ServiceOffset {
  readonly #header = new OffsetEstimate()
  readonly #times = new OffsetEstimate()
  #hasTimes = false

  get offsetMs(): number {
    return this.#times.offsetMs
  }

  /** Estimate from the `Date` header alone. */
  get headerMs(): number {
    return this.#header.offsetMs
  }

  get hasHeader(): boolean {
    return this.#header.count >= LEAST_TIMES
  }

  get hasTimes(): boolean {
    return this.#hasTimes
  }

  /** Takes in a `Date` header. @param nowMs time that nobody sets */
  addHeader(moment: DatedMoment, nowMs: number): void {
    const before = this.#header.offsetMs
    this.#header.add(boundOf({ ...moment, spanMs: DATE_MS }), nowMs)
    const movedMs = this.#header.offsetMs - before
    // A step of this machine moves the header and the times alike.
    const isStep = Math.abs(movedMs) > STEP_MS
    if (isStep) this.#times.restart()
    if (!this.#hasTimes) this.#times.moveTo(this.#header.offsetMs)
    else if (isStep) this.#times.moveTo(this.#times.offsetMs + movedMs)
    else this.#times.consider(nowMs, this.#header.newest)
  }

  /** Takes in a time that an event or an answer named. @param nowMs time that nobody sets */
  addTime(moment: DatedMoment, nowMs: number): void {
    this.#times.add(boundOf(moment), nowMs, this.#header.newest)
    this.#hasTimes ||= this.#times.count >= LEAST_TIMES
  }

  /** This machine's clock was set, or it has slept: what was known may be wrong, and the next times say so. */
  restart(): void {
    this.#header.restart()
    this.#times.restart()
  }
}
