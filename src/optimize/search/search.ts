import { intervalOf, type PairedContest } from '../../backtest/statistics/pairedEdge.ts'
import { CornermanError } from '../../core/error.ts'
import { keyedRandom, type Random } from '../../core/random.ts'
import type { Usdc } from '../../core/usdc.ts'
import { blockOrder, rungsOf } from './blockOrder.ts'
import type { Values } from './dimension.ts'
import { latinHypercube } from './latinHypercube.ts'
import { type Course, race, rankedBy } from './race.ts'
import { keyOf, pointOf, type Space } from './space.ts'
import { type Observation, proposed } from './tpe.ts'
import { compared, edgeOf, newTrial, type PlayBlocks, scoreOf, type Trial, type TrialState } from './trial.ts'

export type SearchKind = 'tpe' | 'random'

export interface SearchOptions {
  readonly space: Space
  /** The incumbent's contests in each block, in order of time: a block counts as many of the budget, whoever plays it. */
  readonly blocks: readonly number[]
  readonly seed: number
  /** How many times the incumbent's contests of all blocks may be played. 30 is usual. */
  readonly budget: number
  readonly kind: SearchKind
  readonly play: PlayBlocks
  readonly onProgress?: (progress: SearchProgress) => void
}

/** A difference of edges, with its 95 % interval, which is undefined where nothing varies. Shares of the stake. */
export interface Difference {
  readonly mean: number
  readonly low: number
  readonly high: number
}

export interface SearchProgress {
  /** From 0. */
  readonly generation: number
  /** From 1, of `rungs`. */
  readonly rung: number
  readonly rungs: number
  readonly trials: number
  /** Contests, of a budget of as many. */
  readonly spent: number
  readonly budget: number
  /** The best trial that has finished; undefined until one has. */
  readonly leader: { readonly trial: number; readonly values: Values; readonly paired: Difference | undefined } | undefined
}

/** A trial as it ended. */
export interface TrialResult {
  /** From 0, which is the incumbent. */
  readonly index: number
  readonly generation: number
  readonly values: Values
  readonly state: Exclude<TrialState, 'playing'>
  /** The earlier trial that it is the same as. */
  readonly twinOf: number | undefined
  /** Rungs that it has played, from 1; 0 of one that was not played. */
  readonly rung: number
  /** What it has played, in the order in which it did. */
  readonly blocks: readonly { readonly block: number; readonly fingerprint: string }[]
  readonly contests: number
  /** Profit a unit staked; undefined without a stake. */
  readonly edge: number | undefined
  /** Against the incumbent, on the same blocks. */
  readonly paired: Difference | undefined
  /** The same in the first rung alone, which all have played. */
  readonly pairedFirst: Difference | undefined
  /** The largest fall of its running profit, in micro-USDC. */
  readonly drawdown: Usdc
}

export interface SearchResult {
  readonly trials: readonly TrialResult[]
  /** The finished trial with the best paired edge; undefined where none is better than the incumbent. */
  readonly winner: TrialResult | undefined
  /** Trials that were played, without the incumbent and without twins. */
  readonly tried: number
  /** Contests, by what the incumbent plays in the same blocks. */
  readonly spent: number
  /** Why it ended. */
  readonly ended: 'budget' | 'twins'
}

const GENERATION = 10
const [LEAST_FIRST, FIRST_A_DIMENSION] = [20, 10]
/** How many stay at a rung of the first generation, and of the others. */
const [LEAST_STAYING_FIRST, LEAST_STAYING] = [4, 1]
const MOST_REDRAWS = 100
const MOST_TWIN_GENERATIONS = 2

/**
 * Searches for values that make more a unit staked than the incumbent's on the same blocks. Equal options and outcomes give equal results, however many
 * blocks are played at once.
 *
 * @throws CornermanError `SPACE_EMPTY` where a hundred draws in turn are refused by the strategies, `STRATEGY_FAILED` where the incumbent, or more than a
 *   quarter of the trials, failed; and what `play` throws
 */
export async function search(options: SearchOptions): Promise<SearchResult> {
  return new Search(options).run()
}

class Search {
  readonly #options: SearchOptions
  readonly #course: Course
  readonly #trials: Trial[] = []
  readonly #byKey = new Map<string, Trial>()
  #generation = 0

  constructor(options: SearchOptions) {
    this.#options = options
    const { blocks, seed, budget, play } = options
    const order = blockOrder(blocks.length, seed)
    this.#course = {
      ...{ order, play, contests: blocks, trials: this.#trials, spent: 0 },
      rungs: rungsOf(order.map((block) => blocks[block] ?? 0)),
      budget: budget * total(blocks),
      onBarrier: (rung) => this.#tell(rung),
    }
  }

