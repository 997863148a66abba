import { BehaviorSubject, Subject } from 'rxjs'
import { readOnly } from '../../core/readOnly.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Trader } from '../../strategy/define.ts'
import type { ContestView, Positions, StandingView, SwapOutcome } from '../../strategy/view.ts'
import type { Deadlines } from '../deadlines.ts'
import { type Emission, heard, StreamRunner, type StreamTools, type StreamWorld } from './streamRunner.ts'

export interface TraderWorld extends StreamWorld {
  available(): Usdc | undefined
  standings(): readonly StandingView[] | undefined
}

export interface TraderRunnerOptions {
  readonly contest: ContestView
  /** Made for this trader, and nobody else's. */
  readonly positions: Positions
  readonly seed: number
  readonly deadlines: Deadlines
  readonly world: TraderWorld
  onLate(emission: Emission): void
}

/** The journal holds the same fill: a copy costs a third of what freezing it does. */
function ownCopy(outcome: SwapOutcome): SwapOutcome {
  switch (outcome.status) {
    case 'filled':
      return { status: 'filled', fill: { ...outcome.fill } }
    case 'refused':
      return { ...outcome, numbers: { ...outcome.numbers } }
    case 'failed':
      return { ...outcome }
  }
}

/** Runs a trader in one contest, from the opening of its window to its end. */
export class TraderRunner extends StreamRunner {
  readonly strategy: string
  readonly contestId: string
  readonly #positions$: BehaviorSubject<Positions>
  readonly #outcome$: Subject<SwapOutcome>

  constructor(trader: Trader, { contest, positions, ...options }: TraderRunnerOptions) {
    const { name: strategy, params, external } = trader
    const { contestId } = readOnly(contest)
    const positions$ = new BehaviorSubject(positions)
    const outcome$ = new Subject<SwapOutcome>()
    const shown = { positions$: heard(positions$), outcomes$: heard(outcome$) }
    const { available, standings } = options.world
    const run = (tools: StreamTools) => trader.trade({ ...tools, ...shown, params, contest, available, standings })
    const given = () => ({ params, contest, positions: positions$.value })
    super({ ...options, name: `${strategy}@${contestId}`, strategy, external, inputs: [positions$, outcome$], given, run })
    this.strategy = strategy
    this.contestId = contestId
    this.#positions$ = positions$
    this.#outcome$ = outcome$
  }

  positions(positions: Positions): readonly Emission[] {
    return this.during(() => this.#positions$.next(positions))
  }

  outcome(outcome: SwapOutcome): readonly Emission[] {
    return this.during(() => this.#outcome$.next(ownCopy(outcome)))
  }
}
