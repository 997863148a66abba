import { documentOf, type Search } from '../../../optimize/document.ts'
import { type Judgement, judge } from '../../../optimize/judge.ts'
import { botKey } from '../../../optimize/ledger/botKey.ts'
import { MOST_LOOKS } from '../../../optimize/ledger/seals.ts'
import { idOf } from '../../../optimize/plan.ts'
import { knownSweep, SweepStore } from '../../../optimize/sweepStore.ts'
import { LEAST_POWER, powerOf } from '../../../optimize/verdict.ts'
import { EXIT } from '../../exit.ts'
import { print } from '../../output.ts'
import { begunOf, changed } from './begun.ts'
import { linesOf } from './lines.ts'
import type { PromoteOptions } from './options.ts'
import { usualWorkers } from './pools.ts'
import { type Prepared, prepare } from './prepare.ts'
import { searchIn } from './show.ts'
import { withValues } from './subject.ts'
import { writeReport } from './writeReport.ts'

/**
 * Looks at the sealed contests of a search, once.
 *
 * @returns the exit code: done only where the candidate is promoted
 * @throws CornermanError `SWEEP_UNKNOWN`, `SWEEP_UNFINISHED`, `SWEEP_CHANGED`, `LEDGER_DAMAGED`, and what a search is refused with
 */
export async function promote(named: string | undefined, options: PromoteOptions): Promise<number> {
  const { dataDir, report, json } = options
  const id = knownSweep(dataDir, named)
  const begun = begunOf(dataDir, id)
  const prepared = await prepare(begun.asked, dataDir)
  if (idOf(prepared.plan) !== id) throw changed(id, begun.plan, prepared)
  const store = new SweepStore(dataDir, id)
  try {
    const before = searchIn(store, id)
    const judged = before.judged?.look ? before.judged : await judgedBy(before, prepared, store, options)
    store.state('judged', judged)
    const search = { ...before, judged }
    print(json, documentOf(search), linesOf(search))
    if (report !== undefined) writeReport(report, search, { store, dataDir, begun })
    return judged.verdict === 'promote' ? EXIT.done : EXIT.failed
  } finally {
    store.close()
  }
}

const unlooked = { contestsNeeded: null, look: null }

async function judgedBy(
  { outcome, plan }: Search,
  prepared: Prepared,
  store: SweepStore,
  { look: insists, workers }: PromoteOptions,
): Promise<Judgement> {
  const { winner } = outcome
  if (winner === null) return { verdict: 'reject', reason: 'NO_BETTER', ...unlooked }
  const { seal, ledger, bot, sealedContests } = prepared
  const asked = { seal, by: 'promote', candidate: botKey(withValues(bot, winner.set)), incumbent: botKey(bot) } as const
  const stored = ledger.stored(asked)?.answer
  if (stored !== undefined) return stored as Judgement
  if (seal.looks >= MOST_LOOKS) return { verdict: 'reject', reason: 'SPENT', ...unlooked }
  const { power, contestsNeeded } = powerOf({
    ...{ train: winner.paired, trials: outcome.diagnosis.trials, sealedContests, look: seal.looks + 1 },
  })
  if (power < LEAST_POWER && insists !== true) return { verdict: 'more', reason: null, contestsNeeded, look: null }
  // On the disk before anything sealed is played: a crash costs the look.
  const look = ledger.look(asked)
  const pool = prepared.open('all', Math.min(2, workers ?? usualWorkers()))
  try {
    const judged = await judge({ plan, candidate: winner.set, look: look.number, store, pool })
    ledger.answer(look, judged)
    return judged
  } finally {
    await pool.close()
  }
}
