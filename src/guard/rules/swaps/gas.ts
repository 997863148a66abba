import type { SwapRule } from '../../rule.ts'
import { gasShort } from '../gas.ts'

export const gas: SwapRule = (_swap, view) => gasShort(view)
