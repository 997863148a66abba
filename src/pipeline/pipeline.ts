import {
  concat,
  connect,
  defer,
  distinctUntilChanged,
  finalize,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  NEVER,
  Observable,
  Subject,
  switchMap,
  takeWhile,
  tap,
} from 'rxjs'
import { readEvent } from '../contract/events.ts'
import type { ExtraPaths } from '../contract/paths.ts'
import type { Clock } from '../core/clock.ts'
import { invariant } from '../core/error.ts'
import { isApproved } from '../guard/index.ts'
import type { BotConfig } from '../strategy/config.ts'
import { type BotStatus, Core } from './core.ts'
import { inOrder } from './inOrder.ts'
import type { InputBody, ReadRequest } from './input.ts'
import { onceEach } from './onceEach.ts'
import type { ContestService, JournalContents, Ports, Siblings } from './ports.ts'
import type { PendingCall, SendOrder, Step } from './step.ts'
import { run } from './swaps/errand.ts'

export interface PipelineOptions {
  readonly config: BotConfig
  readonly paths: ExtraPaths
}

export interface Pipeline {
  /** Runs the bot while it is subscribed to; completes once it has drained. */
  readonly step$: Observable<Step>
  /** The bot as of its last step. */
  status(): BotStatus
}

/**
 * One bot, from its sources to the service and back:
 *
 *     source$ ─► inOrder ─► core: state ─► strategies ─► guard ─► journal ─► send ─► outcome ─┐
 *        ▲                                                                                    │
 *        └──────────────────── outcomes, answers, timers and late answers ◄───────────────────┘
 *
 * The core is one synchronous operator, and what it orders is durable before any of it is sent.
 */
export function pipeline(ports: Ports, options: PipelineOptions): Pipeline {
  const { clock, service, market, swapper, journal, siblings } = ports
  const feedback$ = new Subject<InputBody>()
  const world = { timeoutMs: service.timeoutMs, book: market.book, salt: ports.salt }
  const core = new Core({ ...options, ...world }, (callId, result) => feedback$.next({ type: 'late', callId, result }))

  const step$ = defer(() => {
    const past = journal.load()
    const source$ = merge(
      feedback$,
      ports.operator$.pipe(map((command): InputBody => ({ type: 'operator', command }))),
      market.tick$.pipe(map((tick): InputBody => ({ type: 'prices', tick }))),
      concat(from(recordedIn(past, swapper.hasChain)), ports.events.from(past.cursor)).pipe(onceEach()),
      // After what the journal holds: what siblings have entered already is heard at once.
      siblings.heard$,
    )
    const effectsOf = (step$: Observable<Step>): Observable<InputBody> =>
      merge(
        step$.pipe(
          mergeMap(({ orders }) => orders),
          mergeMap((order) => send(service, order)),
        ),
        step$.pipe(
          mergeMap(({ reads }) => reads),
          mergeMap((request) => read(service, clock, request)),
        ),
        step$.pipe(
          mergeMap(({ errands }) => errands),
          mergeMap((errand) => run(swapper, errand)),
        ),
        step$.pipe(
          mergeMap(({ calls }) => calls),
          mergeMap(answerOf),
        ),
        step$.pipe(
          distinctUntilChanged(hasSameWake),
          switchMap(({ wakeAt }) => (wakeAt === undefined ? NEVER : timerAt(clock, wakeAt))),
        ),
      )
    return source$.pipe(
      inOrder(clock, past.lastInput),
      map((input) => core.step(input)),
      tap(({ record }) => record !== undefined && journal.commit(record)),
      tap((step) => announce(siblings, options.config.name, step)),
      connect((step$) =>
        merge(
          effectsOf(step$).pipe(
            tap((body) => feedback$.next(body)),
            ignoreElements(),
          ),
          step$,
        ),
      ),
      takeWhile(({ drained }) => !drained, true),
      finalize(() => core.stop()),
    )
  })
  return { step$, status: () => core.status }
}

/** What an earlier run left: first what was promised and sent, then the events, into the books alone. */
function* recordedIn(
  { pending, custody, claimed, swaps, fills, counts, events }: JournalContents,
  hasChain: boolean,
): Generator<InputBody> {
  yield { type: 'started', pending, custody, claimed, swaps, fills, hasChain, counts }
  for (const raw of events) yield { type: 'event', raw, read: readEvent(raw), cursor: undefined, recorded: true }
}

async function send(service: ContestService, { key, action, request }: SendOrder): Promise<InputBody> {
  invariant(isApproved(action), 'only what the guard approved is sent', { key })
  return { type: 'outcome', key, outcome: await service.act(request) }
}

async function read(service: ContestService, clock: Clock, request: ReadRequest): Promise<InputBody> {
  const begunAt = clock.now()
  return { type: 'answer', request, begunAt, result: await service.read(request) }
}

async function answerOf({ callId, answer }: PendingCall): Promise<InputBody> {
  try {
    return { type: 'late', callId, result: { ok: true, value: await answer } }
  } catch (thrown) {
    return { type: 'late', callId, result: { ok: false, thrown } }
  }
}

/** A timer that has fired is set again even for the same time: something became due meanwhile. */
const hasSameWake = (before: Step, after: Step): boolean => before.wakeAt === after.wakeAt && after.input.type !== 'timer'

function timerAt(clock: Clock, at: number): Observable<InputBody> {
  return new Observable((subscriber) =>
    clock.at(at, () => {
      subscriber.next({ type: 'timer' })
    }),
  )
}

function announce(siblings: Siblings, bot: string, { siblingsEntered, siblingsLeft }: Step): void {
  for (const entry of siblingsEntered) siblings.entered(entry)
  for (const key of siblingsLeft) siblings.left(bot, key)
}
