import { identityOf } from '../identity.ts'
import type { Rule } from '../rule.ts'

/** One unresolved identical action at a time: while one may have happened, its twin is not sent. */
export const duplicate: Rule = (action, view) => {
  const twin = view.reservations.pendingTwin(identityOf(action))
  if (twin === undefined) return undefined
  return { code: 'DUPLICATE_ACTION', message: `the same action, ${twin}, is still without an outcome`, numbers: { intent: twin } }
}
