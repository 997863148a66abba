import { type PairedEdge, pairedEdge } from '../backtest/statistics/pairedEdge.ts'
import { CornermanError } from '../core/error.ts'
import { type BlockJob, Player } from './blockJob.ts'
import {
  bestOf,
  byMode,
  edgeOf,
  type Finalist,
  type Fold,
  foldsOf,
  importanceOf,
  type Neighbours,
  neighboursOf,
  type Slice,
} from './diagnosis.ts'
import type { Plan } from './plan.ts'
import { points } from './points.ts'
import { isLost, type Lost, type Pool } from './pool.ts'
import type { BlockResult, TrialContest } from './runBlock.ts'
import type { Values } from './search/dimension.ts'
import { type SearchProgress, search, type TrialResult } from './search/search.ts'
import { pointOf, type Space } from './search/space.ts'
import type { SweepStore } from './sweepStore.ts'
import { type Power, powerOf } from './verdict.ts'

export interface SweepOptions {
  readonly plan: Plan
  readonly space: Space
  /** The incumbent's contests in each block. */
  readonly contests: readonly number[]
  /** The incumbent's that are sealed, and the number of the next look at them. */
  readonly sealedContests: number
  readonly look: number
  readonly store: SweepStore
  readonly pool: Pool<BlockJob, BlockResult>
  /** One thread of this process, where `pool` is spread over many: it shows whether a bot keeps something from one block to the next. */
  readonly ownThread?: Pool<BlockJob, BlockResult>
  readonly onProgress?: (progress: SearchProgress) => void
}

/** What an owner should know before believing a result. */
export interface SweepWarning {
  readonly code: 'BLOCKS_DIFFER' | 'FEW_PAIRS' | 'LONELY_PEAK' | 'SAME_PRICES' | 'TRIALS_FAILED'
  readonly message: string
}

/** The best of a search, against the incumbent, where both were played without a break on the train contests. */
export interface Winner {
  readonly trial: number
  readonly set: Values
  readonly contests: number
  readonly edge: number | null
  readonly incumbentEdge: number | null
  readonly paired: PairedEdge
  /** In micro-USDC. */
  readonly drawdown: bigint
}

/** What a search has come to, before anybody looks at what is sealed. */
export interface SweepOutcome {
  readonly trials: readonly TrialResult[]
  /** Null where nothing is better than the incumbent. */
  readonly winner: Winner | null
  readonly diagnosis: {
    /** Trials that were played in this search, the incumbent apart. */
    readonly trials: number
    /** The paired edge that the best of as many coins would show. */
    readonly bestOfCoins: number | null
    readonly folds: readonly Fold[]
    readonly byMode: Readonly<Record<string, Slice>>
    readonly neighbours: Neighbours | null
    /** By dimension. */
    readonly importance: readonly number[]
  }
  /** What the sealed contests would tell; null without a winner. */
  readonly power: (Power & { readonly look: number; readonly sealedContests: number }) | null
  readonly warnings: readonly SweepWarning[]
  /** Contests, by what the incumbent plays in the same blocks. */
  readonly spent: number
}

/** So many of the best are played without a break. */
const FINALISTS = 3

/**
 * Searches, and judges the best on the train contests alone.
 *
 * @throws CornermanError `NOT_REPEATABLE` where a block does not come out the same twice, `STRATEGY_FAILED` where the incumbent or more than a quarter of
 *   the trials cannot be played; and what a search, a worker or the store throws
 */
export async function runSweep(options: SweepOptions): Promise<SweepOutcome> {
  const { plan, space, contests, store, pool, onProgress } = options
  const player = new Player(store, pool)
  await expectRepeatable(plan, options.ownThread ?? pool)
  const found = await search({
    ...{ space, blocks: contests, seed: plan.seed, budget: plan.budget, kind: plan.search },
    play: async (jobs) => {
      const results = await player.play(jobs.map(({ values, block }) => jobOf(plan, values, block)))
      return results.map((result) => (isLost(result) ? undefined : result))
    },
    ...(onProgress === undefined ? {} : { onProgress }),
  })
  const finished = bestTrials(found.trials)
  const [incumbent, ...runs] = await unbroken(
    player,
    plan,
    [{}, ...finished.map(({ values }) => values)].map((values) => trainJob(plan, values)),
  )
  const against = incumbent?.contests ?? []
  const finalists = finished.flatMap((trial, index): Finalist[] => {
    const own = runs[index]?.contests
    return own === undefined ? [] : [{ trial, contests: own, paired: pairedEdge(own, against) }]
  })
  const best = bestOf(finalists)
  const winner = best?.paired === undefined || best.paired.difference <= 0 ? undefined : { ...best, paired: best.paired }
  return outcomeOf(options, found, against, winner)
}

/** The job of a trial in one block of a plan. */
const jobOf = ({ blocks }: Plan, values: Values, block: number): BlockJob => ({
  ...(blocks[block] ?? { from: 0, until: 0, tailMs: 0, seed: 0 }),
  values,
})

/** The job of the whole train time, without a break. */
export const trainJob = ({ split: { trainFrom, trainUntil, tailMs }, seed }: Plan, values: Values): BlockJob => ({
  ...{ from: trainFrom, until: trainUntil, tailMs, seed, values },
})

/**
 * Plays runs without a break, each of which takes about as long as all blocks.
 *
 * @throws CornermanError `STRATEGY_FAILED` where one of them was lost
 */
