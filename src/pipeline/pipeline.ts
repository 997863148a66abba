import { concat, defer, finalize, from, map, merge, type Observable, Subject, takeWhile, tap } from 'rxjs'
import { readEvent } from '../contract/events.ts'
import type { ExtraPaths } from '../contract/paths.ts'
import type { BotConfig } from '../strategy/config.ts'
import { type BotStatus, Core } from './core.ts'
import { effects } from './effects.ts'
import { inOrder } from './inOrder.ts'
import type { InputBody } from './input.ts'
import { onceEach } from './onceEach.ts'
import type { JournalContents, Ports } from './ports.ts'
import type { Step } from './step.ts'

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
 *     source$ ─► inOrder ─► core: state ─► strategies ─► guard ─► record, journal ─► effects ─► outcome ─┐
 *        ▲                                                                                              │
 *        └──────────────────────── outcomes, answers, timers and late answers ◄─────────────────────────┘
 *
 * The core is one synchronous operator, and what it orders is durable before any of it is sent.
 */
export function pipeline(ports: Ports, options: PipelineOptions): Pipeline {
  const { clock, service, market, swapper, journal, seal, siblings, isolation } = ports
  const feedback$ = new Subject<InputBody>()
  const core = new Core(
    { ...options, timeoutMs: service.timeoutMs, figuresHoldMs: service.figuresHoldMs, book: market.book, seal, isolation },
    (callId, result) => feedback$.next({ type: 'late', callId, result }),
  )

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
    return source$.pipe(
      inOrder(clock, past.lastInput),
      map((input) => core.step(input)),
      tap((step) => keep(step, options.config.name, ports)),
      effects(ports, feedback$),
      takeWhile(({ drained }) => !drained, true),
      finalize(() => core.stop()),
    )
  })
  return { step$, status: () => core.status }
}

/** What an earlier run left: first what was promised and sent, then the events, into the books alone. */
function* recordedIn(
  { pending, custody, claimed, tickets, swaps, fills, counts, events }: JournalContents,
  hasChain: boolean,
): Generator<InputBody> {
  yield { type: 'started', pending, custody, claimed, tickets, swaps, fills, hasChain, counts }
  for (const raw of events) yield { type: 'event', raw, read: readEvent(raw), cursor: undefined, recorded: true }
}

/** What a step leads to is durable before any of it is sent, and known to the bots beside this one. */
function keep(step: Step, bot: string, { recorder, journal, siblings }: Ports): void {
  recorder.record(step)
  if (step.record !== undefined) journal.commit(step.record)
  if (step.isQuiet) return
  for (const entry of step.siblingsEntered) siblings.entered(entry)
  for (const key of step.siblingsLeft) siblings.left(bot, key)
}
