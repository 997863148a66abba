import type { Action } from '../strategy/action.ts'
import { identityOf } from './identity.ts'
import { stakeOf } from './rule.ts'
import { rules } from './rules/index.ts'
import type { Approved, Verdict } from './verdict.ts'
import type { GuardView } from './view.ts'

const approvals = new WeakSet<object>()

/**
 * Decides whether an action is sent, and reserves its stake in the same step.
 *
 * @param key the intent's key: its reservation is placed or released under it
 */
export function check(key: string, action: Action, view: GuardView): Verdict {
  for (const rule of rules) {
    const refusal = rule(action, view)
    if (refusal !== undefined) return { ok: false, refusal }
  }
  // Every rule has passed, `contestKnown` among them: an unknown stake was refused there.
  view.reservations.reserve({ key, identity: identityOf(action), stake: stakeOf(action, view) ?? 0n })
  const approved = Object.freeze({ ...action }) as Approved
  approvals.add(approved)
  return { ok: true, action: approved }
}

/** Whether this very object came out of `check`: the executor asks before it sends. */
export function isApproved(action: Action): action is Approved {
  return approvals.has(action)
}
