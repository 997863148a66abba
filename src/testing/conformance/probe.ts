import { isObservable, map, Observable, Subscription, takeWhile } from 'rxjs'
import { messageOf } from '../../core/error.ts'
import { show } from '../../core/show.ts'
import type { RunContext, Strategy, StrategyContext, TradeContext } from '../../strategy/define.ts'
import type { Prices } from '../../strategy/view.ts'
import { judgeAction, judgePick, judgePrediction, judgeSwap, type Verdict } from './answers.ts'
import type { Watch } from './watch.ts'
import { unwatched } from './watchedGlobals.ts'

/** Actions of one call: nobody has that many to ask for. */
const MOST_ACTIONS = 20

/** The strategy as it is, with a watch on each of its calls: what it is handed, what it does, what it answers. */
export function probed(strategy: Strategy, watch: Watch): Strategy {
  const params: unknown = strategy.params
  const call = <T>(what: string, contestId: string | undefined, work: () => T): T =>
    watch.during(what, contestId, () => {
      watch.hold('params', params)
      return work()
    })
  switch (strategy.kind) {
    case 'queue':
      return {
        ...strategy,
        decide: (context) => {
          const input = watch.input
          const answer = call('decide', undefined, () => {
            const { state, limits, bankroll, tickets, contests, openContests, stats, ...rest } = context
            const views = watch.give('context', { state, limits, bankroll, tickets, contests, openContests, stats })
            return strategy.decide({ ...rest, ...handed(rest, watch, call), ...views })
          })
          return judged(answer, watch, (value) => judgeActions(value, input, watch))
        },
      }
    case 'draft':
      return {
        ...strategy,
        pick: (context) => {
          const { contest, draft, ...rest } = context
          const { contestId } = contest
          const answer = call('pick', contestId, () =>
            strategy.pick({
              ...rest,
              ...handed(rest, watch, call),
              contest: watch.give('contest', contest),
              draft: watch.give('draft', draft),
            }),
          )
          return judged(answer, watch, (value) => note(judgePick(value, draft), contestId, watch))
        },
      }
    case 'predict':
      return {
        ...strategy,
        predict: (context) => {
          const { contest, ...rest } = context
          const { contestId, mode } = contest
          const answer = call('predict', contestId, () =>
            strategy.predict({ ...rest, ...handed(rest, watch, call), contest: watch.give('contest', contest) }),
          )
          return judged(answer, watch, (value) => note(judgePrediction(value, mode), contestId, watch))
        },
      }
    case 'trade':
      return {
        ...strategy,
        trade: (context) => {
          const { contestId } = context.contest
          const judge = (value: unknown) => {
            note(judgeSwap(value), contestId, watch)
            return !watch.isTooMany(contestId)
          }
          return stream({ what: 'trade', contestId, watch, call, judge }, (hear) => strategy.trade(toldTrader(context, watch, call, hear)))
        },
      }
    case 'custom':
      return {
        ...strategy,
        run: (context) => {
          const judge = (value: unknown) => {
            judgeActions([value], watch.input, watch)
            const { type, contestId } = value as { type?: unknown; contestId?: unknown }
            return !(type === 'swap' && typeof contestId === 'string' && watch.isTooMany(contestId))
          }
          return stream({ what: 'run', contestId: undefined, watch, call, judge }, (hear) =>
            strategy.run(toldCustom(context, watch, call, hear)),
          )
        },
      }
  }
}

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
function stream<T>({ what, contestId, watch, call, judge }: StreamOptions, run: (hear: Hear) => Observable<T>): Observable<T> {
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
            watch.note('throws', `${what} failed: ${messageOf(thrown)}`, { contestId })
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

function toldTrader(context: TradeContext<unknown>, watch: Watch, call: Calling, hear: Hear): TradeContext<unknown> {
  return {
    ...context,
    ...handed(context, watch, call, hear),
    contest: watch.give('contest', context.contest),
    positions$: hear('positions$', context.positions$),
    outcomes$: hear('outcomes$', context.outcomes$),
    every: (seconds) => hear('every()', context.every(seconds)),
  }
}

function toldCustom(context: RunContext<unknown>, watch: Watch, call: Calling, hear: Hear): RunContext<unknown> {
  return {
    ...context,
    ...handed(context, watch, call, hear),
    events$: hear('events$', context.events$),
    contests$: hear('contests$', context.contests$),
    every: (seconds) => hear('every()', context.every(seconds)),
    state: () => watch.give('state()', context.state()),
  }
}

/** Prices as the strategy is handed them. A strategy that is asked, not run, has no streams to hear of. */
function handed(
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

/** Judges an answer, now or when it comes, and passes it on as it is. */
function judged<T>(answer: T, watch: Watch, judge: (value: unknown) => void): T {
  if (!(answer instanceof Promise)) {
    judge(answer)
    return answer
  }
  const promised = answer as Promise<unknown>
  return promised.then(
    (value) => {
      judge(value)
      return value
    },
    (thrown: unknown) => {
      watch.note('throws', `its promise was rejected: ${messageOf(thrown)}`)
      throw thrown
    },
  ) as T
}

function judgeActions(value: unknown, input: number, watch: Watch): void {
  if (value === null || value === undefined) return
  if (!Array.isArray(value)) {
    watch.note('invalid-answer', `it answered ${show(value)}: a list of actions`)
    return
  }
  if (value.length > MOST_ACTIONS) watch.note('unbounded', `it asked for ${value.length} actions at once: more than ${MOST_ACTIONS}`)
  for (const action of value as unknown[]) {
    note(judgeAction(action), undefined, watch)
    const { type, contestId } = (action ?? {}) as { type?: unknown; contestId?: unknown }
    // To sell what a contest has left is for after it; and a list of open contests may be some seconds old.
    if (typeof contestId !== 'string' || type === 'sweep' || type === 'joinContest') continue
    const endedAt = watch.ended.get(contestId)
    // On the input that says so, some of what it is told is still of before.
    if (endedAt !== undefined && endedAt < input) {
      watch.note('acts-after-end', `it asked for ${show(type)} in a contest that had been over since input ${endedAt}`, {
        contestId,
        input,
      })
    }
  }
}

function note(verdict: Verdict, contestId: string | undefined, watch: Watch): void {
  if (verdict !== undefined) watch.note(verdict.rule, verdict.message, { contestId })
}
