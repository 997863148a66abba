import { DAY_MS } from '../../core/day.ts'

const HOUR_MS = 3_600_000
/** A feed may stand still for so many times as long as it did at its longest in the last day. */
const GAPS = 3
const LEAST_MS = 60_000

export interface FeedMotionOptions {
  /** How long it may stand still with less than an hour of past: `guard.maxPriceAgeMs`. */
  readonly newMs: number
}

/** One whole answer of a price feed. */
export interface FeedAnswer {
  /** The newest time in it, in any unit that rises; undefined: it names none. */
  readonly time: number | undefined
  readonly body: string
}

/** Watches whether a price feed moves: by the newest time in its answers, and by their bodies where they name none. */
export class FeedMotion {
  readonly #newMs: number
  #newest: FeedAnswer | undefined
  #beganAt: number | undefined
  #movedAt = 0
  /** False once an answer is missing: how long the feed stood still is then not known. */
  #isSeen = false
  /** Times between two motions of the last day, each as long as none that followed. */
  #gaps: { readonly ms: number; readonly at: number }[] = []

  constructor({ newMs }: FeedMotionOptions) {
    this.#newMs = newMs
  }

  /**
   * Takes one answer in.
   *
   * @returns for how long it has stood still, in milliseconds, where that is too long
   */
  take(answer: FeedAnswer, now: number): number | undefined {
    this.#beganAt ??= now
    const stoodMs = now - this.#movedAt
    if (this.#newest === undefined || hasMoved(this.#newest, answer)) {
      if (this.#isSeen && stoodMs <= this.#limitAt(now)) this.#note(stoodMs, now)
      this.#newest = answer
      this.#movedAt = now
      this.#isSeen = true
      return undefined
    }
    return stoodMs > this.#limitAt(now) ? stoodMs : undefined
  }

  /** An answer did not come. */
  missed(): void {
    this.#isSeen = false
  }

  #note(ms: number, at: number): void {
    this.#gaps = [...this.#gaps.filter((gap) => gap.ms > ms && gap.at > at - DAY_MS), { ms, at }]
  }

  #limitAt(now: number): number {
    if (now - (this.#beganAt ?? now) < HOUR_MS) return this.#newMs
    const longest = this.#gaps.find(({ at }) => at > now - DAY_MS)?.ms ?? 0
    return Math.max(LEAST_MS, GAPS * longest)
  }
}

/** A time that is not newer is that of a feed that stands still, whatever its prices do. */
const hasMoved = (before: FeedAnswer, { time, body }: FeedAnswer): boolean =>
  time === undefined || before.time === undefined ? body !== before.body : time > before.time
