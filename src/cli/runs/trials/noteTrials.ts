import {
  type BacktestRun,
  type BacktestSummary,
  decidedOf,
  deviationOf,
  headlineOf,
  type LogData,
  rakeOf,
  returnsOf,
} from '../../../backtest/index.ts'
import { edgeOf } from '../../../optimize/diagnosis.ts'
import type { Ledger } from '../../../optimize/ledger/ledger.ts'
import { spansWithin } from '../../../optimize/ledger/spans.ts'
import { triedOf } from '../../../optimize/ledger/tried.ts'
import type { PlayRange } from './playRange.ts'

export interface PlayedRun {
  readonly run: BacktestRun
  readonly summary: BacktestSummary
  readonly data: Pick<LogData, 'spans'>
  readonly seed: number
  readonly from: number | undefined
  readonly range: PlayRange
  /** By bot. */
  readonly keys: ReadonlyMap<string, string>
  readonly ledger: Ledger
}

/** Writes down that each bot of a run was tried, and what it has seen; returns the summary with how often its time was tried. */
export function noteTrials({ run, summary, data, seed, from, range, keys, ledger }: PlayedRun): BacktestSummary {
  const spans = spansWithin(data.spans, from, range.to)
  for (const { name, fingerprint, contests } of run.bots) {
    const [played, edge] = [decidedOf(contests).length, edgeOf(contests)]
    ledger.trial({ spans, fingerprint, key: keys.get(name) ?? '', seed, contests: played, edge })
    const look = range.looks.get(name)
    if (look !== undefined && look.answer === undefined) ledger.answer(look, { fingerprint, contests: played, edge })
  }
  const trials = ledger.trials(spans)
  const bots = summary.bots.map((figures, index) => {
    const bot = run.bots[index]
    const returns = bot === undefined ? [] : returnsOf(headlineOf(bot))
    const told = { trials, spans, deviation: deviationOf(returns), contests: returns.length, evenEdge: -rakeOf(run) }
    const seen =
      range.warning === undefined || !range.looks.has(figures.name) ? [] : [{ code: 'SEALED_SEEN', message: range.warning } as const]
    return { ...figures, tried: triedOf(told) ?? null, warnings: [...figures.warnings, ...seen] }
  })
  return { ...summary, bots }
}
