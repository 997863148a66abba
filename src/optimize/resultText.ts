import { plainJson } from '../core/plainJson.ts'
import type { Lost } from './pool.ts'
import type { BlockResult, TrialContest } from './runBlock.ts'

/** What a job came to, as databases keep it: equal results have equal texts. */
export const resultText = (result: BlockResult | Lost): string => JSON.stringify(plainJson(result))

export function resultOf(text: string): BlockResult | Lost {
  const value = JSON.parse(text) as BlockResult | Lost
  return 'lost' in value ? value : { ...value, contests: value.contests.map(contestOf) }
}

/** Its fields stay in their order: a result that was read is written as it was. */
const contestOf = (contest: TrialContest): TrialContest => ({
  ...contest,
  ...{ stake: BigInt(contest.stake), profit: BigInt(contest.profit), swapProfit: BigInt(contest.swapProfit) },
})
