import { symbolOf } from '../../core/tokens.ts'
import { entryRule } from '../rule.ts'
import type { Refusal } from '../verdict.ts'
import type { GuardView } from '../view.ts'

export const limitsKnown = entryRule((_entry, view) => figuresUnknown(view))

/** Why the day's worst case cannot be summed: a figure is missing or too old. */
export function figuresUnknown(view: GuardView): Refusal | undefined {
  if (view.limits === undefined || view.available === undefined) {
    return { code: 'LIMITS_UNKNOWN', message: "the service's limits and bankroll have not been read", numbers: {} }
  }
  if (view.inPlay === undefined) {
    return { code: 'LIMITS_UNKNOWN', message: 'the stake of a seat this bot has is not known yet', numbers: {} }
  }
  const ageMs = view.now - Math.min(view.limits.begunAt, view.available.begunAt)
  const { figuresHoldMs: maxAgeMs } = view
  if (ageMs > maxAgeMs) {
    return {
      code: 'LIMITS_UNKNOWN',
      message: `the service's limits were last read ${ageMs} ms ago`,
      numbers: { ageMs, maxAgeMs },
    }
  }
  if (view.swapLoss !== undefined) return undefined
  const { unpriced: token } = view
  const held = token === undefined ? 'a token' : symbolOf(token)
  const heldMs = token === undefined ? undefined : view.price(token)?.ageMs
  return {
    code: 'PRICE_STALE',
    message: `${held}, which this bot holds, has no fresh price, so what its swaps have lost today is not known`,
    numbers: {
      ...(token === undefined ? {} : { token }),
      ...(heldMs === undefined ? {} : { ageMs: heldMs }),
      maxPriceAgeMs: view.config.maxPriceAgeMs,
    },
  }
}
