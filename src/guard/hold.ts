import { USDC_MINT } from '../core/tokens.ts'
import { type Action, isSwap } from '../strategy/action.ts'
import { swapRisk } from './feedValue.ts'
import type { Hold } from './reservations.ts'
import { entryTerms, isEntry } from './rule.ts'
import type { GuardView } from './view.ts'

const NOTHING: Hold = Object.freeze({ kind: 'move', stake: 0n, risk: 0n })

/** What an action must hold back; undefined while its stake or a price is not known, and then the rules refuse it. */
export function holdOf(action: Action, view: GuardView): Hold | undefined {
  if (isSwap(action)) {
    const risk = swapRisk(action, view)
    return risk === undefined ? undefined : { kind: 'swap', stake: action.from === USDC_MINT ? action.amount : 0n, risk }
  }
  if (!isEntry(action)) return NOTHING
  const terms = entryTerms(action, view)
  return terms === undefined ? undefined : { kind: 'entry', stake: terms.stake, risk: terms.stake, mode: terms.mode, by: view.by }
}
