import type { SwapBudget } from '../../pipeline/index.ts'
import type { RequestBudget } from '../market/requestBudget.ts'

/** A swap waits so long for its turn. */
export const QUOTE = { use: 'quote', patienceMs: 30_000 } as const
/** A look is to be answered soon: where there is no room for it, that is an answer too. */
export const LOOK = { use: 'look', patienceMs: 1000 } as const

/**
 * What a look knows of the requests that are left; undefined where there is no limit.
 *
 * @param looks how many looks at the way of a swap there are, each once a minute
 */
export function swapBudgetOf(budget: RequestBudget | undefined, requestsPerSwap: number, looks: number): SwapBudget | undefined {
  const standing = budget?.standing()
  return standing === undefined ? undefined : { ...standing, looks: requestsPerSwap * looks, requestsPerSwap }
}
