import { Subject } from 'rxjs'
import type { ServiceEvent } from '../../contract/events.ts'
import type { CustomStrategy } from '../../strategy/define.ts'
import type { BotView, ContestView } from '../../strategy/view.ts'
import type { Agenda } from '../agenda.ts'
import { type Emission, StreamRunner, type StreamTools, type StreamWorld } from './streamRunner.ts'

/** The world as the strategy sees it at the input being processed. */
export interface CustomWorld extends StreamWorld {
  state(): BotView
}

export interface CustomRunnerOptions {
  readonly seed: number
  readonly agenda: Agenda
  readonly world: CustomWorld
  onLate(emission: Emission): void
}

/** Runs one `defineStrategy` strategy, for the life of the bot. */
export class CustomRunner extends StreamRunner {
  readonly #event$: Subject<ServiceEvent>
  readonly #contests$: Subject<readonly ContestView[]>

  constructor(strategy: CustomStrategy, options: CustomRunnerOptions) {
    const { name, params, external } = strategy
    const event$ = new Subject<ServiceEvent>()
    const contests$ = new Subject<readonly ContestView[]>()
    const own = { params, events$: event$.asObservable(), contests$: contests$.asObservable(), state: options.world.state }
    const run = (tools: StreamTools) => strategy.run({ ...tools, ...own })
    super({ ...options, name, strategy: name, external, inputs: [event$, contests$], run })
    this.#event$ = event$
    this.#contests$ = contests$
  }

  event(event: ServiceEvent): readonly Emission[] {
    return this.during(() => this.#event$.next(event))
  }

  contests(contests: readonly ContestView[]): readonly Emission[] {
    return this.during(() => this.#contests$.next(contests))
  }
}
