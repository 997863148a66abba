import type { RealmSpan } from '../../backtest/index.ts'
import type { LookLine, SealLine } from './ledgerLines.ts'
import { anyOverlaps, overlaps } from './spans.ts'

/** After so many looks a seal proves nothing more: new contests have to be recorded. */
export const MOST_LOOKS = 3

/** Sealed contests of some logs, as they stand. */
export interface Seal {
  /** The sealed time, realm by realm. */
  readonly spans: readonly RealmSpan[]
  /** Unix milliseconds: sealed contests are entered from here on. */
  readonly from: number
  /** Contests for searching are entered before, and are over when the seal begins. */
  readonly trainUntil: number
  /** The key of the bot that it was made with. */
  readonly incumbent: string
  /** Looks that were taken at it. */
  readonly looks: number
}

/** A seal of one realm, with all that extended it. */
interface Group {
  span: RealmSpan
  trainUntil: number
  readonly incumbent: string
}

/**
 * The seal that meets these logs: the earliest boundary of those that are not spent. One that is spent protects nothing, and its time is for
 * searching.
 */
export function sealOver(spans: readonly RealmSpan[], seals: readonly SealLine[], looks: readonly LookLine[]): Seal | undefined {
  const met = groupsOver(spans, seals, looks).filter((group) => group.looks < MOST_LOOKS)
  const [first] = met.toSorted((a, b) => a.span.from - b.span.from)
  if (first === undefined) return undefined
  return {
    spans: met.map(({ span }) => span),
    from: first.span.from,
    trainUntil: Math.min(...met.map(({ trainUntil }) => trainUntil)),
    incumbent: first.incumbent,
    looks: Math.max(...met.map((group) => group.looks)),
  }
}

/** The end of the last seal of these logs that is spent; undefined where none is. */
export function spentUntil(spans: readonly RealmSpan[], seals: readonly SealLine[], looks: readonly LookLine[]): number | undefined {
  const ends = groupsOver(spans, seals, looks).flatMap((group) => (group.looks < MOST_LOOKS ? [] : [group.span.to]))
  return ends.length === 0 ? undefined : Math.max(...ends)
}

function groupsOver(
  spans: readonly RealmSpan[],
  seals: readonly SealLine[],
  looks: readonly LookLine[],
): (Group & { readonly looks: number })[] {
  return groupsOf(seals)
    .filter(({ span }) => anyOverlaps([span], spans))
    .map((group) => ({ ...group, looks: looksAt([group.span], looks) }))
}

/** How many looks were taken at any of it. */
export const looksAt = (spans: readonly RealmSpan[], looks: readonly LookLine[]): number =>
  looks.filter((look) => anyOverlaps(look.spans, spans)).length

/** Seals that overlap are one: what was sealed later extends what was sealed before. */
function groupsOf(seals: readonly SealLine[]): Group[] {
  const groups: Group[] = []
  for (const { realm, from, to, trainUntil, incumbent } of seals) {
    const span = { realm, from, to }
    const joined = groups.filter((group) => overlaps(group.span, span))
    const [first] = joined
    if (first === undefined) {
      groups.push({ span, trainUntil, incumbent })
      continue
    }
    first.span = {
      realm,
      from: Math.min(from, ...joined.map((group) => group.span.from)),
      to: Math.max(to, ...joined.map((group) => group.span.to)),
    }
    first.trainUntil = Math.min(trainUntil, ...joined.map((group) => group.trainUntil))
    for (const group of joined.slice(1)) groups.splice(groups.indexOf(group), 1)
  }
  return groups
}
