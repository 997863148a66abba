import { writeFileSync } from 'node:fs'
import { nameOf } from '../../../optimize/blockJob.ts'
import type { Search } from '../../../optimize/document.ts'
import { isLost } from '../../../optimize/pool.ts'
import { searchReport } from '../../../optimize/report/searchReport.ts'
import type { TrialContest } from '../../../optimize/runBlock.ts'
import { trainJob } from '../../../optimize/sweep.ts'
import type { SweepStore } from '../../../optimize/sweepStore.ts'
import { SYNTHETIC } from '../../../recording/index.ts'
import { openTrials } from '../trials/openTrials.ts'
import type { Begun } from './begun.ts'

/** Writes the page of a search, with what its database and the ledger know. */
export function writeReport(
  file: string,
  search: Search,
  { store, dataDir, begun }: { readonly store: SweepStore; readonly dataDir: string; readonly begun: Begun },
): void {
  const { plan, outcome } = search
  const runOf = (values: typeof plan.incumbent): readonly TrialContest[] | undefined => {
    const result = store.result(nameOf(trainJob(plan, values)))
    return result === undefined || isLost(result) ? undefined : result.contests
  }
  const history = openTrials(dataDir).trials(
    begun.spans.map((span) => ({ ...span, from: plan.split.trainFrom, to: plan.split.trainUntil })),
  )
  writeFileSync(
    file,
    searchReport({
      ...{ search, history, candidate: outcome.winner === null ? undefined : runOf(outcome.winner.set), incumbent: runOf({}) },
      isSynthetic: begun.spans.some(({ realm }) => realm === SYNTHETIC),
    }),
  )
}
