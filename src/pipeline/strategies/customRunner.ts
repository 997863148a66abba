import { Subject } from 'rxjs'
import { readOnly } from '../../core/readOnly.ts'
import { CUSTOM_STREAMS, type CustomStrategy, type CustomStreams, type Observables, TOLD_AS } from '../../strategy/define.ts'
import type { BotView } from '../../strategy/view.ts'
import type { Deadlines } from '../deadlines.ts'
import { type Emission, heard, StreamRunner, type StreamTools, type StreamWorld } from './streamRunner.ts'

/** The world as the strategy sees it at the input being processed. */
export interface CustomWorld extends StreamWorld {
  state(): BotView
}

export interface CustomRunnerOptions {
  readonly seed: number
  readonly deadlines: Deadlines
  readonly world: CustomWorld
  onLate(emission: Emission): void
}

export type Subjects = { readonly [K in keyof CustomStreams]: Subject<CustomStreams[K]> }

export const subjectsOfStreams = () => ofEach(() => new Subject()) as Subjects
/** As a strategy is handed them. */
export const heardOf = (subjects: Subjects) => ofEach((stream) => heard<unknown>(subjects[stream])) as Observables<CustomStreams>

/** The same for each stream: which value is of which the compiler cannot follow. */
const ofEach = (make: (stream: keyof CustomStreams) => unknown): unknown =>
  Object.fromEntries(CUSTOM_STREAMS.map((stream) => [stream, make(stream)]))

/** Runs one `defineStrategy` strategy, for the life of the bot. */
export class CustomRunner extends StreamRunner {
  readonly #subjects: Subjects
  readonly #given: Record<string, unknown>

  constructor(strategy: CustomStrategy, options: CustomRunnerOptions) {
    const { name, params, external } = strategy
    const { state } = options.world
    const subjects = subjectsOfStreams()
    const streams = heardOf(subjects)
    const run = (tools: StreamTools) => strategy.run({ ...tools, ...streams, params, state })
    const told: Record<string, unknown> = {}
    const given = () => ({ params, state: state(), ...told })
    super({ ...options, name, strategy: name, external, inputs: Object.values(subjects), given, run })
    this.#subjects = subjects
    this.#given = told
  }

  /** Whether it has begun, and listens to the stream now. */
  hears(stream: keyof CustomStreams): boolean {
    return this.started && this.#subjects[stream].observed
  }

  tell<K extends keyof CustomStreams>(stream: K, value: CustomStreams[K]): readonly Emission[] {
    const shown = readOnly(value)
    this.#given[TOLD_AS[stream]] = shown
    return this.during(() => this.#subjects[stream].next(shown))
  }
}
