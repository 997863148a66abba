import type { Clock, VirtualClock } from '../../../src/core/clock.ts'
import type { MachineTrouble, Span } from './scenario.ts'

/** The machine that the bots run on: its clock is off, is set now and then, and it sleeps. While it sleeps nothing runs on it. */
export class SimulatedMachine {
  /** Time that nobody sets; it stands still while the machine sleeps, on some machines. */
  readonly steady: Clock
  /** Its time as it is set. */
  readonly wall: Pick<Clock, 'now'>
  readonly #clock: VirtualClock
  readonly #sleeps: readonly Span[]
  readonly #standsStill: boolean
  readonly #skewMs: number

  /** @param sleeps in Unix milliseconds, one after the other */
  constructor(clock: VirtualClock, { sleeps, standsStill, skewMs, sets }: MachineTrouble & { readonly skewMs: number }, startedAt: number) {
    this.#clock = clock
    this.#sleeps = sleeps.map(({ from, to }) => ({ from: startedAt + from, to: startedAt + to }))
    this.#standsStill = standsStill
    this.#skewMs = skewMs
    this.steady = { now: () => this.#steadyAt(clock.now()), at: (atMs, task) => this.#at(atMs, task) }
    const isSet = (at: number) => sets.reduce((sum, { afterMs, byMs }) => (at >= startedAt + afterMs ? sum + byMs : sum), 0)
    this.wall = { now: () => clock.now() + skewMs + isSet(clock.now()) }
  }

  get isAsleep(): boolean {
    return this.#wakesAt() > this.#clock.now()
  }

  /** As soon as it is awake: at once, if it is. */
  awake(): Promise<void> | undefined {
    const wakesAt = this.#wakesAt()
    return wakesAt > this.#clock.now() ? new Promise((resolve) => void this.#clock.at(wakesAt, resolve)) : undefined
  }

  #wakesAt(): number {
    const now = this.#clock.now()
    return this.#sleeps.find(({ from, to }) => now >= from && now < to)?.to ?? now
  }

  #steadyAt(at: number): number {
    const slept = this.#sleeps.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(at, to) - from), 0)
    return at + this.#skewMs - (this.#standsStill ? slept : 0)
  }

  #at(atMs: number, task: () => void): () => void {
    let cancelWait = () => {}
    const wait = () => {
      const wakesAt = this.#wakesAt()
      const now = this.#clock.now()
      const dueAt = wakesAt > now ? wakesAt : now + Math.max(0, atMs - this.steady.now())
      cancelWait = this.#clock.at(dueAt, () => (this.isAsleep || this.steady.now() < atMs ? wait() : task()))
    }
    wait()
    return () => cancelWait()
  }
}
