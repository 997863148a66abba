import type { Clock } from '../../src/core/clock.ts'

/** The clock of a process that can be stopped, as by SIGSTOP: time goes on, and timers that fall due meanwhile run right after it. */
export class StoppableClock implements Clock {
  readonly #base: Clock
  #goesOnAt = Number.NEGATIVE_INFINITY

  constructor(base: Clock) {
    this.#base = base
  }

  now(): number {
    return this.#base.now()
  }

  at(atMs: number, task: () => void): () => void {
    let cancel = this.#base.at(atMs, () => {
      if (this.#base.now() < this.#goesOnAt) cancel = this.#base.at(this.#goesOnAt, task)
      else task()
    })
    return () => cancel()
  }

  stop(durationMs: number): void {
    this.#goesOnAt = this.#base.now() + durationMs
  }
}
