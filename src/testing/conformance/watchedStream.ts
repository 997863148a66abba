import { isObservable, map, Observable, Subscription, takeWhile } from 'rxjs'
import { show } from '../../core/show.ts'
import { CUSTOM_STREAMS, type RunContext, type StrategyContext, type TradeContext } from '../../strategy/define.ts'
import type { Prices } from '../../strategy/view.ts'
import type { Watch } from './watch.ts'
import { unwatched } from './watchedGlobals.ts'

/** Calls the strategy, or tells it something: by what it is called, and the contest it is about. */
type Calling = <T>(what: string, contestId: string | undefined, work: () => T) => T
/** Listens for the strategy: each thing it is told is a call of it. */
type Hear = <T>(name: string, source$: Observable<T>) => Observable<T>

interface StreamOptions {
  readonly what: string
  readonly contestId: string | undefined
  readonly watch: Watch
  readonly call: Calling
  /** Judges what it emits; false ends it. */
  readonly judge: (value: unknown) => boolean
}

/** What a strategy of observables emits, judged; and once it is unsubscribed from, whether it still listens. */
export function watchedStream<T>(
  { what, contestId, watch, call, judge }: StreamOptions,
  run: (hear: Hear) => Observable<T>,
): Observable<T> {
  return new Observable<T>((subscriber) => {
    let listening = 0
    const hear: Hear = (name, source$) =>
      new Observable((inner) => {
        listening += 1
        const subscription = source$.subscribe({
          next: (value) => call(`${what}, told of ${name},`, contestId, () => inner.next(watch.give(name, value))),
          error: (thrown: unknown) => inner.error(thrown),
          complete: () => call(`${what}, told of the end of ${name},`, contestId, () => inner.complete()),
        })
        return () => {
          listening -= 1
          subscription.unsubscribe()
        }
      })
    const subscription = new Subscription()
    call(what, contestId, () => {
      const emitted$ = run(hear)
      const returned: unknown = emitted$
      if (!isObservable(returned)) {
        watch.note('invalid-answer', `${what} returned ${show(returned)}, which is no Observable`, { contestId })
        subscriber.complete()
        return
      }
      subscription.add(
        emitted$.pipe(takeWhile((value) => judge(value))).subscribe({
          next: (value) => unwatched(() => subscriber.next(value)),
          error: (thrown: unknown) => {
            watch.noteThrown(`${what} failed:`, thrown, { contestId })
            unwatched(() => subscriber.error(thrown))
          },
          complete: () => unwatched(() => subscriber.complete()),
        }),
      )
    })
    return () => {
      subscription.unsubscribe()
      if (listening === 0) return
      const left = `${listening} ${listening === 1 ? 'thing' : 'things'}`
      watch.note('holds-on', `it was unsubscribed from, and still listens to ${left} that it was handed`, { contestId })
    }
  })
}

export function toldTrader(context: TradeContext<unknown>, watch: Watch, call: Calling, hear: Hear): TradeContext<unknown> {
  return {
    ...context,
    ...handed(context, watch, call, hear),
    contest: watch.give('contest', context.contest),
    positions$: hear('positions$', context.positions$),
    outcomes$: hear('outcomes$', context.outcomes$),
    every: (seconds) => hear('every()', context.every(seconds)),
  }
}

export function toldCustom(context: RunContext<unknown>, watch: Watch, call: Calling, hear: Hear): RunContext<unknown> {
  return {
    ...context,
    ...handed(context, watch, call, hear),
    ...Object.fromEntries(CUSTOM_STREAMS.map((stream) => [stream, hear<unknown>(stream, context[stream])])),
    every: (seconds) => hear('every()', context.every(seconds)),
    state: () => watch.give('state()', context.state()),
  }
}

/** Prices as the strategy is handed them. A strategy that is asked, not run, has no streams to hear of. */
export function handed(
  { prices }: Pick<StrategyContext<unknown>, 'prices'>,
  watch: Watch,
  call: Calling,
  hear: Hear = (name, source$) => source$.pipe(map((value) => call(`told of ${name}`, undefined, () => watch.give(name, value)))),
): { readonly prices: Prices } {
  return {
    prices: {
      now: (mint) => prices.now(mint),
      age: (mint) => prices.age(mint),
      text: (mint) => prices.text(mint),
      change: (mint, seconds) => prices.change(mint, seconds),
      history: (mint, seconds) => watch.give('prices.history()', prices.history(mint, seconds)),
      price$: (mint) => hear('price$', prices.price$(mint)),
      candles$: (mint, seconds) => hear('candles$', prices.candles$(mint, seconds)),
    },
  }
}