export async function unbroken(player: Player, { blocks }: Plan, jobs: readonly BlockJob[]): Promise<readonly BlockResult[]> {
  const results = await player.play(jobs, blocks.length)
  return results.map((result) => {
    if (isLost(result)) throw failedBy(result)
    return result
  })
}

const WORDS = { hung: 'did not end in time', 'out of memory': 'ran out of memory', ended: 'ended its thread' } as const satisfies Record<
  Lost['lost'],
  string
>

export const failedBy = ({ lost }: Lost): CornermanError =>
  new CornermanError(
    'STRATEGY_FAILED',
    `a strategy ${WORDS[lost]}, twice: play it with backtest, and look for what it waits for or collects`,
  )

/** The first block twice, with another one in between: a strategy that keeps something outside its hooks tells itself apart. */
async function expectRepeatable(plan: Plan, pool: Pool<BlockJob, BlockResult>): Promise<void> {
  const [first, last] = [jobOf(plan, {}, 0), jobOf(plan, {}, plan.blocks.length - 1)]
  const fingerprints: string[] = []
  for (const job of [first, last, first]) {
    const [result] = await pool.play([job])
    if (result === undefined || isLost(result)) throw failedBy(result ?? { lost: 'ended' })
    fingerprints.push(result.fingerprint)
  }
  if (fingerprints[0] === fingerprints[2]) return
  throw new CornermanError(
    'NOT_REPEATABLE',
    'the bot played the same contests twice and decided otherwise: a strategy keeps something outside its hooks, or asks the clock or chance itself. Use the clock and random that it is given',
  )
}

/** Finished trials that are better than the incumbent by what they showed, the best first. */
const bestTrials = (trials: readonly TrialResult[]): TrialResult[] =>
  trials
    .filter(({ index, state, paired }) => index > 0 && state === 'finished' && (paired?.mean ?? 0) > 0)
    .toSorted((a, b) => (b.paired?.mean ?? 0) - (a.paired?.mean ?? 0))
    .slice(0, FINALISTS)

function outcomeOf(
  { plan, space, sealedContests, look }: SweepOptions,
  found: Awaited<ReturnType<typeof search>>,
  incumbent: readonly TrialContest[],
  winner: (Finalist & { readonly paired: PairedEdge }) | undefined,
): SweepOutcome {
  const { split } = plan
  const others = found.trials.filter(({ index, state }) => index > 0 && state !== 'twin')
  const tried = others.map(({ index, values, pairedFirst }) => ({ index, point: pointOf(space, values), paired: pairedFirst }))
  const told = tried.flatMap(({ point, paired }) => (paired === undefined ? [] : [{ point, value: paired.mean }]))
  const power = winner === undefined ? null : powerOf({ train: winner.paired, trials: found.tried, sealedContests, look })
  const neighbours =
    winner === undefined
      ? null
      : neighboursOf(
          pointOf(space, winner.trial.values),
          tried.filter(({ index }) => index !== winner.trial.index),
        )
  return {
    trials: found.trials,
    winner: winner === undefined ? null : winnerOf(winner, incumbent),
    diagnosis: {
      trials: found.tried,
      bestOfCoins: power?.bestOfCoins ?? null,
      folds: winner === undefined ? [] : foldsOf(winner.contests, incumbent, split.trainFrom, split.trainUntil),
      byMode: winner === undefined ? {} : byMode(winner.contests, incumbent),
      neighbours,
      importance: importanceOf(space.dimensions.length, told),
    },
    power: power === null ? null : { ...power, look, sealedContests },
    warnings: warningsOf(found.trials, winner, neighbours),
    spent: found.spent,
  }
}

const winnerOf = ({ trial, contests, paired }: Finalist & { readonly paired: PairedEdge }, incumbent: readonly TrialContest[]): Winner => ({
  ...{ trial: trial.index, set: trial.values, contests: contests.length, paired, drawdown: trial.drawdown },
  ...{ edge: edgeOf(contests), incumbentEdge: edgeOf(incumbent) },
})

function warningsOf(
  trials: readonly TrialResult[],
  winner: (Finalist & { readonly paired: PairedEdge }) | undefined,
  neighbours: Neighbours | null,
): SweepWarning[] {
  const warnings: SweepWarning[] = []
  const failed = trials.filter(({ state }) => state === 'failed').length
  if (failed > 0)
    warnings.push({ code: 'TRIALS_FAILED', message: `${failed} of ${trials.length} trials hung, ran out of memory or ended their thread` })
  if (winner === undefined) return warnings
  const { paired, trial } = winner
  const error = (paired.high - paired.low) / 4
  if (trial.edge !== undefined && Math.abs(paired.edge - trial.edge) > 2 * error)
    warnings.push({
      code: 'BLOCKS_DIFFER',
      message: `the candidate makes ${points(paired.edge)} without a break and ${points(trial.edge)} in blocks, each of which begins with fresh caps and statistics: believe the first`,
    })
  if (2 * paired.shared < Math.min(paired.contests, paired.against))
    warnings.push({ code: 'FEW_PAIRS', message: `only ${paired.shared} contests are the same on both sides: luck tells them apart, too` })
  if (neighbours !== null && neighbours.mean <= 0)
    warnings.push({
      code: 'LONELY_PEAK',
      message: `${neighbours.trials} trials near the candidate are no better than the incumbent: a peak that stands alone is more likely luck`,
    })
  return warnings
}
