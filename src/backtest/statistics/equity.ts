import type { Usdc } from '../../core/usdc.ts'
import type { BotRun } from '../result.ts'

/** The bot's equity once a contest has ended: its bankroll at the start and all profit realised since. */
export interface EquityPoint {
  /** Unix milliseconds. */
  readonly at: number
  readonly equity: Usdc
  /** The share of the highest equity so far that is gone: 0 at a new peak; null where that peak is not above 0. */
  readonly drawdown: number | null
}

/** The equity curve: a point for each contest, in the order of their ends. The bankroll before them all is its first peak. */
export function equityOf({ bankroll, contests }: Pick<BotRun, 'bankroll' | 'contests'>): EquityPoint[] {
  let equity = bankroll
  let peak = bankroll
  return contests.map(({ endedAt, profit }) => {
    equity += profit
    if (equity > peak) peak = equity
    return { at: endedAt, equity, drawdown: peak > 0n ? Number(peak - equity) / Number(peak) : null }
  })
}
