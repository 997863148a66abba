import { textTable } from '../../../backtest/table/textTable.ts'
import { CornermanError } from '../../../core/error.ts'
import { documentOf, type Search } from '../../../optimize/document.ts'
import type { Judgement } from '../../../optimize/judge.ts'
import { points } from '../../../optimize/points.ts'
import type { SweepOutcome } from '../../../optimize/sweep.ts'
import { knownSweep, SweepStore, sweepsOf } from '../../../optimize/sweepStore.ts'
import { print } from '../../output.ts'
import type { Begun } from './begun.ts'
import { linesOf } from './lines.ts'
import type { ShowOptions } from './options.ts'
import { writeReport } from './writeReport.ts'

/** A search as its database has it. @throws CornermanError `SWEEP_UNFINISHED` where it was stopped before its end */
export function searchIn(store: SweepStore, id: string): Search & { readonly begun: Begun } {
  const begun = store.fact('plan') as Begun
  const outcome = store.fact('outcome') as SweepOutcome | undefined
  if (outcome === undefined)
    throw new CornermanError('SWEEP_UNFINISHED', `${id} was stopped before its end: go on with cornerman optimize --resume ${id}`)
  return { id, begun, plan: begun.plan, outcome: withAmounts(outcome), judged: store.fact('judged') as Judgement | undefined }
}

/** Amounts are digits in the database. */
const withAmounts = ({ winner, ...outcome }: SweepOutcome): SweepOutcome => ({
  ...outcome,
  winner: winner === null ? null : { ...winner, drawdown: BigInt(winner.drawdown) },
  trials: outcome.trials.map((trial) => ({ ...trial, drawdown: BigInt(trial.drawdown) })),
})

export function showSearch(named: string | undefined, { dataDir, report, json }: ShowOptions): void {
  const id = knownSweep(dataDir, named)
  const store = new SweepStore(dataDir, id)
  try {
    const search = searchIn(store, id)
    print(json, documentOf(search), linesOf(search))
    if (report !== undefined) writeReport(report, search, { store, dataDir, begun: search.begun })
  } finally {
    store.close()
  }
}

interface Listed {
  readonly id: string
  readonly state: 'running' | 'stopped' | 'ended' | 'damaged'
  readonly trials: number | null
  /** Over the incumbent, a share of the stake. */
  readonly paired: number | null
  readonly verdict: Judgement['verdict'] | null
}

export function listSearches({ dataDir, json }: Pick<ShowOptions, 'dataDir' | 'json'>): void {
  const searches = sweepsOf(dataDir).map((id) => listed(dataDir, id))
  const rows = searches.map(({ id, state, trials, paired, verdict }) => [
    ...[id, state, trials === null ? '–' : `${trials} trials`],
    ...[paired === null ? '–' : points(paired), verdict ?? '–'],
  ])
  print(json, { searches }, searches.length === 0 ? [`no searches in ${dataDir}`] : textTable(rows))
}

function listed(dataDir: string, id: string): Listed {
  const nothing = { id, trials: null, paired: null, verdict: null }
  let store: SweepStore | undefined
  try {
    store = new SweepStore(dataDir, id)
    const outcome = store.fact('outcome') as SweepOutcome | undefined
    const judged = store.fact('judged') as Judgement | undefined
    if (outcome === undefined) return { ...nothing, state: 'stopped' }
    return {
      ...{ id, state: 'ended', trials: outcome.diagnosis.trials },
      ...{ paired: outcome.winner?.paired.difference ?? null, verdict: judged?.verdict ?? null },
    }
  } catch (thrown) {
    if (!(thrown instanceof CornermanError)) throw thrown
    return { ...nothing, state: thrown.code === 'SWEEP_BUSY' ? 'running' : 'damaged' }
  } finally {
    store?.close()
  }
}