  async run(): Promise<SearchResult> {
    this.#add(this.#options.space.incumbent)
    await race(this.#course, this.#firstGeneration(), LEAST_STAYING_FIRST)
    let twins = 0
    while (twins < MOST_TWIN_GENERATIONS && this.#affordable() >= GENERATION) {
      this.#generation += 1
      const entrants = this.#nextGeneration()
      await race(this.#course, entrants, LEAST_STAYING)
      twins = entrants.every(({ state }) => state === 'twin') ? twins + 1 : 0
    }
    return this.#result(twins < MOST_TWIN_GENERATIONS ? 'budget' : 'twins')
  }

  /** Points of a generation that the rest of the budget lets play the first rung, with one that plays all. */
  #affordable(): number {
    const { order, rungs, contests, budget, spent } = this.#course
    const costs = order.map((block) => contests[block] ?? 0)
    const [first, all] = [total(costs.slice(0, rungs[0])), total(costs)]
    return Math.floor((budget - spent - (all - first)) / first)
  }

  #firstGeneration(): Trial[] {
    const { space, seed, blocks } = this.#options
    const dimensions = space.dimensions.length
    const count = Math.max(LEAST_FIRST, FIRST_A_DIMENSION * dimensions)
    // The incumbent plays in this generation, too.
    this.#course.spent += total(blocks)
    const affordable = Math.max(1, Math.min(count, this.#affordable()))
    this.#course.spent -= total(blocks)
    return latinHypercube(keyedRandom(seed, 'latin hypercube'), affordable, dimensions).map((coordinates, index) => {
      const values = space.valuesAt(coordinates)
      return this.#add(space.isAllowed(values) ? values : this.#drawn(keyedRandom(seed, 0, index)))
    })
  }

  #nextGeneration(): Trial[] {
    const { seed, kind } = this.#options
    const entrants: Trial[] = []
    for (let index = 0; index < GENERATION; index++) {
      const random = keyedRandom(seed, this.#generation, index)
      const values = kind === 'random' ? this.#drawn(random) : this.#proposed(random)
      entrants.push(this.#add(values ?? this.#drawn(keyedRandom(seed, this.#generation, index, 'again'))))
    }
    return entrants
  }

  /** Any values that the strategies take. */
  #drawn(random: Random): Values {
    const { space } = this.#options
    for (let redraw = 0; redraw < MOST_REDRAWS; redraw++) {
      const values = space.valuesAt(space.dimensions.map(() => random.next()))
      if (space.isAllowed(values)) return values
    }
    throw new CornermanError(
      'SPACE_EMPTY',
      `the strategies refuse ${MOST_REDRAWS} draws in turn of ${space.dimensions.map(({ name }) => name).join(', ')}: narrow them with --vary to what goes together`,
    )
  }

  /** The best values that the strategies take and that were not tried; where all were tried, the best. */
  #proposed(random: Random): Values | undefined {
    const { space } = this.#options
    const allowed = proposed(space, this.#observations(), random).filter((values) => space.isAllowed(values))
    return allowed.find((values) => !this.#byKey.has(keyOf(space, values))) ?? allowed[0]
  }

  #observations(): Observation[] {
    const [incumbent] = this.#trials
    if (incumbent === undefined) return []
    return this.#trials.flatMap((trial): Observation[] => {
      const { state, point, outcomes } = trial
      if (state === 'twin' && outcomes.length === 0) return []
      return [{ point, score: state === 'playing' || state === 'failed' ? undefined : scoreOf(this.#originalOf(trial), incumbent) }]
    })
  }

  /** The trial that it is the same as: of a twin's twin the first of all. */
  #originalOf(trial: Trial): Trial {
    const other = trial.twinOf === undefined ? undefined : this.#trials[trial.twinOf]
    return other === undefined ? trial : this.#originalOf(other)
  }

  #add(values: Values): Trial {
    const { space } = this.#options
    const trial = newTrial({ index: this.#trials.length, generation: this.#generation, values, point: pointOf(space, values) })
    const known = this.#byKey.get(keyOf(space, values))
    if (known === undefined) this.#byKey.set(keyOf(space, values), trial)
    else {
      trial.state = 'twin'
      trial.twinOf = known.index
    }
    this.#trials.push(trial)
    return trial
  }

  #tell(rung: number): void {
    const { rungs, spent, budget } = this.#course
    const leader = this.#leader()
    this.#options.onProgress?.({
      ...{ generation: this.#generation, rung, rungs: rungs.length, trials: this.#trials.length, spent, budget },
      leader: leader && { trial: leader.index, values: leader.values, paired: this.#pairedOf(leader) },
    })
  }

  #leader(): Trial | undefined {
    const finished = this.#trials.filter(({ state, index }) => state === 'finished' && index > 0)
    return rankedBy(this.#course, finished)[0]
  }

  #pairedOf(trial: Trial, blocks = Infinity): Difference | undefined {
    const [incumbent] = this.#trials
    const found = incumbent && compared(trial, incumbent, blocks)
    return found && { mean: found.difference, ...intervalOf(found) }
  }

  #result(ended: SearchResult['ended']): SearchResult {
    const trials = this.#trials.map((trial) => this.#resultOf(trial))
    const leader = this.#leader()
    const winner = leader && trials[leader.index]
    return {
      ...{ trials, ended, spent: this.#course.spent },
      winner: (winner?.paired?.mean ?? 0) > 0 ? winner : undefined,
      tried: trials.filter(({ index, state }) => index > 0 && state !== 'twin').length,
    }
  }

  #resultOf(trial: Trial): TrialResult {
    const { index, generation, values, state, rung, outcomes } = trial
    const original = this.#originalOf(trial)
    const { order, rungs } = this.#course
    const contests = outcomes.flatMap((outcome) => outcome.contests)
    return {
      ...{ index, generation, values, rung },
      twinOf: original === trial ? undefined : original.index,
      state: state === 'playing' ? 'fell' : state,
      blocks: outcomes.map(({ fingerprint }, place) => ({ block: order[place] ?? 0, fingerprint })),
      contests: contests.length,
      edge: edgeOf(trial),
      paired: this.#pairedOf(trial),
      pairedFirst: this.#pairedOf(trial, rungs[0]),
      drawdown: drawdownOf(contests),
    }
  }
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

function drawdownOf(contests: readonly PairedContest[]): Usdc {
  let [profit, peak, most] = [0n, 0n, 0n]
  for (const contest of contests.toSorted((a, b) => a.enteredAt - b.enteredAt)) {
    profit += contest.profit + contest.swapProfit
    if (profit > peak) peak = profit
    if (peak - profit > most) most = peak - profit
  }
  return most
}
