import { concat, connect, defer, finalize, from, ignoreElements, map, merge, type Observable, Subject, share, takeWhile, tap } from 'rxjs'
import type { ExtraPaths } from '../contract/paths.ts'
import { invariant } from '../core/error.ts'
import type { BotConfig } from '../strategy/config.ts'
import { BotState } from './botState.ts'
import { commandsOf } from './flow/commands.ts'
import { decided } from './flow/decided.ts'
import { inSequence } from './flow/inSequence.ts'
import { journalled } from './flow/journalled.ts'
import { onceEach } from './flow/onceEach.ts'
import { performed, woken } from './flow/performed.ts'
import type { Heard, Proposal, Turn } from './flow/proposal.ts'
import { recordedIn } from './pastOf.ts'
import type { InputBody } from './protocol/input.ts'
import type { Ports } from './protocol/ports.ts'
import type { Step } from './protocol/step.ts'
import type { BotStatus } from './state/botStatus.ts'
import type { BotOptions } from './state/present.ts'
import * as modules from './strategies/modules.ts'
import type { Strategies } from './strategies/strategies.ts'

export interface PipelineOptions {
  readonly config: BotConfig
  readonly paths: ExtraPaths
}

export interface Pipeline {
  /** Runs the bot while it is subscribed to, which it can be once; completes once it has drained. A price of which nothing came is no step. */
  readonly step$: Observable<Step>
  /** The bot as of its last step. Until it is restored something of what its journal holds is missing. */
  status(): BotStatus
  /** Whether all that its journal holds is in its books. */
  isRestored(): boolean
}

/** One bot, from its sources to the service and back. Within one input the arrows run in the order of the text, and all at once. */
export function pipeline(ports: Ports, options: PipelineOptions): Pipeline {
  const { clock, market, journal, recorder, siblings } = ports
  const fedBack$ = new Subject<InputBody>()
  const state = new BotState(optionsOf(ports, options), (late) => fedBack$.next(late))
  let isRestored = false
  const step$ = defer(() => {
    const past = journal.load()
    // In: whatever can happen to a bot.
    const command$ = commandsOf(ports)
    const recorded$ = from(recordedIn(past, ports))
    const news$ = defer(() => {
      isRestored = true
      return ports.events.from(past.cursor)
    })
    const event$ = concat(recorded$, news$).pipe(onceEach({ seen: past.facts?.seen }))
    const input$ = inSequence(clock, past.lastInput, { fedBack$, command$, price$: market.tick$, event$, sibling$: siblings.heard$ })
    // Through: the state, the strategies, the guard; and then it is durable.
    const decided$ = input$.pipe(decided({ state, say: speech(state.strategies), onQuiet: (input) => recorder.price(input) }))
    return decided$.pipe(
      journalled(ports, options.config.name),
      // Out, and back in.
      connect((step$) => {
        const outcome$ = step$.pipe(performed(ports))
        const timer$ = merge(step$.pipe(map(({ wakeAt }) => wakeAt)), state.wakeAt$).pipe(woken(clock))
        const back$ = merge(outcome$, timer$).pipe(tap((body) => fedBack$.next(body)))
        return merge(back$.pipe(ignoreElements()), step$)
      }),
      takeWhile(({ drained }) => !drained, true),
      finalize(() => state.stop()),
    )
  })
  return { step$: once(step$), status: () => state.status, isRestored: () => isRestored }
}

/** What strategies say, and the guard is asked about: in one input the one after the other, in the order of the list. */
export const speech =
  (strategies: Strategies) =>
  (heard$: Observable<Heard>, turn$: Observable<Turn>): Observable<Proposal> => {
    const move$ = turn$.pipe(modules.moves(strategies), share())
    const draftTurn$ = move$.pipe(modules.draftTurns(strategies))
    const predictionDue$ = move$.pipe(modules.duePredictions(strategies))
    const contest$ = turn$.pipe(modules.openedContests(strategies))
    const policyTurn$ = turn$.pipe(modules.policyTurns(strategies))
    const proposal$ = merge(
      heard$.pipe(modules.lateAnswers(strategies)),
      merge(heard$, turn$).pipe(modules.customs(strategies)),
      draftTurn$.pipe(modules.pickers(strategies)),
      predictionDue$.pipe(modules.predictors(strategies)),
      merge(heard$, turn$).pipe(modules.tradersAtWork(strategies)),
      contest$.pipe(modules.traders(strategies)),
      policyTurn$.pipe(modules.policies(strategies)),
    )
    return proposal$.pipe(modules.guarded(strategies))
  }

function optionsOf({ service, market, seal, isolation }: Ports, options: PipelineOptions): BotOptions {
  return { ...options, timeoutMs: service.timeoutMs, figuresHoldMs: service.figuresHoldMs, book: market.book, seal, isolation }
}

function once<T>(source$: Observable<T>): Observable<T> {
  let isRun = false
  return defer(() => {
    invariant(!isRun, 'a pipeline is run once: share its steps where several listen to them')
    isRun = true
    return source$
  })
}
