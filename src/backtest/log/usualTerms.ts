import type { Mode } from '../../contract/modes.ts'
import { type Usdc, usdc } from '../../core/usdc.ts'
import { leastPeriods } from '../../recording/index.ts'
import type { LogData } from './readLogs.ts'

/** What a contest of a mode is played for, and how long. */
export interface Terms {
  readonly mode: Mode
  readonly stake: Usdc
  readonly durationSec: number
}

const STAKE = usdc('1')
const SHORTEST_SEC = 60
const LONGEST_SEC = 86_400

/**
 * The terms on which somebody who wants to know how a mode is played enters it on a log. Recorded contests are entered on their
 * commonest terms, since tickets of other terms do not meet their opponents. On an imported log a contest is as short as any that the log
 * offers: so there are more of them.
 */
export function usualTerms(
  { opportunities, isImported, stepMs }: Pick<LogData, 'opportunities' | 'isImported' | 'stepMs'>,
  mode: Mode,
): Terms {
  const own = isImported ? [] : opportunities.filter((opportunity) => opportunity.mode === mode)
  const [commonest] = [...Map.groupBy(own, ({ stake, durationSec }) => `${stake} ${durationSec}`).values()].toSorted(
    (a, b) => b.length - a.length,
  )
  const [first] = commonest ?? []
  if (first !== undefined) return { mode, stake: first.stake, durationSec: first.durationSec }
  const neededSec = Math.ceil((leastPeriods(mode) * stepMs) / 1000)
  return { mode, stake: STAKE, durationSec: Math.min(LONGEST_SEC, Math.max(SHORTEST_SEC, neededSec)) }
}
