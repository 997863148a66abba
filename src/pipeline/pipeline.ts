import { concat, defer, from, Observable } from 'rxjs'
import { readEvent } from '../contract/events.ts'
import type { ExtraPaths } from '../contract/paths.ts'
import { invariant } from '../core/error.ts'
import type { BotConfig } from '../strategy/config.ts'
import type { BotOptions } from './bot.ts'
import { type BotStatus, Core } from './core.ts'
import { Effects } from './effects.ts'
import type { InputBody } from './input.ts'
import { onceEach } from './onceEach.ts'
import type { JournalContents, Ports } from './ports.ts'
import { Sequencer } from './sequencer.ts'
import type { Step } from './step.ts'

export interface PipelineOptions {
  readonly config: BotConfig
  readonly paths: ExtraPaths
}

export interface Pipeline {
  /** Runs the bot while it is subscribed to, which it can be once; completes once it has drained. */
  readonly step$: Observable<Step>
  /** The bot as of its last step. Until it is restored something of what its journal holds is missing. */
  status(): BotStatus
  /** Whether all that its journal holds is in its books. */
  isRestored(): boolean
}

/**
 * One bot, from its sources to the service and back:
 *
 *     sources ─► sequencer ─► core: state ─► strategies ─► guard ─► record, journal ─► effects ─► outcome ─┐
 *        ▲                                                                                              │
 *        └──────────────────────── outcomes, answers, timers and late answers ◄─────────────────────────┘
 *
 * Sources are observables, and so is what comes out. In between stand plain calls: an input is done with before the next
 * one begins, and what it orders is durable before any of it is sent.
 */
export function pipeline(ports: Ports, options: PipelineOptions): Pipeline {
  const { clock, service, market, swapper, journal, seal, siblings, isolation, operator$, events } = ports
  let enter: (body: InputBody) => void = () => {}
  const core = new Core(
    { ...options, timeoutMs: service.timeoutMs, figuresHoldMs: service.figuresHoldMs, book: market.book, seal, isolation },
    (callId, result) => enter({ type: 'late', callId, result }),
  )

  let isRun = false
  let isRestored = false
  const step$ = new Observable<Step>((subscriber) => {
    invariant(!isRun, 'a pipeline is run once: share its steps where several listen to them')
    isRun = true
    const past = journal.load()
    const fail = (thrown: unknown) => subscriber.error(thrown)
    const effects = new Effects(ports, { enter: (body) => enter(body), fail })
    const done = (step: Step) => {
      keep(step, options.config.name, ports)
      effects.do(step)
      subscriber.next(step)
      if (step.drained) subscriber.complete()
    }
    const sequencer = new Sequencer(clock, past.lastInput, {
      input: (input) => {
        try {
          done(core.step(input))
        } catch (thrown) {
          fail(thrown)
        }
      },
      tick: (input) => {
        try {
          done(core.tick(input))
        } catch (thrown) {
          fail(thrown)
        }
      },
    })
    enter = sequencer.enter
    subscriber.add(() => {
      sequencer.close()
      effects.stop()
      core.stop()
    })

    const listenTo = <T>(source$: Observable<T>, bodyOf: (value: T) => InputBody) => {
      if (!subscriber.closed) subscriber.add(source$.subscribe({ next: (value) => enter(bodyOf(value)), error: fail }))
    }
    listenTo(operator$, (command) => ({ type: 'operator', command }))
    if (!subscriber.closed) subscriber.add(market.tick$.subscribe({ next: sequencer.enterTick, error: fail }))
    const news$ = defer(() => {
      isRestored = true
      return events.from(past.cursor)
    })
    listenTo(
      concat(from(recordedIn(past, swapper.hasChain, service.mayArriveForMs)), news$).pipe(onceEach({ seen: past.facts?.seen })),
      (body) => body,
    )
    // After what the journal holds: what siblings have entered already is heard at once.
    listenTo(siblings.heard$, (body) => body)
  })
  return { step$, status: () => core.status, isRestored: () => isRestored }
}

/** The bot as its journal alone has it, at a time: for one that does not play. */
export function statusOf(past: JournalContents, options: BotOptions, at: number): BotStatus {
  const core = new Core(options, () => {})
  let n = past.lastInput
  for (const body of recordedIn(past, false)) core.step({ ...body, n: ++n, at })
  // With the first input that is not of the journal all of its swaps are in the books.
  core.step({ type: 'timer', n: ++n, at })
  core.stop()
  return core.status
}

/** What an earlier run left: first what was promised and sent, then the events, into the books alone. */
function* recordedIn(
  { cursor: _, lastInput: _n, events, ...held }: JournalContents,
  hasChain: boolean,
  mayArriveForMs?: number,
): Generator<InputBody> {
  yield { type: 'started', ...held, hasChain, ...(mayArriveForMs === undefined ? {} : { mayArriveForMs }) }
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
