import { isPlayedBy, type PlayKind, traitsOf } from '../../contract/modes.ts'
import type { PhaseMeaning, Shapes } from '../../contract/shapes/shapes.ts'
import { type Candidate, decide, type Finding, nameRank, none, UNNAMED } from './finding.ts'
import type { KnownMove } from './known.ts'
import { type Cell, groupBy, type Seen } from './seen.ts'
import { type Column, columnsIn } from './steady.ts'
import { isWord } from './values.ts'

// The phase of a contest, in words or marks. A word means what was taken while it stood; one that is not known otherwise by its beginning.

type PhaseWords = NonNullable<NonNullable<Shapes['words']>['phase']>
type Words = Map<PhaseMeaning, Set<string>>

export interface PhaseFound {
  readonly findings: readonly Finding[]
  readonly words: PhaseWords | undefined
}

const BEGINNINGS: readonly (readonly [PhaseMeaning, RegExp])[] = [
  ['commit', /^(?:commit|predict|seal(?!ed)|submi)/],
  ['draft', /^(?:draft|pick)/],
  ['reveal', /^(?:reveal(?:s|ing)?$|reveal(?!ed)|unseal|disclos)/],
  ['running', /^(?:run|lock|trad|in.?play|in.?progress|playing|hold)/],
  ['before', /^(?:wait|open|pend|lobby|join|forming|upcoming|prestart|countdown|ready)/],
  ['over', /^(?:settl|cancel|clos|over|end|done|complet|final|finish|void)/],
]

/** What a word of a phase says by itself. */
const meaningOf = (word: string): PhaseMeaning | undefined => BEGINNINGS.find(([, form]) => form.test(plain(word)))?.[0]
const plain = (word: string) => word.toLowerCase().replace(/^(?:phase|stage|state)[\W_]*/, '')

const MOVES: ReadonlyMap<string, PhaseMeaning> = new Map([
  ['commitPrediction', 'commit'],
  ['revealPrediction', 'reveal'],
  ['draftPick', 'draft'],
])

export function findPhase(seen: Seen): PhaseFound {
  const samples = [...seen.states, ...seen.contests].filter(({ mode, id }) => id !== undefined && needsPhase(mode))
  if (samples.length === 0) return { findings: [none('phase', 'notSeen'), none('words.phase', 'notSeen')], words: undefined }
  const columns = columnsIn(samples)
  const worded = columns.flatMap(wordsIn)
  const flags = worded.length === 0 ? flagsIn(columns) : undefined
  const phase = flags === undefined ? decide('phase', worded, true) : flags
  const words = worded.find(({ source, path }) => `${source}:${path}` === phase.place)?.words
  const said: Finding =
    words === undefined
      ? none('words.phase', 'missing')
      : { ...{ name: 'words.phase', verdict: phase.verdict, place: words, proof: phase.proof ?? '' }, candidates: [] }
  return { findings: [phase, said], words }
}

/** Phases in which a move is made, of those that the state of a mode shows. */
const PHASES: Readonly<Record<PlayKind, readonly PhaseMeaning[]>> = {
  swaps: [],
  side: [],
  picks: ['draft'],
  sealedPrice: ['commit', 'reveal'],
}

const phasesOf = (mode: string | undefined): readonly PhaseMeaning[] => {
  const traits = traitsOf(mode)
  return traits === undefined ? [] : PHASES[traits.playedBy]
}
export const needsPhase = (mode: string | undefined): boolean => phasesOf(mode).length > 0

interface WordCandidate extends Candidate {
  readonly words: PhaseWords
}

