import { PIECES, type Piece, SHAPES_VERSION, shapesSchema } from '../../contract/shapes/shapes.ts'
import type { Exchange } from '../exchange.ts'
import type { Facts } from '../facts.ts'
import { findContests } from './contests.ts'
import { findDraft } from './draft.ts'
import { findEntry } from './entry.ts'
import { type Finding, type Findings, none, type Verdict } from './finding.ts'
import { findIdentity, findOwn, type OwnFound } from './identity.ts'
import { findListed, findSide, findSideWords } from './listed.ts'
import { findPhase } from './phase.ts'
import { type Sample, type Seen, see } from './seen.ts'
import { findTickets } from './tickets.ts'
import { findToken } from './token.ts'
import { isMint, pathsIn, show } from './values.ts'
import { findWindows } from './windows.ts'

// From what was recorded to a mapping. Pure: the same folder gives the same mapping, in whatever order keys come.

/** Finds where each piece stands in the answers, as far as facts, moves, behaviour over time and names can say. */
export function find(exchanges: readonly Exchange[], facts: Facts): Findings {
  const seen = see(exchanges, facts)
  const identity = findIdentity(seen)
  const own = findOwn(seen, identity)
  const entryId = findEntry(seen, identity, own)
  const token = findToken(seen)
  const tickets = findTickets(seen)
  const contests = findContests(seen)
  const phase = findPhase(seen)
  const draft = findDraft(seen, identity, { ...own, entryOf: entryReader(seen, entryId, own) })
  const side = findSideWords(seen)
  const turnWords: Finding =
    draft.turnWords === undefined
      ? none('words.turn', 'notSeen')
      : { ...{ name: 'words.turn', verdict: 'proven', place: draft.turnWords, proof: 'it stood before each of our picks' }, candidates: [] }
  const all = [
    ...[...listFindings(seen), ...identity.findings, ownFinding(own, entryId), ...tickets.findings, ...contests.findings, entryId, token],
    ...[...phase.findings, ...findWindows(seen, phase), ...draft.findings, turnWords],
    ...[
      ...findListed(seen, { tokenOf: tokensOf(seen, token), tokenPaths: tokenPathsOf(token), idPath: contestPathOf(contests) }),
      side.finding,
      findSide(seen, own),
    ],
  ]
  const byName = new Map(all.map((finding) => [finding.name, finding]))
  // Nobody needs these, and no finder looks for them.
  for (const piece of PIECES) if (!byName.has(piece)) byName.set(piece, none(piece, 'missing'))
  const pieces = Object.fromEntries([...byName].sort(([a], [b]) => (a < b ? -1 : 1)))
  const by = (verdict: Verdict) => `probe ${new Date(facts.startedAt).toISOString()} ${verdict}`
  return { pieces, shapes: shapesFrom({ pieces, seen, facts, by }), conflicts: [...clockConflicts(seen), ...conflictsIn(all)] }
}

const isPinned = ({ verdict }: Finding): boolean => verdict === 'proven' || verdict === 'found'

function listFindings({ lists, records, states, contests, tickets }: Seen): Finding[] {
  const found = Object.entries(lists).map(([name, { verdict, path, paths, sample }]): Finding => {
    const candidates = paths.map((place) => ({ place, sample: undefined }))
    if (path === undefined) return { name, verdict, candidates }
    return {
      name,
      verdict,
      place: path,
      ...(sample === undefined ? {} : { sample }),
      proof: verdict === 'proven' ? 'its rows hold ids that events gave' : 'there is no other list',
      candidates,
    }
  })
  const record = (name: string, path: string, samples: readonly Sample[]): Finding =>
    samples.length === 0
      ? none(name, 'notSeen')
      : { name, verdict: 'found', place: path, proof: 'the largest part of each answer', candidates: [] }
  return [
    ...found,
    record('records.ticket', records.ticket, tickets),
    record('records.contest', records.contest, contests),
    record('records.state', records.state, states),
  ]
}

/** Where our entry stands on our row of a mode's state, that row is found as well. */
function ownFinding({ finding, inState, tried }: OwnFound, { place, candidates }: Finding): Finding {
  const at = place ?? candidates[0]?.place
  const isInState = typeof at === 'string' && at.startsWith('state:') && at.includes('[own]')
  if (finding.place === undefined && tried !== undefined && typeof at === 'string' && at.startsWith('contest:[own]'))
    return { ...finding, candidates: [{ place: show(tried.own), sample: undefined, form: tried.own }] }
  if (!isInState || inState === undefined) return finding
  return {
    proof: 'one row of each state has our id',
    ...finding,
    verdict: isPinned(finding) ? finding.verdict : 'found',
    place: inState.own,
  }
}

