import { type Observable, Subject, type Subscription } from 'rxjs'
import type { ServiceEvent } from '../contract/events.ts'
import { keyedRandom } from '../core/random.ts'
import type { CustomStrategy, StrategyLog } from '../strategy/define.ts'
import type { BotView, ContestView, Prices } from '../strategy/view.ts'
import type { Agenda } from './agenda.ts'

/** The world as the strategy sees it at the input being processed. */
export interface CustomWorld {
  now(): number
  prices(): Prices
  state(): BotView
  log: StrategyLog
}

/** What one strategy emitted, or how it ended. */
export type Emission = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly thrown: unknown }

/**
 * Runs one `defineStrategy` strategy: its observables run as the bot's inputs are processed. What it
 * emits during an input belongs to that input; what it emits of its own accord goes to `onLate`.
 */
export class CustomRunner {
  readonly name: string
  readonly #strategy: CustomStrategy
  readonly #options: CustomRunnerOptions
  readonly #event$ = new Subject<ServiceEvent>()
  readonly #contests$ = new Subject<readonly ContestView[]>()
  readonly #periods = new Map<string, Subject<number>>()
  #subscription: Subscription | undefined
  #collecting: Emission[] | undefined

  constructor(strategy: CustomStrategy, options: CustomRunnerOptions) {
    this.name = strategy.name
    this.#strategy = strategy
    this.#options = options
  }

  get started(): boolean {
    return this.#subscription !== undefined
  }

  start(n: number): readonly Emission[] {
    const { world, seed } = this.#options
    const emissions = this.#collect(() => {
      const action$ = this.#strategy.run({
        params: this.#strategy.params,
        clock: { now: world.now },
        random: keyedRandom(seed, this.name, n),
        prices: currentPrices(world.prices),
        log: world.log,
        events$: this.#event$.asObservable(),
        contests$: this.#contests$.asObservable(),
        every: (seconds) => this.#every(seconds * 1000),
        state: world.state,
      })
      this.#subscription = action$.subscribe({
        next: (value) => this.#emit({ ok: true, value }),
        error: (thrown: unknown) => this.#emit({ ok: false, thrown }),
      })
    })
    if (!this.started) this.#dropPeriods()
    return emissions
  }

  event(event: ServiceEvent): readonly Emission[] {
    return this.#collect(() => this.#event$.next(event))
  }

  contests(contests: readonly ContestView[]): readonly Emission[] {
    return this.#collect(() => this.#contests$.next(contests))
  }

  /** Runs what listens to prices, so that what it emits belongs to this input. */
  during(task: () => void): readonly Emission[] {
    return this.#collect(task)
  }

  /** A period of `every` is over; `purpose` is the agenda's word for it. */
  period(purpose: string): readonly Emission[] {
    const period = this.#periods.get(purpose)
    if (period === undefined) return []
    return this.#collect(() => period.next(this.#options.world.now()))
  }

  stop(): void {
    this.#subscription?.unsubscribe()
    for (const subject of [this.#event$, this.#contests$, ...this.#periods.values()]) subject.complete()
  }

  /** A run that threw before it returned leaves nothing behind: it is started again from nothing. */
  #dropPeriods(): void {
    for (const purpose of this.#periods.keys()) this.#options.agenda.drop(purpose)
    this.#periods.clear()
  }

  #every(periodMs: number): Observable<number> {
    const { agenda, world } = this.#options
    const purpose = `every:${this.name}:${this.#periods.size}:${periodMs}`
    const period$ = new Subject<number>()
    this.#periods.set(purpose, period$)
    agenda.set(purpose, world.now() + periodMs)
    return period$.asObservable()
  }

  #emit(emission: Emission): void {
    if (this.#collecting === undefined) this.#options.onLate(emission)
    else this.#collecting.push(emission)
  }

  #collect(task: () => void): readonly Emission[] {
    const collected: Emission[] = []
    this.#collecting = collected
    try {
      task()
    } catch (thrown) {
      collected.push({ ok: false, thrown })
    } finally {
      this.#collecting = undefined
    }
    return collected
  }
}

export interface CustomRunnerOptions {
  readonly seed: number
  readonly agenda: Agenda
  readonly world: CustomWorld
  onLate(emission: Emission): void
}

/** The period that an `every:` purpose was made with. */
export const periodOf = (purpose: string): number => Number(purpose.slice(purpose.lastIndexOf(':') + 1))

/** Prices that are read as of whichever input is being processed. */
function currentPrices(prices: () => Prices): Prices {
  return {
    now: (mint) => prices().now(mint),
    text: (mint) => prices().text(mint),
    change: (mint, seconds) => prices().change(mint, seconds),
    history: (mint, seconds) => prices().history(mint, seconds),
    price$: (mint) => prices().price$(mint),
    candles$: (mint, seconds) => prices().candles$(mint, seconds),
  }
}
