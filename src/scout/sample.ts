import { keyedRandom } from '../core/random.ts'

/** So late is a read that there are too many of. */
const LATE_MS = 30_000
/** After so long without a late one more are read again. */
const CALM_MS = 5 * 60_000
const SMALLEST_SHARE = 2 ** -10

/**
 * Chooses the contests that are followed where there are more than can be read: by a number that each contest's id gives it, and not as they
 * come, since those that are seen first would be the slow ones. The share is halved while reads are late, and doubled after a calm.
 */
export class Sample {
  #share = 1
  #changedAt: number
  #lateAt: number

  constructor(now: number) {
    this.#changedAt = now
    this.#lateAt = now
  }

  /** Of all contests. */
  get share(): number {
    return this.#share
  }

  has(contestId: string): boolean {
    return this.#share === 1 || keyedRandom('scout', contestId).next() < this.#share
  }

  /** @param lateMs how late the read is that waits the longest; 0: none waits */
  look(now: number, lateMs: number): void {
    if (lateMs > LATE_MS) this.#lateAt = now
    // Those that were let go wait no more: what a change came to shows after it.
    if (lateMs > LATE_MS && now - this.#changedAt >= LATE_MS) this.#change(now, Math.max(SMALLEST_SHARE, this.#share / 2))
    else if (now - this.#lateAt >= CALM_MS && now - this.#changedAt >= CALM_MS) this.#change(now, Math.min(1, this.#share * 2))
  }

  #change(now: number, share: number): void {
    this.#share = share
    this.#changedAt = now
  }
}
