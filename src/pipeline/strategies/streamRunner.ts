import { isObservable, Observable, type Subscriber, type Subscription } from 'rxjs'
import { keyedRandom, type Random } from '../../core/random.ts'
import type { StrategyLog } from '../../strategy/define.ts'
import { periodMs } from '../../strategy/period.ts'
import type { Prices } from '../../strategy/view.ts'
import type { Deadlines } from '../deadlines.ts'
import { currentPrices } from '../prices/strategyPrices.ts'
import type { TaskKey } from '../protocol/taskKey.ts'
import { answerInvalid } from './answerInvalid.ts'
import { type Blamed, blaming, unblamed } from './blame.ts'
import { writeFault } from './writes.ts'

/** What one strategy emitted, or how it ended. */
export type Emission = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly thrown: unknown }

/** What a strategy emitted when it was told of a price. */
export interface Spoken {
  readonly type: 'spoken'
  readonly runner: StreamRunner
  readonly emissions: readonly Emission[]
}

/** The part of the world that every strategy of observables sees, at the input being processed. */
export interface StreamWorld {
  now(): number
  prices(): Prices
  readonly log: StrategyLog
  /** Takes errors that the strategy leaves behind; absent: in a process of its own, which ends by them. */
  readonly blamed?: Blamed
}

/** An observable as a strategy is handed it: without the way to what it is fed by. */
export const heard = <T>(source$: Observable<T>): Observable<T> =>
  Object.freeze(new Observable<T>((subscriber) => source$.subscribe(subscriber)))

/** What a strategy emits on nearly every input. */
const NOTHING: readonly Emission[] = []

/** What such a strategy is handed, besides its own inputs. */
export interface StreamTools {
  readonly clock: { now(): number }
  readonly random: Random
  readonly prices: Prices
  readonly log: StrategyLog
  every(seconds: number): Observable<number>
}

export interface StreamRunnerOptions {
  /** Unlike any other runner's of the bot: its periods are due by it. */
  readonly name: string
  /** Keys of its random numbers, besides the input it is started on. */
  readonly seed: number
  readonly strategy: string
  /** It calls out: what it emits is never part of an input, but an input of its own, which a replay can play back. */
  readonly external: boolean
  readonly deadlines: Deadlines
  readonly world: StreamWorld
  /** The strategy's own inputs: they end with it. */
  readonly inputs: readonly { complete(): void }[]
  /** All that the strategy was given last, by the names it knows it by: where it wrote to something is looked for there. */
  given(): object
  /** Makes the strategy's observable. */
  run(tools: StreamTools): Observable<unknown>
  /** Told of what is emitted between inputs; of a strategy that calls out, of all it emits. */
  onLate(emission: Emission): void
}

/**
 * Runs one strategy of observables as the bot's inputs are processed. What it emits during an input belongs
 * to that input; what it emits of its own accord goes to `onLate`.
 */
export class StreamRunner {
  readonly #options: StreamRunnerOptions
  /** Those that are listened to, by what they are due by. */
  readonly #periods = new Map<TaskKey, Subscriber<number>>()
  #periodCount = 0
  #isStopped = false
  #subscription: Subscription | undefined
  #isCollecting = false
  #collected: readonly Emission[] = NOTHING

  constructor(options: StreamRunnerOptions) {
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  get started(): boolean {
    return this.#subscription !== undefined
  }

  start(n: number): readonly Emission[] {
    const { run, seed, strategy, world } = this.#options
    const emissions = this.during(() => {
      const emitted$: unknown = run({
        clock: { now: world.now },
        random: keyedRandom(seed, strategy, n),
        prices: currentPrices(world.prices),
        log: world.log,
        every: (seconds) => this.#every(periodMs(seconds, `strategy ${strategy}: every`)),
      })
      if (!isObservable(emitted$)) throw answerInvalid('an Observable of what it does, such as every(5).pipe(map(…))', emitted$)
      this.#subscription = emitted$.subscribe({
        next: (value) => this.#emit({ ok: true, value }),
        error: (thrown: unknown) => this.#fail(thrown),
      })
    })
    if (!this.started) this.#dropPeriods()
    return emissions
  }

  /** Runs what the strategy listens to, so that what it emits belongs to this input. */
  during(task: () => void): readonly Emission[] {
    this.#isCollecting = true
    this.#collected = NOTHING
    try {
      blaming(this.#options.world.blamed, task)
    } catch (thrown) {
      this.#fail(thrown)
    } finally {
      this.#isCollecting = false
    }
    return this.#collected
  }

  /**
   * A period of `every` is over, and the next one begins.
   *
   * @param purpose what it is due by
   * @param isTold whether the strategy hears of it
   */
  period(purpose: TaskKey, { isTold = true } = {}): readonly Emission[] {
    const period = this.#periods.get(purpose)
    if (period === undefined) return NOTHING
    const { deadlines, world } = this.#options
    deadlines.set(purpose, world.now() + Number(purpose.slice(purpose.lastIndexOf(':') + 1)))
    return isTold ? this.during(() => period.next(world.now())) : NOTHING
  }

  /** What a strategy that calls out, or runs elsewhere, has failed in is begun anew; any other says nothing more. */
  onFailure(): void {
    if (!this.#options.external) return
    this.#subscription?.unsubscribe()
    this.#subscription = undefined
    this.#dropPeriods()
  }

  stop(): void {
    this.#isStopped = true
    this.#subscription?.unsubscribe()
    for (const input of [...this.#options.inputs, ...this.#periods.values()]) input.complete()
  }

  /** A run that threw before it returned leaves nothing behind: it is started again from nothing. */
  #dropPeriods(): void {
    for (const period of [...this.#periods.values()]) period.unsubscribe()
  }

  #every(lengthMs: number): Observable<number> {
    const { deadlines, name, world } = this.#options
    return new Observable((subscriber) => {
      // Who subscribes once more to what has just completed would do so for ever.
      if (this.#isStopped) return undefined
      const purpose: TaskKey = `every:${name}:${this.#periodCount++}:${lengthMs}`
      this.#periods.set(purpose, subscriber)
      deadlines.set(purpose, world.now() + lengthMs)
      return () => {
        this.#periods.delete(purpose)
        deadlines.drop(purpose)
      }
    })
  }

  #fail(thrown: unknown): void {
    this.#emit({ ok: false, thrown: writeFault(thrown, this.#options.given) })
  }

  #emit(emission: Emission): void {
    if (this.#isCollecting && !this.#options.external) this.#collected = [...this.#collected, emission]
    else unblamed(() => this.#options.onLate(emission))
  }
}
