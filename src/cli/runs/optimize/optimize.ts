import { resolve } from 'node:path'
import { CornermanError } from '../../../core/error.ts'
import { documentOf } from '../../../optimize/document.ts'
import { idOf } from '../../../optimize/plan.ts'
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
    const outcome = await played(prepared, store, options.workers ?? usualWorkers())
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

async function played(prepared: Prepared, store: SweepStore, workers: number): Promise<SweepOutcome> {
  const progress = progressLine()
  const pool = prepared.open('train', workers)
  try {
    const { plan, space, contests, sealedContests, seal, warnings } = prepared
    const found = await runSweep({
      ...{ plan, space, contests, sealedContests, look: seal.looks + 1, store, pool },
      onProgress: progress.update,
    })
    return { ...found, warnings: [...warnings, ...found.warnings] }
  } finally {
    progress.end()
    await pool.close()
  }
}
