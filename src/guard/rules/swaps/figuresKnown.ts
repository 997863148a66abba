import { isSale } from '../../feedValue.ts'
import type { SwapRule } from '../../rule.ts'
import { figuresUnknown } from '../limitsKnown.ts'

/** What a swap is weighed against. A sale is weighed against no loss and takes no USDC: it needs none of it. */
export const figuresKnown: SwapRule = (action, view) => (isSale(action) ? undefined : figuresUnknown(view))
