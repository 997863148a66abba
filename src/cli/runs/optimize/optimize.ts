import { resolve } from 'node:path'
import { CornermanError } from '../../../core/error.ts'
import type { BlockJob } from '../../../optimize/blockJob.ts'
import { documentOf } from '../../../optimize/document.ts'
import { idOf } from '../../../optimize/plan.ts'
import type { Pool } from '../../../optimize/pool.ts'
import type { BlockResult } from '../../../optimize/runBlock.ts'
import { parseVary } from '../../../optimize/search/vary.ts'
import { runSweep, type SweepOutcome } from '../../../optimize/sweep.ts'
import { knownSweep, SweepStore } from '../../../optimize/sweepStore.ts'
import { print } from '../../output.ts'
import { type Begun, begunOf, changed } from './begun.ts'
import { linesOf } from './lines.ts'
import type { OptimizeOptions } from './options.ts'
import { usualWorkers } from './pools.ts'
import { type Asked, type Prepared, prepare } from './prepare.ts'
import { progressLine } from './progressLine.ts'
import { recordTrials } from './recordTrials.ts'
import { writeReport } from './writeReport.ts'

/** @throws CornermanError what a search is refused with (docs/errors.md) */
export async function runOptimize(options: OptimizeOptions): Promise<void> {
  const startedAt = performance.now()
  const { dataDir, report, json } = options
  const resume = options.resume === undefined ? undefined : knownSweep(dataDir, options.resume)
  const before = resume === undefined ? undefined : begunOf(dataDir, resume)
  const asked = before?.asked ?? askedOf(options)
  const prepared = await prepare(asked, dataDir)
  const id = idOf(prepared.plan)
  if (resume !== undefined && before !== undefined && resume !== id) throw changed(resume, before.plan, prepared)
  const store = new SweepStore(dataDir, id)
  try {
    const begun: Begun = { asked, plan: prepared.plan, spans: prepared.data.spans }
    store.state('plan', begun)
    const outcome = await played(prepared, store, options)
    store.state('outcome', outcome)
    recordTrials(id, prepared, outcome)
    const search = { id, plan: prepared.plan, outcome, judged: undefined }
    print(json, { ...documentOf(search), elapsedMs: Math.round(performance.now() - startedAt) }, linesOf(search))
    if (report !== undefined) writeReport(report, search, { store, dataDir, begun })
  } finally {
    store.close()
  }
}

/** @throws CornermanError `USAGE` without a log */
function askedOf({ log, strategy, config, bot, vary = [], set, search, budget, holdOut, seed }: OptimizeOptions): Asked {
  if (log === undefined)
    throw new CornermanError('USAGE', 'name the logs to search on with --log, or a search that was stopped with --resume')
  return {
    ...{ logs: log.map((path) => resolve(path)), config: resolve(config), bot, strategies: strategy?.map((file) => resolve(file)) },
    ...{ vary: vary.map(parseVary), set, search, budget, holdOut, seed },
  }
}

async function played(
  prepared: Prepared,
  store: SweepStore,
  { fleet, workers = usualWorkers() }: Pick<OptimizeOptions, 'fleet' | 'workers'>,
): Promise<SweepOutcome> {
  const pool = fleet === undefined ? prepared.open('train', workers) : await fleetPool(fleet, prepared)
  const ownThread = fleet === undefined ? undefined : prepared.open('train', 1)
  const progress = progressLine()
  try {
    const { plan, space, contests, sealedContests, seal, warnings } = prepared
    const found = await runSweep({
      ...{ plan, space, contests, sealedContests, look: seal.looks + 1, store, pool },
      ...(ownThread === undefined ? {} : { ownThread }),
      onProgress: progress.update,
    })
    return { ...found, warnings: [...warnings, ...found.warnings] }
  } finally {
    progress.end()
    await ownThread?.close()
    await pool.close()
  }
}

/** Loaded where it is asked for: who has one host needs none of it. */
async function fleetPool(fleet: string | true, prepared: Prepared): Promise<Pool<BlockJob, BlockResult>> {
  const { openFleetPool } = await import('../fleet/openFleetPool.ts')
  return openFleetPool(fleet, prepared)
}
