import type { SwapBudget } from '../../pipeline/index.ts'
import type { RequestBudget } from '../market/requestBudget.ts'

/** A swap waits so long for its turn. */
export const QUOTE = { use: 'quote', patienceMs: 30_000 } as const
/** The same for a swap that a stake depends on. */
export const URGENT = { ...QUOTE, use: 'first' } as const
/** Timeout of a look, in milliseconds. A party that does not answer by then has failed. */
export const LOOK_MS = 2500
/** A look is to be answered soon, by a second try too: where there is no room for it, that is an answer as well. */
export const LOOK = { use: 'look', patienceMs: 1400, timeoutMs: LOOK_MS } as const

/**
 * What a look knows of the requests that are left; undefined where there is no limit.
 *
 * @param looks how many looks at the way of a swap there are, each once a minute
 */
export function swapBudgetOf(budget: RequestBudget | undefined, requestsPerSwap: number, looks: number): SwapBudget | undefined {
  const standing = budget?.standing()
  return standing === undefined ? undefined : { ...standing, looks: requestsPerSwap * looks, requestsPerSwap }
}
