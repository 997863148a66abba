import type { QuoteRule } from '../../rule.ts'
import { killed } from '../killSwitch.ts'

/** The operator may have acted since the swap was let out. */
export const allowed: QuoteRule = (_offer, view) => killed(view)
