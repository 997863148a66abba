import { entryRule } from '../rule.ts'

/** Older figures than this are not trusted with money. They are refreshed long before. */
const MAX_AGE_MS = 60_000

export const limitsKnown = entryRule((_entry, view) => {
  if (view.limits === undefined || view.available === undefined) {
    return { code: 'LIMITS_UNKNOWN', message: "the service's limits and bankroll have not been read", numbers: {} }
  }
  if (view.inPlay === undefined) {
    return { code: 'LIMITS_UNKNOWN', message: 'the stake of a seat this bot has is not known yet', numbers: {} }
  }
  const ageMs = view.now - Math.min(view.limits.begunAt, view.available.begunAt)
  if (ageMs <= MAX_AGE_MS) return undefined
  return {
    code: 'LIMITS_UNKNOWN',
    message: `the service's limits were last read ${ageMs} ms ago`,
    numbers: { ageMs, maxAgeMs: MAX_AGE_MS },
  }
})
