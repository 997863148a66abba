import { map, merge, Observable, skip } from 'rxjs'
import { unreachable } from '../../core/error.ts'
import { originalOf } from '../../core/readOnly.ts'
import { CUSTOM_STREAMS, type CustomStrategy, type Strategy, type StrategyContext, type Trader } from '../../strategy/define.ts'
import type { Positions } from '../../strategy/view.ts'
import type { Feed } from './messages.ts'
import type { StrategyHost, StreamOptions } from './strategyHost.ts'

/** Speaks for a strategy that runs in a process of its own: what it would be shown goes there, and what it says comes back later. */
export function standInFor(strategy: Strategy, host: StrategyHost): Strategy {
  // What an answer is worth is found out where any other answer's is.
  const ask = (context: StrategyContext<unknown>) => host.ask(shownOf(context)) as Promise<never>
  switch (strategy.kind) {
    case 'queue':
      return { ...strategy, decide: ask }
    case 'draft':
      return { ...strategy, pick: ask }
    case 'predict':
      return { ...strategy, predict: ask }
    case 'trade':
      return { ...strategy, trade: tradedBy(host) }
    case 'custom':
      return { ...strategy, run: runBy(host) }
    default:
      return unreachable(strategy)
  }
}

/** A context without what the process makes itself. */
function shownOf({ params: _p, prices: _q, clock: _c, random: _r, log: _l, ...shown }: StrategyContext<unknown>): object {
  return shown
}

function tradedBy(host: StrategyHost): Trader['trade'] {
  return ({ contest, positions$, outcomes$, available, standings }) => {
    let positions: Positions | undefined
    // Ends with the contest.
    positions$.subscribe((next) => {
      positions = next
    })
    return hosted(host, {
      shown: () => ({ contest, ...(positions === undefined ? {} : { positions }) }),
      world: () => ({ available: available(), standings: standings() }),
      feed$: merge(
        positions$.pipe(
          skip(1),
          map((next): Feed => ({ of: 'positions', positions: next })),
        ),
        outcomes$.pipe(map((outcome): Feed => ({ of: 'outcome', outcome }))),
      ),
    })
  }
}

function runBy(host: StrategyHost): CustomStrategy['run'] {
  return ({ state, ...context }) => {
    // Which value is of which stream the compiler cannot follow.
    const telling$ = CUSTOM_STREAMS.map((of) =>
      (context[of] as Observable<object>).pipe(map((told) => ({ of, told: originalOf(told) }) as Feed)),
    )
    return hosted(host, { shown: () => ({}), world: () => ({ state: state() }), feed$: merge(...telling$) })
  }
}

interface Hosted extends Omit<StreamOptions, 'onEmission'> {
  readonly feed$: Observable<Feed>
}

function hosted(host: StrategyHost, { shown, world, feed$ }: Hosted): Observable<never> {
  return new Observable((subscriber) => {
    const stream = host.open({
      shown,
      world,
      onEmission: (result) => (result.ok ? subscriber.next(result.value as never) : subscriber.error(result.thrown)),
    })
    const feeding = feed$.subscribe((feed) => stream.feed(feed))
    return () => {
      feeding.unsubscribe()
      stream.close()
    }
  })
}