function wordsIn({ source, path, cells }: Column): WordCandidate[] {
  const filled = cells.filter(({ value }) => value !== undefined && value !== null)
  if (filled.length < 3 || !filled.every(({ value }) => isWord(value)) || !isThereThroughout(cells) || !isChanging(filled)) return []
  const byMove = movesAt(filled)
  const words: Words = new Map()
  const meanings = new Map<string, PhaseMeaning>()
  const say = (word: string, meaning: PhaseMeaning) => {
    meanings.set(word, meaning)
    words.set(meaning, (words.get(meaning) ?? new Set()).add(word))
  }
  for (const [word, said] of byMove) {
    const [only] = said
    // A word under which two kinds of moves were taken is no phase.
    if (said.size > 1 || only === undefined) return []
    say(word, only)
  }
  for (const word of new Set(filled.map(({ value }) => String(value)))) {
    if (meanings.has(word)) continue
    const meaning = byTime(filled, word) ?? meaningOf(word)
    // What stands when it cannot is not that, whatever it is called.
    if (meaning !== undefined && !contradicts(filled, word, meaning)) say(word, meaning)
  }
  // What is said of picks is said in no contest of predictions, and the other way round.
  if (filled.some(({ value, sample }) => isOfOther(meanings.get(String(value)), sample.mode))) return []
  const rank = nameRank('phase', path)
  const isProven = byMove.size > 0 && isNotAllOfIt(filled, byMove)
  const isKnown = [...words.keys()].some(isOfMoves)
  if (!isKnown || (!isProven && (rank === UNNAMED || byMove.size > 0))) return []
  const proof = isProven ? 'accepted moves were made while it said so' : undefined
  const kinds = ['commit', 'reveal', 'draft'].filter((meaning) => words.has(meaning as PhaseMeaning)).length
  const sorted = Object.fromEntries([...words].sort().map(([meaning, of]) => [meaning, [...of].sort()])) as PhaseWords
  // The one that tells more phases apart comes first; whichever it is, its words were read where it stands.
  return [{ ...{ source, path, sample: filled[0]?.value, says: new Map(), words: sorted }, rank: rank - kinds * 10 * UNNAMED, proof }]
}

/** A phase is said while a contest is live, whatever its mode: a word that comes and goes is whose turn it is, or something else. */
function isThereThroughout(cells: readonly Cell[]): boolean {
  const live = cells.filter(({ sample }) => sample.stage === 'live')
  return live.filter(({ value }) => value === null || value === undefined).length * 10 <= live.length
}

/** What never changes while a contest is watched is its kind, or its state in another list. */
const isChanging = (cells: readonly Cell[]): boolean =>
  [...groupBy(cells, ({ sample }) => sample.id).values()].some((series) => new Set(series.map(({ value }) => value)).size > 1)

const isOfOther = (meaning: PhaseMeaning | undefined, mode: string | undefined): boolean =>
  meaning !== undefined && isOfMoves(meaning) && needsPhase(mode) && !phasesOf(mode).includes(meaning)

const isOfMoves = (meaning: PhaseMeaning): boolean => Object.values(PHASES).some((phases) => phases.includes(meaning))

/**
 * The kinds of moves that were taken under each word: that of the answers before and after the move. Where the word changed between them, it is
 * the one under which no such move was refused, and that does not stand outside of contests.
 */
function movesAt(cells: readonly Cell[]): ReadonlyMap<string, ReadonlySet<PhaseMeaning>> {
  const counts = new Map<PhaseMeaning, Map<string, number>>()
  for (const series of groupBy(cells, ({ sample }) => sample.id).values()) {
    const { moves = [], refused = [] } = series[0]?.sample.contest ?? {}
    const around = ({ sentAt, at }: KnownMove) => {
      const before = series.findLast(({ sample }) => sample.at <= sentAt && sentAt - sample.at < NEAR_MS)
      const after = series.find(({ sample }) => sample.at > at && sample.at - at < NEAR_MS)
      const between = series.filter(({ sample }) => sample.at > sentAt && sample.at <= at)
      return [...new Set([before, ...between, after].flatMap((cell) => (cell === undefined ? [] : [String(cell.value)])))]
    }
    const vain = vainIn(refused, around)
    const isOutside = (word: string) => ['before', 'over'].includes(byTime(cells, word) ?? '')
    for (const move of moves) {
      const meaning = MOVES.get(move.type)
      const words = around(move)
      const possible = words.length < 2 ? words : words.filter((one) => !isOutside(one) && !vain.has(`${move.type} ${one}`))
      const [word, other] = possible
      if (meaning === undefined || word === undefined || other !== undefined) continue
      const said = counts.get(meaning) ?? new Map<string, number>()
      counts.set(meaning, said.set(word, (said.get(word) ?? 0) + 1))
    }
  }
  const found = new Map<string, Set<PhaseMeaning>>()
  for (const [meaning, words] of counts) {
    // The answers may be of before a change that the move has met.
    const most = Math.max(...words.values())
    for (const [word, count] of words) if (count * 3 >= most) found.set(word, (found.get(word) ?? new Set()).add(meaning))
  }
  return found
}

