import type { SwapRule } from '../../rule.ts'
import { caughtUp } from '../caughtUp.ts'
import { killSwitch } from '../killSwitch.ts'
import { amountValid } from './amountValid.ts'
import { balance } from './balance.ts'
import { contestPlays } from './contestPlays.ts'
import { dailyLoss } from './dailyLoss.ts'
import { figuresKnown } from './figuresKnown.ts'
import { gas } from './gas.ts'
import { perContest } from './perContest.ts'
import { perMinute } from './perMinute.ts'
import { pricesFresh } from './pricesFresh.ts'
import { size } from './size.ts'
import { slippage } from './slippage.ts'
import { tokensAllowed } from './tokensAllowed.ts'
import { tokensDiffer } from './tokensDiffer.ts'
import { tokensKnown } from './tokensKnown.ts'
import { transferTerms } from './transferTerms.ts'
import { unresolved } from './unresolved.ts'

/**
 * Every rule for swaps and sweeps, before anything is asked of the DEX. A bot that finishes its contests still trades
 * in them, so draining stops none.
 */
export const swapRules: readonly SwapRule[] = [
  killSwitch,
  caughtUp,
  amountValid,
  tokensDiffer,
  tokensKnown,
  transferTerms,
  contestPlays,
  tokensAllowed,
  slippage,
  figuresKnown,
  gas,
  unresolved,
  perContest,
  perMinute,
  pricesFresh,
  balance,
  size,
  dailyLoss,
]
