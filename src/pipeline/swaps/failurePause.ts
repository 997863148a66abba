import { backoffMs } from '../../core/backoff.ts'
import type { Present } from '../state/present.ts'

const FIRST_MS = 500
const LONGEST_MS = 8000

/**
 * The pause after swaps that failed on their way: whatever strategies ask for meanwhile waits, so that a strategy that asks again at once
 * makes no flood of requests. It doubles with each failure in a row.
 */
export class FailurePause {
  readonly #present: Pick<Present, 'now'>
  #inRow = 0
  #until = Number.NEGATIVE_INFINITY

  constructor(present: Pick<Present, 'now'>) {
    this.#present = present
  }

  get isOn(): boolean {
    return this.#present.now < this.#until
  }

  /** Unix milliseconds. */
  get until(): number {
    return this.#until
  }

  /** A swap has an outcome. */
  ended(hasFailed: boolean): void {
    this.#inRow = hasFailed ? this.#inRow + 1 : 0
    this.#until = hasFailed ? this.#present.now + backoffMs(this.#inRow - 1, FIRST_MS, LONGEST_MS) : Number.NEGATIVE_INFINITY
  }
}
