import type { RefusedAction } from '../../pipeline/index.ts'
import type { RefusedRow } from './views.ts'

/** Refusals of the guard, counted by their code: a closed list. */
export class Refusals {
  readonly #byCode = new Map<string, RefusedRow>()

  add({ strategy, refusal: { code, message } }: RefusedAction, at: number): void {
    this.#byCode.set(code, { code, times: (this.#byCode.get(code)?.times ?? 0) + 1, last: { at, strategy, message } })
  }

  /** The most frequent first. */
  rows(): readonly RefusedRow[] {
    return [...this.#byCode.values()].toSorted((a, b) => b.times - a.times)
  }
}
