import type { Clock } from '../../../src/core/clock.ts'

/** What is due later. All of it is called off at once when the service ends. */
export class Timetable {
  readonly clock: Clock
  readonly #pending = new Set<() => void>()
  #isStopped = false

  constructor(clock: Clock) {
    this.clock = clock
  }

  now(): number {
    return this.clock.now()
  }

  /** @returns calls it off */
  at(atMs: number, task: () => void): () => void {
    if (this.#isStopped) return () => {}
    const callOff = this.clock.at(atMs, () => {
      this.#pending.delete(callOff)
      task()
    })
    this.#pending.add(callOff)
    return () => {
      this.#pending.delete(callOff)
      callOff()
    }
  }

  after(delayMs: number, task: () => void): () => void {
    return this.at(this.now() + delayMs, task)
  }

  every(periodMs: number, task: () => void): void {
    this.after(periodMs, () => {
      task()
      this.every(periodMs, task)
    })
  }

  stop(): void {
    this.#isStopped = true
    for (const callOff of this.#pending) callOff()
    this.#pending.clear()
  }
}