/** What reads our entry of a contest, in whichever answer; one that is only tried as well. */
function entryReader(
  seen: Seen,
  { place: found, candidates }: Finding,
  { rowOf, inState }: OwnFound,
): (sample: Sample) => string | undefined {
  const place = found ?? candidates[0]?.place
  if (typeof place !== 'string') return () => undefined
  const [source, path] = split(place)
  const entries = new Map<string, string>()
  for (const sample of [...seen.states, ...seen.contests]) {
    if (sample.source !== source || sample.id === undefined || !sample.isOurs) continue
    const [rows, key] = path.split('[own].')
    const row = rows === '' ? rowOf(sample) : inState?.rowOf(sample)
    const value = key === undefined ? sample.values.get(path) : pathsIn(row ?? {}).get(key)
    if (typeof value === 'string') entries.set(sample.id, value)
  }
  return ({ id }) => entries.get(id ?? '')
}

function tokensOf({ states, contests }: Seen, { place }: Finding): ReadonlyMap<string, string> {
  if (typeof place !== 'string') return new Map()
  const [source, path] = split(place)
  return new Map(
    [...states, ...contests].flatMap((sample) => {
      const value = sample.source === source ? sample.values.get(path) : undefined
      return sample.id !== undefined && isMint(value) ? [[sample.id, value] as const] : []
    }),
  )
}

/** Where a contest has its token: places that say the same. */
function tokenPathsOf(token: Finding): ReadonlySet<string> {
  const places = isPinned(token) ? token.candidates.map(({ place }) => split(place)) : []
  return new Set(places.flatMap(([source, path]) => (source === 'contest' ? [path] : [])))
}

/** Where a contest has its id. */
function contestPathOf({ findings }: { readonly findings: readonly Finding[] }): string | undefined {
  const place = findings.find(({ name, verdict }) => name === 'contestId' && verdict === 'proven')?.place
  return typeof place === 'string' ? split(place)[1] : undefined
}

function split(place: string): readonly [source: string, path: string] {
  const cut = place.indexOf(':')
  return [place.slice(0, cut), place.slice(cut + 1)]
}

interface Mapped {
  readonly pieces: Readonly<Record<string, Finding>>
  readonly seen: Seen
  readonly facts: Facts
  readonly by: (verdict: Verdict) => string
}

function shapesFrom({ pieces, seen, facts, by }: Mapped): Findings['shapes'] {
  const placeOf = (name: string) => {
    const finding = pieces[name]
    return finding !== undefined && isPinned(finding) ? finding.place : undefined
  }
  const lists = defined({ tickets: placeOf('lists.tickets'), mine: placeOf('lists.mine'), open: placeOf('lists.open') })
  const records = defined({
    ...{ ticket: placeOf('records.ticket'), contest: placeOf('records.contest'), state: placeOf('records.state') },
    items: seen.records.items,
  })
  const words = defined({
    ...{ ticket: placeOf('words.ticket'), contest: placeOf('words.contest'), phase: placeOf('words.phase') },
    ...{ turn: placeOf('words.turn'), side: placeOf('words.side') },
  })
  return shapesSchema.parse(
    defined({
      ...{ version: SHAPES_VERSION, service: facts.service, lists, records, own: placeOf('own'), words },
      pieces: defined(Object.fromEntries(PIECES.map((piece) => [piece, pieceOf(piece, pieces, by)]))),
    }),
  )
}

const defined = <T extends object>(value: T): Partial<T> | undefined => {
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<T>)
}

function pieceOf(piece: Piece, pieces: Mapped['pieces'], by: Mapped['by']): unknown {
  const { verdict, place, candidates } = pieces[piece] ?? none(piece, 'missing')
  if (verdict === 'ambiguous') {
    const choose = [...new Set(candidates.map((one) => one.place))]
    return choose.length < 2 ? undefined : { choose, by: by(verdict) }
  }
  if (place === undefined) return undefined
  return typeof place === 'string' ? { at: place, by: by(verdict) } : { ...(place as object), by: by(verdict) }
}

/** Why nothing is found by when something was, where the service's times cannot all be true. */
function clockConflicts({ known: { contests, graceMs } }: Seen): string[] {
  if (!Number.isFinite(graceMs))
    return [
      'the times that the service names contradict each other by more than a clock can be off: states, phases and windows are not known. Ask its operator which clock dates its events',
    ]
  const odd = [...contests.values()].filter(({ isContradictory }) => isContradictory === true).map(({ contestId }) => contestId)
  if (odd.length === 0) return []
  return [
    `the service dates events of ${odd.length} of ${contests.size} contests as they cannot have been (live before a seat was taken, settled before it was live, or a move outside of it): nothing is concluded from their times. The first is ${odd[0]}`,
  ]
}

function conflictsIn(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ verdict }) => verdict === 'ambiguous')
    .map(({ name, candidates }) => `${name}: ${candidates.map(({ place, sample }) => `${place} = ${show(sample)}`).join(', ')}`)
}
