import TinyQueue from 'tinyqueue'

/** The only source of time outside the edge. Times are Unix milliseconds. */
export interface Clock {
  now(): number
  /**
   * Runs `task` once when the clock reaches `atMs`; a time already past runs at the next turn.
   *
   * @returns cancels the timer; calling it later does nothing
   */
  at(atMs: number, task: () => void): () => void
}

interface Timer {
  readonly atMs: number
  readonly order: number
  task: (() => void) | undefined
}

/** A clock that moves only when told to: timers run in order of their time, then of their creation. */
export class VirtualClock implements Clock {
  #nowMs: number
  #order = 0
  readonly #timers = new TinyQueue<Timer>([], (a, b) => a.atMs - b.atMs || a.order - b.order)

  constructor(startMs = 0) {
    this.#nowMs = startMs
  }

  now(): number {
    return this.#nowMs
  }

  at(atMs: number, task: () => void): () => void {
    const timer: Timer = { atMs: Math.max(atMs, this.#nowMs), order: this.#order++, task }
    this.#timers.push(timer)
    return () => {
      timer.task = undefined
    }
  }

  /** Moves to `atMs`, running every timer due on the way at its own time, those it sets included. */
  advanceTo(atMs: number): void {
    for (let next = this.#timers.peek(); next !== undefined && next.atMs <= atMs; next = this.#timers.peek()) {
      this.#timers.pop()
      if (next.task === undefined) continue
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.task()
    }
    this.#nowMs = Math.max(this.#nowMs, atMs)
  }

  /** When the next timer is due; infinite where there is none. One that was cancelled may still count. */
  nextAt(): number {
    return this.#timers.peek()?.atMs ?? Number.POSITIVE_INFINITY
  }

  /** Moves to `atMs` without running the timers of that very instant; those due before it must have run. */
  skipTo(atMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, atMs)
  }

  /** `advanceTo`, then a turn for the promises it settled, repeated until `atMs` in steps. */
  async advanceBy(durationMs: number, stepMs = 50): Promise<void> {
    const endMs = this.#nowMs + durationMs
    while (this.#nowMs < endMs) {
      this.advanceTo(Math.min(endMs, this.#nowMs + stepMs))
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    }
  }
}