const NEAR_MS = 2500
const LEAST_VAIN = 2

/**
 * Words under which a kind of moves was refused with a code that it was refused with again and again: it was not the time for it. Picks are
 * refused in their phase as well, while it is the turn of another.
 */
function vainIn(refused: readonly KnownMove[], around: (move: KnownMove) => readonly string[]): ReadonlySet<string> {
  const isSame = (move: KnownMove) => (other: KnownMove) => other.type === move.type && other.code === move.code
  return new Set(
    refused.flatMap((move) => {
      const [word, other] = around(move)
      const isVain = move.type !== 'draftPick' && refused.filter(isSame(move)).length >= LEAST_VAIN
      return isVain && word !== undefined && other === undefined ? [`${move.type} ${word}`] : []
    }),
  )
}

/** Whether the words of moves stand only for a part of the time: one that always stands says nothing. */
function isNotAllOfIt(cells: readonly Cell[], byMove: ReadonlyMap<string, unknown>): boolean {
  const live = cells.filter(({ sample }) => sample.stage === 'live')
  return live.some(({ value }) => !byMove.has(String(value)))
}

/** After the end of a contest a word is over; before its start, one of no move is before. */
function byTime(cells: readonly Cell[], word: string): PhaseMeaning | undefined {
  const of = cells.filter(({ value, sample }) => value === word && sample.stage !== undefined)
  if (of.length === 0) return undefined
  if (of.every(({ sample }) => sample.stage === 'settled' || sample.stage === 'cancelled')) return 'over'
  if (of.every(({ sample }) => sample.stage === 'open')) return 'before'
  const isInside = ({ sample: { at, contest, stage } }: Cell) =>
    stage === 'live' &&
    contest?.startsAt !== undefined &&
    contest.endsAt !== undefined &&
    at > contest.startsAt - 1500 &&
    at < contest.endsAt + 1500
  return meaningOf(word) === undefined && of.length >= 3 && of.every(isInside) ? 'running' : undefined
}

/** A word of moves that stands in a contest of ours after its end says something else, and one of before or after it that stands while it is live. */
const contradicts = (cells: readonly Cell[], word: string, meaning: PhaseMeaning): boolean => {
  const stages = isOfMoves(meaning) ? ['settled', 'cancelled'] : meaning === 'before' || meaning === 'over' ? ['live'] : []
  return cells.some(({ value, sample }) => value === word && stages.includes(sample.stage ?? ''))
}

/** Marks such as `canCommit`: true whenever the move was taken, and false before or after. */
function flagsIn(columns: readonly Column[]): Finding {
  const found = (['commit', 'reveal'] as const).flatMap((meaning) => {
    const candidates = columns.flatMap(({ source, path, cells }): Candidate[] => {
      const last = path.split('.').at(-1)?.toLowerCase() ?? ''
      if (!last.includes(meaning) || /committed|revealed|has|did/.test(last)) return []
      const filled = cells.filter(({ value, sample }) => value !== undefined && value !== null && isPlayedBy(sample.mode, 'sealedPrice'))
      if (
        filled.length < 3 ||
        !filled.every(({ value }) => typeof value === 'boolean') ||
        new Set(filled.map(({ value }) => value)).size < 2
      )
        return []
      const under = movesAt(filled)
      const isTaken = under.get('true')?.has(meaning) === true
      if (under.get('false')?.has(meaning) === true || (under.get('true')?.size ?? 0) > 1) return []
      const says = new Map(filled.map(({ sample, value }) => [String(sample.n), String(value)]))
      return [
        { source, path, sample: true, says, rank: path.length, proof: isTaken ? `a ${meaning} was taken while it was true` : undefined },
      ]
    })
    const finding = decide(meaning, candidates, true)
    return finding.place === undefined ? [] : [{ meaning, finding }]
  })
  if (found.length === 0) return none('phase', 'missing')
  const isProven = found.every(({ finding }) => finding.verdict === 'proven')
  const place = { flags: Object.fromEntries(found.map(({ meaning, finding }) => [meaning, finding.place])) }
  const candidates = found.flatMap(({ finding }) => finding.candidates)
  return { name: 'phase', verdict: isProven ? 'proven' : 'found', place, sample: true, proof: found[0]?.finding.proof ?? '', candidates }
}
