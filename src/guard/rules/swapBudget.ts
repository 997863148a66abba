import type { Refusal } from '../verdict.ts'
import type { SwapBudgetStanding } from '../view.ts'

/** One swap in and one out: with fewer a contest is not played, and its tokens are left unsold. */
const SWAPS_A_CONTEST = 2

type Requests = Omit<SwapBudgetStanding, 'contests'>

const leftOf = ({ perMinute, prices, looks, others }: Requests): number => perMinute - prices - looks - others

/** How many contests of swaps may be open at once, in all bots of a process. */
export const contestsBorne = (requests: Requests): number =>
  Math.max(0, Math.floor(leftOf(requests) / (SWAPS_A_CONTEST * requests.requestsPerSwap)))

/**
 * Why one contest more cannot be played by swaps: the requests that the host of the DEX takes in a minute, without those of prices at their
 * least pace, of the looks at the way of a swap and of others, are fewer than every such contest needs (docs/adr/0040).
 *
 * @param pending entries under way, which count whatever their mode
 */
export function swapBudgetShort(mode: string, standing: SwapBudgetStanding, pending: number): Refusal | undefined {
  const { perMinute, prices, looks, others, requestsPerSwap, contests } = standing
  const left = leftOf(standing)
  const each = SWAPS_A_CONTEST * requestsPerSwap
  const needed = (contests + pending + 1) * each
  if (needed <= left) return undefined
  const ways = [
    `${perMinute} a minute are allowed`,
    `prices need ${prices}`,
    `looks at the way of a swap ${looks}`,
    ...(others === 0 ? [] : [`others with the same key took ${others}`]),
  ]
  const message = `${mode} is played by swaps, and the requests to the DEX do not suffice: ${ways.join(', ')}; ${contests + pending} contests and this one need ${needed}, ${SWAPS_A_CONTEST} swaps of ${requestsPerSwap} each. Set market.apiKey, or market.requestsPerMinute to what your plan allows, or enter fewer at once`
  return {
    code: 'SWAP_BUDGET',
    message,
    numbers: { mode, perMinute, prices, looks, others, contests, pending, requestsPerSwap, needed, left },
  }
}

/**
 * Why one contest more could get no first swap: swaps of open contests have used up the requests of this minute.
 *
 * @param unswapped contests and tickets that wait for their first swap
 */
export function minuteShort(
  mode: string,
  { perMinute, free, requestsPerSwap }: SwapBudgetStanding,
  unswapped: number,
): Refusal | undefined {
  const needed = (unswapped + 1) * SWAPS_A_CONTEST * requestsPerSwap
  if (free === undefined || needed <= free) return undefined
  return {
    code: 'SWAP_BUDGET',
    message: `${mode} is played by swaps, and ${free} of the ${perMinute} requests that the DEX takes in a minute are left now: ${unswapped} contests wait for their first swap, and with this one they need ${needed}`,
    numbers: { mode, perMinute, free, unswapped, requestsPerSwap, needed },
  }
}
