import { formatFigure, formatSigned } from '../../backtest/format/figures.ts'
import type { RealmSpan } from '../../backtest/index.ts'
import { bestOfCoins } from '../coins.ts'
import type { TrialLine } from './ledgerLines.ts'
import { isSameSpan } from './spans.ts'

/** How often a stretch of time was tried, and what the best of so many shows by luck alone. */
export interface Tried {
  readonly trials: number
  /** A share of the stake, the rake taken off; null where the run has too few contests to tell how they vary. */
  readonly bestOfCoins: number | null
  readonly sentence: string
}

export interface TriedOptions {
  /** Those of the ledger that meet the stretch, this run's own among them. */
  readonly trials: readonly TrialLine[]
  readonly spans: readonly RealmSpan[]
  /** Of a contest's profit a unit staked; null where it is not known. */
  readonly deviation: number | null
  readonly contests: number
  /** What an even game comes to, as a share of the stake: the rake takes it below 0. */
  readonly evenEdge: number
}

/** What is to be said of a run on a stretch of time that was tried before; undefined where it is the first. */
export function triedOf({ trials, spans, deviation, contests, evenEdge }: TriedOptions): Tried | undefined {
  const times = timesTried(trials, spans)
  if (times < 2) return undefined
  const best = deviation === null || contests === 0 ? null : evenEdge + bestOfCoins({ trials: times, deviation, contests })
  const count = formatFigure(times, 'count')
  const shown =
    best === null ? 'an edge by luck alone' : `an edge of ${formatSigned(best, 'percent')} over ${formatFigure(contests, 'count')} contests`
  return {
    trials: times,
    bestOfCoins: best,
    sentence: `TRIED ${count}: so many runs were tried on this time, and the best of ${count} coins would show ${shown}.`,
  }
}

/**
 * Different trials of a stretch of time. On the stretch itself, those that decided differently; of those that only share a part of it, a bot with one seed
 * counts once, however its log has grown. Trials without a contest are none.
 */
function timesTried(trials: readonly TrialLine[], spans: readonly RealmSpan[]): number {
  const here = new Map<string, Set<string>>()
  const elsewhere = new Set<string>()
  const nameOf = ({ key, seed }: TrialLine) => `${key} ${seed}`
  const played = trials.filter(({ contests }) => contests > 0)
  const isHere = (trial: TrialLine) => spans.some((span) => isSameSpan(span, trial))
  for (const trial of played) if (isHere(trial)) here.set(trial.fingerprint, (here.get(trial.fingerprint) ?? new Set()).add(nameOf(trial)))
  const known = new Set([...here.values()].flatMap((names) => [...names]))
  for (const trial of played) if (!isHere(trial) && !known.has(nameOf(trial))) elsewhere.add(nameOf(trial))
  return here.size + elsewhere.size
}
