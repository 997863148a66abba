import { backtest, type LogData } from '../../../src/backtest/index.ts'
import { returnsOf } from '../../../src/backtest/metrics/returns.ts'
import { WorldPrices } from '../../../src/backtest/world/worldPrices.ts'
import type { Mode } from '../../../src/contract/modes.ts'
import { systemClock } from '../../../src/core/systemClock.ts'
import { usdc } from '../../../src/core/usdc.ts'
import { leastPeriods } from '../../../src/recording/index.ts'
import { houseBot } from './houseBot.ts'

/** Of the pot, as the sandbox takes it: what an even game costs. */
const RAKE_SHARE = 0.05
/** The standard normal's quantile at 0.9975: an interval that leaves out one time in 200. */
const Z = 2.807033768343811
const PLENTY = usdc('1000000')

export interface HouseGame {
  readonly data: LogData
  readonly mode: Mode
  /** Each plays the whole log once, with other opponents, other ways between the prices and another bot. */
  readonly seeds: Iterable<number>
  /** How many contests are enough. */
  readonly contests: number
  /** Points of the stake that the bot is paid beside what an even game brings: none but where a test wants them found. */
  readonly planted?: number
}

/** What a bot that does what its opponents do makes of each contest, as a share of its stake and with the rake given back. */
export async function playHouse({ data, mode, seeds, contests, planted = 0 }: HouseGame): Promise<readonly number[]> {
  const { mints } = data.prices
  const { volatilityPerSecond } = new WorldPrices(data.prices, { facts: [], pauses: [], seed: 0, stepMs: data.stepMs })
  const durationSec = (leastPeriods(mode) * data.stepMs) / 1000
  // The winner of an even game has half of what the rake leaves out.
  const rakeBps = Math.round(10_000 * (RAKE_SHARE - planted))
  const world = { bankroll: PLENTY, maxStake: usdc('1'), dailyLossCap: PLENTY, rakeBps }
  const shares: number[] = []
  for (const seed of seeds) {
    const bot = houseBot({ mode, durationSec, mints, volatilityPerSecond: (mint) => volatilityPerSecond(mint) ?? 0, seed })
    const { bots } = await backtest({ logs: data, bots: [bot], seed, world, withPrices: false, clock: systemClock })
    shares.push(...returnsOf(bots[0]?.contests ?? []).map((share) => share + RAKE_SHARE))
    if (shares.length >= contests) break
  }
  return shares.slice(0, contests)
}

export interface Interval {
  readonly mean: number
  /** To each side, at 99.5 %. */
  readonly margin: number
}

export function intervalOf(shares: readonly number[]): Interval {
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const variance = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (shares.length - 1)
  return { mean, margin: Z * Math.sqrt(variance / shares.length) }
}

export const holdsZero = ({ mean, margin }: Interval): boolean => Math.abs(mean) <= margin

/** What a contest would have brought, were its winner paid so much more of the stake that an even game brings these points. */
export const paidMore = (share: number, points: number): number => (share > RAKE_SHARE ? share + 2 * points : share)
