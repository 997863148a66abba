import type { Mode } from '../contract/modes.ts'

/** How many periods of a log's prices an imported contest lasts at least, whatever its mode. */
const LEAST_OFFERED_PERIODS = 20

/**
 * How many periods of a log's prices a contest has to last for the prices to decide it. Between two prices that lie far apart a backtest
 * draws the way by its seed. Measured: two agents of the house make the same decisions on the same one-minute prices with two such
 * seeds. In contests this long another one wins at most one time in five, so that a tenth at most end against what the prices say, and
 * an edge shows at four fifths of its size or more. Source: `bench/ground.ts`, figures in `docs/backtest.md`.
 */
export const GROUND_PERIODS: Readonly<Record<Mode, number>> = {
  pnl_race_pct: 8,
  pnl_usd: 5,
  best_trade: 12,
  draft_basket: 5,
  price_prediction: 2,
  up_down: 3,
  target_race: 12,
  last_bag_standing: 2,
  same_token: 40,
}

/** How many periods a contest of a mode lasts at least that is offered on imported prices. */
export const leastPeriods = (mode: Mode): number => Math.max(LEAST_OFFERED_PERIODS, GROUND_PERIODS[mode])
