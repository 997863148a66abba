import { textTable } from '../../../backtest/table/textTable.ts'
import { formatUsdc } from '../../../core/usdc.ts'
import { type Search, valuesText } from '../../../optimize/document.ts'
import { points } from '../../../optimize/points.ts'
import type { TrialResult } from '../../../optimize/search/search.ts'
import { sentencesOf } from '../../../optimize/sentences.ts'
import { isoTime } from '../../output.ts'

const ROWS = 10

/** What a search has come to, for a person: a table, the verdict, and the next command. */
export function linesOf(search: Search): string[] {
  const { outcome, plan } = search
  const { winner, diagnosis, warnings, trials } = outcome
  const shown = trials
    .filter(({ state }) => state !== 'twin')
    .toSorted((a, b) => Number(b.index === winner?.trial) - Number(a.index === winner?.trial) || b.rung - a.rung || meanOf(b) - meanOf(a))
    .slice(0, ROWS)
  const { split } = plan
  return [
    `${diagnosis.trials} trials on contests from ${isoTime(split.trainFrom)} to ${isoTime(split.trainUntil)}; sealed from ${isoTime(split.sealedFrom)} to ${isoTime(split.sealedUntil)}`,
    '',
    ...textTable([
      ['parameters', 'paired edge', '95% interval', 'edge', 'drawdown', 'contests', ''],
      ...shown.map((trial) => rowOf(trial, winner?.trial)),
    ]),
    '',
    ...warnings.map(({ code, message }) => `${code}: ${message}`),
    ...sentencesOf(search),
  ]
}

const meanOf = ({ paired }: TrialResult): number => paired?.mean ?? Number.NEGATIVE_INFINITY

function rowOf({ index, values, paired, edge, drawdown, contests, state }: TrialResult, winner: number | undefined): string[] {
  return [
    valuesText(values),
    paired === undefined ? '–' : points(paired.mean),
    paired === undefined ? '–' : `${points(paired.low)} to ${points(paired.high)}`,
    edge === undefined ? '–' : points(edge),
    formatUsdc(drawdown),
    contests.toLocaleString('en'),
    index === winner ? 'candidate' : index === 0 ? 'incumbent' : state === 'fell' ? 'fell' : state === 'failed' ? 'failed' : '',
  ]
}
