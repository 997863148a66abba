import { defer, map, merge, mergeMap, NEVER, Observable, tap } from 'rxjs'
import { later } from '../../../backtest/world/later.ts'
import type { SimulatedService } from '../../../backtest/world/simulatedService.ts'
import type { SimulatedSwapper } from '../../../backtest/world/simulatedSwapper.ts'
import type { VirtualClock } from '../../../core/clock.ts'
import { keyedRandom } from '../../../core/random.ts'
import type { ContestService, EventSource, Landing, Outcome, PaperFill, Swapper } from '../../../pipeline/index.ts'
import type { Scenario } from './scenarios.ts'

const LOST_MS = 5000
const LATE_MS = 3000
const LANDING_MS = 100

export interface TroubleOptions {
  readonly clock: VirtualClock
  readonly seed: number
  readonly startMs: number
  readonly scenario: Scenario
  readonly service: SimulatedService
  readonly swapper: SimulatedSwapper
}

/** The simulated service and DEX, with what goes wrong between them and the bot. */
export function troubledPorts(options: TroubleOptions): {
  readonly service: ContestService
  readonly events: EventSource
  readonly swapper: Swapper
} {
  const { clock, seed, scenario, service, swapper } = options
  let requests = 0
  let lastSwap: Landing = { status: 'expired' }
  /** Which trouble a request is in: 0 to 1 for the first of them, and so on; beyond the last, none. */
  const trouble = () =>
    scenario.trouble === 0 ? Number.POSITIVE_INFINITY : keyedRandom(seed, 'trouble', requests++).next() / scenario.trouble
  const lost = (): Outcome => ({ status: 'unknown', reason: 'the answer was lost' })

  const act: SimulatedService['act'] = (request) => {
    const fate = trouble()
    if (fate < 1) return later(clock, LOST_MS, lost)
    if (fate < 2) return service.act(request).pipe(map(lost))
    if (fate < 3)
      return later(clock, 100, (): Outcome => ({ status: 'rejected', refusal: { code: 'TRY_LATER', message: 'not now', status: 409 } }))
    if (fate < 4) return late(clock, service.act(request))
    return service.act(request)
  }
  const read: SimulatedService['read'] = (request) => {
    const fate = trouble()
    if (fate < 1) return later(clock, LOST_MS, () => ({ ok: false, refusal: undefined, reason: 'no answer' }) as const)
    return fate < 2 ? late(clock, service.read(request)) : service.read(request)
  }
  return {
    service: { timeoutMs: service.timeoutMs, figuresHoldMs: service.figuresHoldMs, act, read },
    events: { from: () => merge(service.from(), outage(options)) },
    swapper: {
      hasChain: swapper.hasChain,
      quote: (request) =>
        trouble() < 1 ? later(clock, 100, () => ({ ok: false, reason: 'no route', retryable: true }) as const) : swapper.quote(request),
      build: () => swapper.build(),
      executePaper: (swap) =>
        defer(() => {
          lastSwap = { status: 'pending' }
          return swapper.executePaper(swap)
        }).pipe(
          tap((result) => {
            lastSwap = result.status === 'rejected' ? { status: 'expired' } : onChain(result)
          }),
        ),
      // Asked by a bot that was started again before it heard what became of its swap: a wallet has one at a time.
      landing: () => later(clock, LANDING_MS, () => lastSwap),
    },
  }
}

/** What a chain says of it, whenever it is looked at: not what was in the wallet then. */
function onChain({ bankroll: _, ...landing }: Extract<PaperFill, { status: 'landed' | 'reverted' }>): Landing {
  return landing
}

/** The same answer, some seconds later. */
const late = <T>(clock: VirtualClock, answer$: Observable<T>): Observable<T> =>
  answer$.pipe(mergeMap((value) => later(clock, LATE_MS, () => value)))

/** The event stream cannot be read for a while: strategies wait until it has been read to its end again. */
function outage({ clock, startMs, scenario: { behind } }: TroubleOptions): ReturnType<EventSource['from']> {
  if (behind === undefined) return NEVER
  const [from, to] = behind.map((second) => startMs + second * 1000)
  const at = <T>(atMs: number | undefined, value: T): Observable<T> =>
    atMs === undefined || atMs < clock.now() ? NEVER : new Observable((reader) => clock.at(atMs, () => reader.next(value)))
  return merge(at(from, { type: 'behind', reason: 'no answer' } as const), at(to, { type: 'caughtUp' } as const))
}
