import { config } from 'rxjs'
import { CornermanError, messageOf } from '../../core/error.ts'
import { keyedRandom } from '../../core/random.ts'
import { show } from '../../core/show.ts'
import type { Strategy } from '../../strategy/define.ts'
import { play } from './play.ts'
import { type ConformanceReport, reportOf } from './report.ts'
import { Watch } from './watch.ts'
import { watchGlobals } from './watchedGlobals.ts'
import { SCENARIOS } from './world/scenarios.ts'

/** How much is played, and how much a strategy may take. */
export interface ConformanceOptions {
  /** How many seeds, from 1 on, or which. Default 2. */
  readonly seeds?: number | readonly number[]
  /** The CPU time that a call may take, in milliseconds. Default 50. */
  readonly budgetMs?: number
  /** The most swaps of one contest. Default 40, the guard's own default. */
  readonly maxSwapsPerContest?: number
}

/**
 * Plays a strategy through seeded contests of its modes, in memory and in virtual time, by the pipeline that runs it live:
 * in calm, through restarts, without prices, with lost, late and refused requests, with nobody to play against, with contests
 * that are cancelled, and with a guard that refuses. Says what it did that a strategy may not.
 *
 * One that calls out (`external`) may look at the clock and draw random numbers: a replay plays its answers back.
 *
 * @param strategy with its parameters: `momentum({ lookbackSec: 10 })`
 * @throws CornermanError `CONFORMANCE_OPTION`; whatever the framework itself fails with
 * @example
 * test('keeps the contract of a strategy', async () => {
 *   const report = await conformance(momentum())
 *   report.assert()
 * })
 */
export async function conformance(strategy: Strategy, options: ConformanceOptions = {}): Promise<ConformanceReport> {
  const { budgetMs = 50, maxSwapsPerContest = 40 } = options
  const seeds = seedsOf(options.seeds ?? 2)
  const idle = { seed: 0, scenario: '', random: keyedRandom(0), now: () => 0 }
  const watch = new Watch({ budgetMs, swapsPerContest: maxSwapsPerContest, mayCallOut: strategy.external }, idle, strategy.params)
  const restore = watchGlobals()
  const { onUnhandledError } = config
  // What a subscriber of the strategy's own throws: RxJS says so on the next turn.
  config.onUnhandledError = (thrown) => watch.note('throws', `a subscriber of it threw ${messageOf(thrown)}`)
  let contests = 0
  try {
    for (const seed of seeds) for (const scenario of SCENARIOS) contests += await play(strategy, seed, scenario, watch)
  } finally {
    config.onUnhandledError = onUnhandledError
    restore()
  }
  if (watch.calls === 0) watch.note('never-asked', `it was never called in ${contests} contests`)
  return reportOf(strategy.name, { seeds, contests, calls: watch.calls, problems: watch.problems })
}

/**
 * `conformance`, for one line of a test.
 *
 * @throws CornermanError `STRATEGY_NOT_CONFORMING` that lists what the strategy did
 * @example test('keeps the contract of a strategy', () => expectConformance(momentum()))
 */
export async function expectConformance(strategy: Strategy, options?: ConformanceOptions): Promise<void> {
  const report = await conformance(strategy, options)
  report.assert()
}

function seedsOf(seeds: number | readonly number[]): readonly number[] {
  const isCount = typeof seeds === 'number' && Number.isSafeInteger(seeds)
  const list = typeof seeds !== 'number' ? seeds : isCount ? Array.from({ length: seeds }, (_, index) => index + 1) : []
  if (list.length > 0 && list.every((seed) => Number.isSafeInteger(seed))) return list
  throw new CornermanError('CONFORMANCE_OPTION', `seeds = ${show(seeds)}: how many, from 1 on, or a list of whole numbers`)
}
