import { plainJson } from '../core/plainJson.ts'
import type { Lost } from './pool.ts'
import type { BlockResult, TrialContest } from './runBlock.ts'

/** What a job came to, as databases keep it: equal results have equal texts. */
export const resultText = (result: BlockResult | Lost): string => JSON.stringify(plainJson(result))

export function resultOf(text: string): BlockResult | Lost {
  const value = JSON.parse(text) as BlockResult | Lost
  return 'lost' in value ? value : { ...value, contests: value.contests.map(contestOf) }
}

const contestOf = ({ stake, profit, swapProfit, ...contest }: TrialContest): TrialContest => ({
  ...{ ...contest, stake: BigInt(stake), profit: BigInt(profit), swapProfit: BigInt(swapProfit) },
})
