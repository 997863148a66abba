import type { Observable, Subscription } from 'rxjs'
import type { Clock } from '../../core/clock.ts'
import type { Step } from '../../pipeline/index.ts'
import type { Pause } from '../log/pauses.ts'
import type { LogData } from '../log/readLogs.ts'
import { PromisedAnswers } from './promisedAnswers.ts'
import type { Simulation } from './simulatedPorts.ts'
import { Turns } from './turns.ts'

/** Ticks between reports of progress. */
const REPORT_EVERY = 256

/** The prices of a log that are played: those after the first tick, up to the last. */
export interface TickRange {
  readonly first: number
  readonly last: number
}

export interface LogPlayerOptions extends Pick<Simulation, 'clock' | 'ticks'> {
  readonly data: LogData
  readonly range: TickRange
  /** Unix milliseconds: no time is played after it. */
  readonly to: number
  /** The flow, which nobody else follows. */
  readonly step$: Observable<Step>
  /** Told of every step. What it throws ends the play. */
  readonly onStep: (step: Step) => void
  /** Asked at every price: once it is true, the rest of the log is left out. */
  readonly isOver: () => boolean
  /** Real time, for strategies that answer late. */
  readonly realClock: Clock
  /** Told now and then how many ticks are done. */
  readonly onProgress: (ticks: number) => void
}

/** Plays a log to a pipeline: its prices, and between them the timers, with a wait for whatever a strategy has promised to answer. */
export class LogPlayer {
  readonly #options: LogPlayerOptions
  readonly #answers: PromisedAnswers
  #failure: { readonly thrown: unknown } | undefined

  constructor(options: LogPlayerOptions) {
    this.#options = options
    this.#answers = new PromisedAnswers(options.realClock)
  }

  /** @throws what the flow ended with, or `onStep` threw */
  async play(): Promise<void> {
    const { data, range, clock, ticks, isOver, onProgress } = this.#options
    const { at } = data.prices
    const { first, last } = range
    const answers = this.#answers
    // By tick: one look-up less at every price.
    const pauses = data.pauses.filter(({ tick }) => tick > first).values()
    let pause = pauses.next().value
    // Whoever awaits this backtest does so by now: what is promised from here on is the strategies' own.
    await undefined
    const turns = new Turns()
    const subscription = this.#follow()
    try {
      for (let tick = first + 1; tick <= last && this.#failure === undefined && !isOver(); tick++) {
        const tickAt = at[tick - 1] ?? 0
        // In a pause of the log the bot sleeps as the recorded one did: what fell due meanwhile is done when it wakes.
        if (pause?.tick === tick) {
          while (this.#playTimers(pause.from, true)) await answers.settle()
          if (turns.areOwed) await undefined
          clock.skipTo(tickAt)
          pause = pauses.next().value
        }
        if (clock.nextAt() < tickAt) while (this.#playTimers(tickAt, false)) await answers.settle()
        // A turn for promises between any two prices, timers or none: what a strategy awaits comes in its time.
        if (turns.areOwed) await undefined
        clock.skipTo(tickAt)
        ticks.next(tick)
        if (answers.areDue) await answers.settle()
        if ((tick - first) % REPORT_EVERY === 0) onProgress(tick - first)
      }
      if (!isOver()) while (this.#playTimers(this.#endsAt(pause), true)) await answers.settle()
      if (turns.areOwed) await undefined
    } finally {
      turns.stop()
      subscription.unsubscribe()
    }
    if (this.#failure !== undefined) throw this.#failure.thrown
  }

  #follow(): Subscription {
    const { step$, onStep } = this.#options
    return step$.subscribe({
      next: (step) => {
        try {
          onStep(step)
        } catch (thrown) {
          // Whoever is told of the decisions could not take one: a file that cannot be written, perhaps.
          this.#failure ??= { thrown }
        }
        this.#answers.add(step.calls)
      },
      error: (thrown: unknown) => {
        this.#failure = { thrown }
      },
    })
  }

  /**
   * Runs the timers due before a time, or by then, one after the other.
   *
   * @returns whether one of them has left an answer to wait for: then others may be left, too
   */
  #playTimers(end: number, isIncluded: boolean): boolean {
    const { clock } = this.#options
    for (let next = clock.nextAt(); (next < end || (isIncluded && next === end)) && this.#failure === undefined; next = clock.nextAt()) {
      clock.advanceTo(next)
      if (this.#answers.areDue) return true
    }
    return false
  }

  /** Between two prices time can still be played; after the last line nothing is known. */
  #endsAt(pause: Pause | undefined): number {
    const { data, range, to } = this.#options
    const { at } = data.prices
    const lastPriceAt = at[range.last - 1] ?? 0
    // Cut short by `to`, what lies before the next price is played as far as it is where nothing is cut.
    const endsAt = (pause?.tick === range.last + 1 ? pause.from : at[range.last]) ?? data.lastAt
    return Math.min(to, Math.max(lastPriceAt, endsAt))
  }
}
