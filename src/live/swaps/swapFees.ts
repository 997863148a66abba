import type { GuardConfig } from '../../strategy/guardConfig.ts'
import type { SwapFees } from './dex.ts'

/** What the swaps of a bot may pay, and what they may call, by its guard. */
export const swapFeesOf = ({ maxPriorityFeeLamports, maxComputePriceMicroLamports, programs }: GuardConfig): SwapFees => ({
  priorityLevel: 'medium',
  ...{ maxPriorityFeeLamports, maxComputePriceMicroLamports, programs },
})
