import { invariant } from '../core/error.ts'
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
  // What was checked is what is sent: the rules see a copy that nobody else holds and nothing can change.
  const candidate = frozen(structuredClone(action))
  for (const rule of rules) {
    const refusal = rule(candidate, view)
    if (refusal !== undefined) return { ok: false, refusal }
  }
  const stake = stakeOf(candidate, view)
  invariant(stake !== undefined, 'an entry of unknown stake is refused by the rules', { key })
  view.reservations.reserve({ key, identity: identityOf(candidate), stake })
  approvals.add(candidate)
  return { ok: true, action: candidate as Approved }
}

function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) frozen(part)
  return Object.freeze(value)
}

/** Whether this very object came out of `check`: the executor asks before it sends. */
export function isApproved(action: Action): action is Approved {
  return approvals.has(action)
}
