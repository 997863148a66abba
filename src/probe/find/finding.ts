import type { Named } from '../../contract/shapes/candidates.ts'
import { rankOf } from '../../contract/shapes/candidates.ts'
import type { PlaceSource, Shapes } from '../../contract/shapes/shapes.ts'

// What the probe says of a piece, and how it chooses among places: a wrong piece is worse than a missing one.

export type Verdict = 'proven' | 'found' | 'ambiguous' | 'missing' | 'notSeen'

/** One piece of the mapping. */
export interface Finding {
  readonly name: string
  readonly verdict: Verdict
  /** In the form of the mapping; of a proven or found piece alone. */
  readonly place?: unknown
  /** A value that stood there. */
  readonly sample?: unknown
  /** What proved it, in a few words. */
  readonly proof?: string
  readonly candidates: readonly Shown[]
}

/** A place that was looked at, and a value that stood there. */
export interface Shown {
  readonly place: string
  readonly sample: unknown
  /** In the mapping, where it is more than its place: by which a probe tries it. */
  readonly form?: unknown
}

export interface Findings {
  readonly pieces: Readonly<Record<string, Finding>>
  readonly shapes: Shapes
  /** What is said in two ways, for a person to look at. */
  readonly conflicts: readonly string[]
}

/** A place that may be the piece. */
export interface Candidate {
  readonly source: PlaceSource
  readonly path: string
  /** In the mapping, where it is more than its place. */
  readonly place?: unknown
  readonly sample: unknown
  /** What it says, by what it says it of: those that agree on all they share are alike. */
  readonly says: ReadonlyMap<string, string>
  /** What proves it; undefined of one that is only called so. */
  readonly proof?: string | undefined
  /** Why one that nothing proves is taken, where it is not for its name. */
  readonly why?: string
  /** The lower the better: of its name. */
  readonly rank: number
  /** The lower the better, before the name: what is closer to what was looked for. */
  readonly tier?: number
}

const placeText = ({ source, path }: Pick<Candidate, 'source' | 'path'>): string => `${source}:${path}`

/** Of a name that is none of the piece's. */
export const UNNAMED = 1000

export const nameRank = (piece: Named, path: string): number => rankOf(piece, path) ?? UNNAMED

const shownOf = (one: Candidate): Shown => ({
  place: placeText(one),
  sample: one.sample,
  ...(one.place === undefined || typeof one.place === 'string' ? {} : { form: one.place }),
})

/** What was found, or else what may be tried: where nothing is decided, the likelier place comes first. */
export const orTried = (finding: Finding, tried: readonly Candidate[]): Finding =>
  finding.candidates.length > 0 || tried.length === 0
    ? finding
    : { ...finding, verdict: finding.verdict === 'notSeen' ? 'missing' : finding.verdict, candidates: tried.toSorted(byMerit).map(shownOf) }

export const none = (name: string, verdict: 'missing' | 'notSeen'): Finding => ({ name, verdict, candidates: [] })

/**
 * Decides among candidates. Proven ones are alone in it where there are any; of those left that agree the better name is taken, and where
 * they do not agree it is not for a probe to choose.
 *
 * @param wasSeen whether there were answers that should have it
 */
export function decide(name: string, candidates: readonly Candidate[], wasSeen: boolean): Finding {
  if (candidates.length === 0) return none(name, wasSeen ? 'missing' : 'notSeen')
  const proven = candidates.filter(({ proof }) => proof !== undefined)
  const sorted = (proven.length > 0 ? proven : candidates).toSorted(byMerit)
  const [best] = sorted
  if (best === undefined) return none(name, 'missing')
  const shown = sorted.map(shownOf)
  const rivals = sorted.filter((one) => !agree(one.says, best.says) && (one.tier ?? 0) === (best.tier ?? 0))
  if (rivals.length > 0) return { name, verdict: 'ambiguous', candidates: shown }
  return {
    ...{ name, verdict: best.proof === undefined ? 'found' : 'proven', place: best.place ?? placeText(best), sample: best.sample },
    ...{ proof: best.proof ?? best.why ?? 'its name, and nothing speaks against it', candidates: shown },
  }
}

const byMerit = (a: Candidate, b: Candidate): number =>
  (a.tier ?? 0) - (b.tier ?? 0) ||
  a.rank - b.rank ||
  b.says.size - a.says.size ||
  a.path.split('.').length - b.path.split('.').length ||
  compareText(placeText(a), placeText(b))

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Whether two say the same of all that both speak of; those that share nothing do not disagree. */
function agree(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  for (const [key, value] of a) if (b.has(key) && b.get(key) !== value) return false
  return true
}
