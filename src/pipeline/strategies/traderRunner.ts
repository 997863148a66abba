import { BehaviorSubject, Subject } from 'rxjs'
import { readOnly } from '../../core/readOnly.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Trader } from '../../strategy/define.ts'
import type { ContestView, Positions, SwapOutcome } from '../../strategy/view.ts'
import type { Agenda } from '../agenda.ts'
import { type Emission, heard, StreamRunner, type StreamTools, type StreamWorld } from './streamRunner.ts'

export interface TraderWorld extends StreamWorld {
  available(): Usdc | undefined
}

export interface TraderRunnerOptions {
  readonly contest: ContestView
  readonly positions: Positions
  readonly seed: number
  readonly agenda: Agenda
  readonly world: TraderWorld
  onLate(emission: Emission): void
}

interface Told {
  outcome?: SwapOutcome
}

/** Runs a trader in one contest, from the opening of its window to its end. */
export class TraderRunner extends StreamRunner {
  readonly strategy: string
  readonly contestId: string
  readonly #positions$: BehaviorSubject<Positions>
  readonly #outcome$: Subject<SwapOutcome>
  readonly #told: Told

  constructor(trader: Trader, { contest, positions, ...options }: TraderRunnerOptions) {
    const { name: strategy, params, external } = trader
    const { contestId } = readOnly(contest)
    const positions$ = new BehaviorSubject(readOnly(positions))
    const outcome$ = new Subject<SwapOutcome>()
    const shown = { positions$: heard(positions$), outcomes$: heard(outcome$) }
    const told: Told = {}
    const run = (tools: StreamTools) => trader.trade({ ...tools, ...shown, params, contest, available: options.world.available })
    const given = () => ({ params, contest, positions: positions$.value, ...told })
    super({ ...options, name: `${strategy}@${contestId}`, strategy, external, inputs: [positions$, outcome$], given, run })
    this.#told = told
    this.strategy = strategy
    this.contestId = contestId
    this.#positions$ = positions$
    this.#outcome$ = outcome$
  }

  positions(positions: Positions): readonly Emission[] {
    return this.during(() => this.#positions$.next(readOnly(positions)))
  }

  outcome(outcome: SwapOutcome): readonly Emission[] {
    this.#told.outcome = readOnly(outcome)
    return this.during(() => this.#outcome$.next(outcome))
  }
}
