import type { Result } from '../../contract/enums.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { PlayedContest } from '../result.ts'

/** Contests by how they ended. `settled` is won, lost, drawn and refunded together; a cancelled one never was. */
export interface Tally {
  readonly settled: number
  readonly won: number
  readonly lost: number
  readonly drawn: number
  readonly refunded: number
  readonly cancelled: number
}

export function tallyOf(contests: readonly PlayedContest[]): Tally {
  const count = (ending: Result | null) => contests.filter(({ result }) => result === ending).length
  const [won, lost, drawn, refunded, cancelled] = [count('WIN'), count('LOSS'), count('DRAW'), count('REFUND'), count(null)]
  return { settled: won + lost + drawn + refunded, won, lost, drawn, refunded, cancelled }
}

/** Micro-USDC, over every settled contest: as in `start --json`, a refunded stake counts as staked. */
export function moneyOf(contests: readonly PlayedContest[]): { readonly staked: Usdc; readonly profit: Usdc } {
  let staked = 0n
  let profit = 0n
  for (const contest of contests) {
    if (contest.result === null) continue
    staked += contest.stake
    profit += contest.profit
  }
  return { staked, profit }
}
