import { Subject } from 'rxjs'
import type { ServiceEvent } from '../../contract/events.ts'
import { readOnly } from '../../core/readOnly.ts'
import type { CustomStrategy } from '../../strategy/define.ts'
import type { BotView, ContestView } from '../../strategy/view.ts'
import type { Agenda } from '../agenda.ts'
import { type Emission, heard, StreamRunner, type StreamTools, type StreamWorld } from './streamRunner.ts'

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

interface Told {
  event?: ServiceEvent
  contests?: readonly ContestView[]
}

/** Runs one `defineStrategy` strategy, for the life of the bot. */
export class CustomRunner extends StreamRunner {
  readonly #event$: Subject<ServiceEvent>
  readonly #contests$: Subject<readonly ContestView[]>
  readonly #told: Told

  constructor(strategy: CustomStrategy, options: CustomRunnerOptions) {
    const { name, params, external } = strategy
    const event$ = new Subject<ServiceEvent>()
    const contests$ = new Subject<readonly ContestView[]>()
    const own = { params, events$: heard(event$), contests$: heard(contests$), state: options.world.state }
    const run = (tools: StreamTools) => strategy.run({ ...tools, ...own })
    const told: Told = {}
    const given = () => ({ params, state: options.world.state(), ...told })
    super({ ...options, name, strategy: name, external, inputs: [event$, contests$], given, run })
    this.#told = told
    this.#event$ = event$
    this.#contests$ = contests$
  }

  event(event: ServiceEvent): readonly Emission[] {
    const shown = readOnly(event)
    this.#told.event = shown
    return this.during(() => this.#event$.next(shown))
  }

  contests(contests: readonly ContestView[]): readonly Emission[] {
    const shown = readOnly(contests)
    this.#told.contests = shown
    return this.during(() => this.#contests$.next(shown))
  }
}
