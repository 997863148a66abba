import { type LogData, readLogs, type Terms, usualTerms } from '../../../backtest/index.ts'
import { type SharedLog, shareLog } from '../../../backtest/sharedLog.ts'
import { MODES, type Mode } from '../../../contract/modes.ts'
import { CornermanError } from '../../../core/error.ts'
import { systemClock } from '../../../core/systemClock.ts'
import type { BlockJob } from '../../../optimize/blockJob.ts'
import { blocksOf } from '../../../optimize/blocks.ts'
import { botKey } from '../../../optimize/ledger/botKey.ts'
import { type Ledger, openLedger } from '../../../optimize/ledger/ledger.ts'
import type { Seal } from '../../../optimize/ledger/seals.ts'
import { hashOfLog, type Plan } from '../../../optimize/plan.ts'
import { isLost, type Pool } from '../../../optimize/pool.ts'
import type { BlockResult } from '../../../optimize/runBlock.ts'
import { view } from '../../../optimize/sealed.ts'
import type { Space } from '../../../optimize/search/space.ts'
import { spaceOf } from '../../../optimize/search/spaceOf.ts'
import type { Vary } from '../../../optimize/search/vary.ts'
import { type EnteredContest, sealEnd } from '../../../optimize/split.ts'
import { failedBy, type SweepWarning } from '../../../optimize/sweep.ts'
import type { BotConfig } from '../../../strategy/config.ts'
import { loadStrategy } from '../../loadStrategy.ts'
import { progressOfBytes, withProgress } from '../../progress.ts'
import { softwareVersions } from '../../software.ts'
import { openPool, type PoolsOptions } from './pools.ts'
import { codeOf, loadSubject, type Subject } from './subject.ts'

/** What a search was asked, in words that another process can go on by. */
export interface Asked extends Subject {
  readonly logs: readonly string[]
  readonly vary: readonly Vary[]
  readonly search: Plan['search']
  readonly budget: number
  readonly holdOut: number
  readonly seed: number
}

/** A search that is ready to be run. */
export interface Prepared {
  readonly asked: Asked
  readonly plan: Plan
  readonly space: Space
  readonly data: LogData
  readonly bot: BotConfig
  /** The incumbent's contests in each block, and that are sealed. */
  readonly contests: readonly number[]
  readonly sealedContests: number
  readonly ledger: Ledger
  readonly seal: Seal
  readonly warnings: readonly SweepWarning[]
  /** What trials are played with: the train time, and nothing of what is sealed. */
  readonly train: PoolsOptions & { readonly data: LogData; readonly sealedFrom: number }
  /** Threads that see the train time alone, or all of it. */
  open(sees: 'train' | 'all', workers: number): Pool<BlockJob, BlockResult>
}

/** The whole log may take so many times what a piece of it may. */
const PIECES = 20
/** What a policy's contests last, as its parameter says. */
const DURATION = /\.durationSec$/

/**
 * Loads what a search is about, seals what nobody may look at, and cuts the rest into blocks.
 *
 * @throws CornermanError what a config, a strategy, a log, a space or the ledger is refused with; `LOG_TOO_SHORT`
 */
export async function prepare(asked: Asked, dataDir: string): Promise<Prepared> {
  const data = withProgress(progressOfBytes(), ({ update }) => readLogs(asked.logs, update))
  const all = shareLog(data)
  const terms = new Map(MODES.map((mode): [Mode, Terms] => [mode, usualTerms(data, mode)]))
  const { bot } = await loadSubject(asked, (mode) => terms.get(mode) as Terms)
  const set = (asked.set ?? []).map(({ strategy, parameter }) => `${strategy}.${parameter}`)
  const space = spaceOf({ strategies: bot.strategies, searched: await searchedNames(asked), vary: asked.vary, set })
  const code = codeOf(bot)
  const pools: PoolsOptions = { subject: asked, terms, code }
  const contests = withLongest(await contestsOf(data, all, pools, asked.seed), space)
  const ledger = openLedger({ dataDir, clock: systemClock })
  const cut = sealEnd({ data, contests, holdOut: asked.holdOut, incumbent: botKey(bot), ledger })
  const { train, sealed, tailMs } = cut
  const enteredAt = contests.map((contest) => contest.enteredAt).filter((at) => at < train.until)
  const blocks = blocksOf({ enteredAt, from: train.from, until: train.until, tailMs, seed: asked.seed })
  const plan: Plan = {
    ...{ software: softwareVersions(), log: hashOfLog(data), code, dimensions: space.dimensions, incumbent: space.incumbent },
    split: { trainFrom: train.from, trainUntil: train.until, sealedFrom: sealed.from, sealedUntil: sealed.to, tailMs },
    ...{ blocks, search: asked.search, budget: asked.budget, seed: asked.seed },
  }
  const trial = { data: view(data, sealed.from), sealedFrom: sealed.from }
  return {
    ...{ asked, plan, space, data, bot, ledger, seal: cut.seal, warnings: cut.warnings, sealedContests: sealed.contests },
    train: { ...pools, ...trial },
    contests: blocks.map(({ from, until }) => enteredAt.filter((at) => at >= from && at < until).length),
    open: (sees, workers) =>
      sees === 'all'
        ? openPool(pools, { log: all, sealedFrom: undefined, workers })
        : openPool(pools, { log: shareLog(trial.data), sealedFrom: trial.sealedFrom, workers }),
  }
}

/** Strategies whose bounded parameters are varied without being named: those of the files, and none that plays beside them. */
const searchedNames = ({ strategies = [] }: Asked): Promise<readonly string[]> =>
  Promise.all(strategies.map(async (file) => (await loadStrategy(file)).strategyName))

/** The incumbent's contests of the whole log. Of those that are to be sealed nothing but their times is looked at. */
async function contestsOf(data: LogData, all: SharedLog, pools: PoolsOptions, seed: number): Promise<readonly EnteredContest[]> {
  const pool = openPool(pools, { log: all, sealedFrom: undefined, workers: 1 })
  try {
    const whole = { values: {}, from: data.firstAt, until: data.lastAt + 1, tailMs: 0, seed }
    // A piece first: what hangs is found in a minute or two.
    const piece = { ...whole, until: Math.ceil(data.firstAt + (data.lastAt - data.firstAt) / PIECES) }
    const [tried] = await pool.play([piece])
    const [result] = tried === undefined || isLost(tried) ? [tried] : await pool.play([whole], undefined, PIECES)
    if (result === undefined || isLost(result)) throw failedBy(result ?? { lost: 'ended' })
    const contests = result.contests.map(({ enteredAt, startsAt, endedAt, durationSec }) => ({ enteredAt, startsAt, endedAt, durationSec }))
    if (contests.length > 0) return contests.sort((a, b) => a.enteredAt - b.enteredAt)
    throw new CornermanError(
      'LOG_TOO_SHORT',
      'the bot as it is enters no contest of this log: there is nothing to compare with. Play it with backtest first',
    )
  } finally {
    await pool.close()
  }
}

/** Where a duration itself is varied, contests may become as long as it does. */
function withLongest(contests: readonly EnteredContest[], { dimensions }: Space): readonly EnteredContest[] {
  const longest = dimensions.flatMap((dimension) => {
    if (!DURATION.test(dimension.name)) return []
    return dimension.kind === 'range' ? [dimension.high] : dimension.values.map(Number)
  })
  return contests.map((contest) => ({ ...contest, durationSec: Math.max(contest.durationSec, ...longest) }))
}
