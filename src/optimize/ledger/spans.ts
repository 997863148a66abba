import type { RealmSpan } from '../../backtest/index.ts'

/** Whether two stretches share a moment of one realm, however short. */
export const overlaps = (a: RealmSpan, b: RealmSpan): boolean => a.realm === b.realm && a.from <= b.to && b.from <= a.to

export const anyOverlaps = (some: readonly RealmSpan[], others: readonly RealmSpan[]): boolean =>
  some.some((span) => others.some((other) => overlaps(span, other)))

export const isSameSpan = (a: RealmSpan, b: RealmSpan): boolean => a.realm === b.realm && a.from === b.from && a.to === b.to

/** The part of each realm that lies in a range of time, from its first moment to its last; realms by name. */
export function spansWithin(spans: readonly RealmSpan[], from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): RealmSpan[] {
  const byRealm = new Map<string, RealmSpan>()
  for (const span of spans) {
    const part = { realm: span.realm, from: Math.max(span.from, from), to: Math.min(span.to, to) }
    if (part.from > part.to) continue
    const known = byRealm.get(span.realm) ?? part
    byRealm.set(span.realm, { realm: span.realm, from: Math.min(known.from, part.from), to: Math.max(known.to, part.to) })
  }
  return [...byRealm.values()].sort((a, b) => (a.realm < b.realm ? -1 : 1))
}
