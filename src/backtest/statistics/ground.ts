import { quantile } from 'simple-statistics'
import type { Mode } from '../../contract/modes.ts'
import { GROUND_PERIODS } from '../../recording/index.ts'
import type { BotRun, CoarseMode, PlayedContest } from '../result.ts'
import { COARSE_MS } from '../world/worldPrices.ts'

/** A few contests that are shorter than the others of their mode leave it in the headline. */
const SHORT_SHARE = 0.1

/**
 * The modes whose contests were too short for the prices of the log, by how many periods a contest has to last. Contests against
 * recorded opponents are left out: the log has what decided them.
 *
 * @param periodMs the usual time between two prices of the log
 */
export function coarseModesOf(contests: readonly PlayedContest[], periodMs: number): CoarseMode[] {
  if (periodMs <= COARSE_MS) return []
  const drawn = contests.filter(({ result, others }) => result !== null && others.every(({ source }) => source === 'reference'))
  return [...Map.groupBy(drawn, ({ mode }) => mode)].flatMap(([mode, own]) => {
    const durationSec = quantile(
      own.map((contest) => contest.durationSec),
      SHORT_SHARE,
    )
    const neededPeriodMs = neededPeriodOf(mode, durationSec)
    return periodMs <= neededPeriodMs ? [] : [{ mode, durationSec, periodMs, neededPeriodMs }]
  })
}

/** The longest time between two prices on which contests of a mode that are so long are decided by prices, in whole milliseconds. */
const neededPeriodOf = (mode: Mode, durationSec: number): number => Math.floor((1000 * durationSec) / GROUND_PERIODS[mode])

/** The contests that the headline is made of: those of modes that the log is fine enough for. */
export function headlineOf({ contests, coarseModes }: Pick<BotRun, 'contests' | 'coarseModes'>): readonly PlayedContest[] {
  if (coarseModes.length === 0) return contests
  const left = new Set<Mode>(coarseModes.map(({ mode }) => mode))
  return contests.filter(({ mode }) => !left.has(mode))
}
