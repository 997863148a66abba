import { isSale, swapRisk } from '../../feedValue.ts'
import type { SwapRule } from '../../rule.ts'
import { firstSwapsRisk } from '../firstSwaps.ts'
import { overOwnDailyLoss } from '../ownDailyLoss.ts'

export const dailyLoss: SwapRule = (action, view) => {
  const risk = isSale(action) ? undefined : swapRisk(action, view)
  return risk === undefined ? undefined : overOwnDailyLoss({ risk }, view, firstSwapsRisk(view, { contestId: action.contestId }))
}
