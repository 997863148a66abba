import type { Fill } from '../../strategy/view.ts'
import type { Results } from '../money/results.ts'
import type { Input } from '../protocol/input.ts'
import type { Present } from '../state/present.ts'
import type { Portfolios } from './portfolios.ts'

interface PastFillsOptions {
  readonly portfolios: Portfolios
  readonly results: Results
}

/** What earlier runs swapped, put among the events as it came: in any other order the profit would have had another peak. */
export class PastFills {
  readonly #present: Present
  readonly #options: PastFillsOptions
  /** Those that are not in the portfolios yet, oldest first. */
  #fills: readonly Fill[] = []
  #next = 0

  constructor(present: Present, options: PastFillsOptions) {
    this.#present = present
    this.#options = options
  }

  start(fills: readonly Fill[]): void {
    this.#fills = fills
  }

  /** Folds those that came before an input. */
  foldBefore(input: Input): void {
    if (this.#fills.length === 0) return
    const { ended } = this.#present
    const { portfolios, results } = this.#options
    const isPast = input.type === 'event' && input.recorded
    const until = isPast && input.read.ok ? input.read.event.createdAt : isPast ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    for (let fill = this.#fills[this.#next]; fill !== undefined && fill.at <= until; fill = this.#fills[++this.#next]) {
      portfolios.fold(fill)
      if (ended.has(fill.contestId)) portfolios.close(fill.contestId, fill.at)
      results.notePeak()
    }
    if (this.#next === this.#fills.length) this.#fills = []
  }
}
