import { memoize } from '../../core/memoize.ts'
import type { OwnIds } from './ownRow.ts'
import { compilePath, isRecord, type PathStart, type PathStep, pathOf, valueAt } from './path.ts'
import type { PhaseMeaning, Piece, PlaceSource, PlaceText, Shapes } from './shapes.ts'

// How each piece is read where the mapping has it: what may stand there, and as what the pipeline knows it.

/** What is known beside the record. */
export interface ReadContext {
  readonly ids: OwnIds
  /** When the answer came, in Unix milliseconds: time left is counted from it. */
  readonly now: number
  /** Values of pieces that stand in another answer, by piece; `ownSeat` is the number of our seat. */
  readonly beside: ReadonlyMap<string, unknown>
}

/** A place as it is written, with what its form adds. */
interface Given {
  readonly at: PlaceText
  readonly as?: unknown
  readonly unit?: unknown
  readonly is?: unknown
  readonly own?: unknown
  readonly token?: unknown
  readonly free?: unknown
  readonly minus?: unknown
}

/** A value read at a place; undefined: it is not there, or is no such thing. */
type Read = (start: PathStart, context: ReadContext) => unknown

/** One piece of a mapping, ready to be read. */
export interface CompiledPiece {
  readonly piece: Piece
  readonly source: PlaceSource
  readonly place: string
  readonly expected: string
  /** Its name in the record that the pipeline reads. */
  readonly key: string
  readonly read: Read
  /** What stands there, whatever it is. */
  readonly raw: (start: PathStart) => unknown
}

/** What a value has to be, and its name. */
interface Form {
  readonly expected: string
  readonly of: (value: unknown, now: number) => unknown
}

const text: Form = { expected: 'an id or a word', of: (value) => (typeof value === 'string' && value !== '' ? value : undefined) }
const MINT = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
/** The same few mints come again and again. */
const isMint = memoize((text: string): boolean => MINT.test(text), 4096)
const mint: Form = { expected: 'a mint', of: (value) => (typeof value === 'string' && isMint(value) ? value : undefined) }
const whole: Form = { expected: 'a whole number', of: (value) => (Number.isInteger(value) ? value : undefined) }
const amount: Form = {
  expected: 'micro-USDC in digits',
  of: (value) => (typeof value === 'string' && /^\d{1,24}$/.test(value) ? value : undefined),
}
/** A commitment is shown as itself, as a flag, or as when it was made. */
const made: Form = {
  expected: 'a flag or a commitment',
  of: (value) =>
    value === null
      ? false
      : typeof value === 'boolean'
        ? value
        : typeof value === 'string' || typeof value === 'number'
          ? value !== '' && value !== 0
          : undefined,
}

/** Below, a number is a time left, a place or a count. */
const LEAST_SEC = 1e9
const LEAST_MS = 1e11
const numeric = (value: unknown): number | undefined => {
  const count = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isFinite(count) ? count : undefined
}
/** The last instant that there is. */
const LAST_MS = 8.64e15
const inTime = (ms: number | undefined): number | undefined => (ms === undefined || Math.abs(ms) > LAST_MS ? undefined : ms)

/** Of each unit, Unix milliseconds. */
const times = {
  iso: (value: unknown) => {
    const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
    return Number.isNaN(ms) ? undefined : ms
  },
  ms: (value: unknown) => inTime(numeric(value)),
  s: (value: unknown) => inTime(scaled(numeric(value), 1000)),
  leftMs: (value: unknown, now: number) => inTime(plus(now, numeric(value))),
  leftSec: (value: unknown, now: number) => inTime(plus(now, scaled(numeric(value), 1000))),
  /** Where it is not said: an ISO timestamp, or a number that can be nothing else. */
  any: (value: unknown) => {
    const count = numeric(value)
    if (count === undefined) return times.iso(value)
    return count < LEAST_SEC ? undefined : inTime(count < LEAST_MS ? count * 1000 : count)
  },
} as const
const scaled = (value: number | undefined, by: number) => (value === undefined ? undefined : value * by)
const plus = (now: number, value: number | undefined) => (value === undefined ? undefined : now + value)

/** As the pipeline knows the meanings of words. */
const TICKET_WORDS = { waiting: 'queued', seated: 'matched', over: 'closed' } as const
const PHASE_WORDS: Readonly<Record<PhaseMeaning, string>> = {
  before: 'waiting',
  commit: 'commit',
  draft: 'draft',
  running: 'running',
  reveal: 'reveal',
  over: 'over',
}

type Words = Readonly<Partial<Record<string, readonly string[]>>>

/** The meaning of a word, whatever its case; a word that is not listed stays itself. */
function translated(words: Words | undefined, meant: Readonly<Record<string, string>>): (word: string) => string {
  const known = new Map(Object.entries(words ?? {}).flatMap(([meaning, said]) => (said ?? []).map((word) => [word.toLowerCase(), meaning])))
  return (word) => {
    const meaning = known.get(word.toLowerCase())
    return meaning === undefined ? word : (meant[meaning] ?? meaning)
  }
}

const PIECE_FORMS: Readonly<Partial<Record<Piece, readonly [key: string, form: Form]>>> = {
  ticketId: ['ticketId', text],
  ticketState: ['status', text],
  ticketContest: ['contestId', text],
  contestId: ['contestId', text],
  contestState: ['status', text],
  mode: ['mode', text],
  stake: ['stake', amount],
  side: ['side', text],
  ready: ['ready', { expected: 'a flag', of: (value) => (typeof value === 'boolean' ? value : undefined) }],
  score: ['score', text],
  entryId: ['entryId', text],
  token: ['token', mint],
  committed: ['committed', made],
  revealed: ['revealed', made],
  round: ['round', whole],
  listedContestId: ['contestId', text],
  listedMode: ['mode', text],
  listedStake: ['stake', amount],
  listedToken: ['token', mint],
  agentId: ['agentId', text],
  userId: ['userId', text],
  handle: ['handle', text],
}

/** @returns nothing of a piece that the mapping does not have, or leaves to be chosen */
export function compilePiece(piece: Piece, shapes: Shapes): CompiledPiece[] {
  const said = shapes.pieces?.[piece]
  if (said === undefined || (typeof said === 'object' && 'choose' in said)) return []
  if (typeof said === 'object' && 'flags' in said) return [compileFlags(said.flags)]
  const given: Given = typeof said === 'string' ? { at: said } : said
  const { source, steps } = placeOf(given.at)
  const at = compilePath(steps)
  const made = (
    key: string,
    expected: string,
    read: (value: unknown, start: PathStart, context: ReadContext) => unknown,
  ): CompiledPiece[] => [
    { piece, source, place: given.at, expected, key, raw: at, read: (start, context) => read(at(start), start, context) },
  ]
  if (TIMES.has(piece)) {
    const read = times[(given.as as keyof typeof times | undefined) ?? 'any']
    // No time is known yet where null stands.
    return made(piece, 'an instant', (value, _start, { now }) => (value === null ? null : read(value, now)))
  }
  if (piece === 'duration') {
    const unit = { ms: 1 / 1000, s: 1, min: 60 }[(given.unit as 'ms' | 's' | 'min' | undefined) ?? 's']
    return made('durationSec', 'a number', (value) => scaled(numeric(value), unit))
  }
  if (piece === 'phase') {
    const toWord = translated(shapes.words?.phase, PHASE_WORDS)
    return made('phase', 'a word', (value) => (typeof value === 'string' && value !== '' ? toWord(value) : undefined))
  }
  if (piece === 'turn') return made('turn', 'whose turn it is', turnOf(given, shapes))
  if (piece === 'pool') return made('available', 'a list of mints', poolOf(given))
  if (piece === 'mine' || piece === 'theirs') return made(piece, 'a list of mints', poolOf(given))
  if (piece === 'listedSides') return made(piece, 'a list of words', (value) => (Array.isArray(value) ? value.flat() : undefined))
  const [key, form] = PIECE_FORMS[piece] ?? [piece, text]
  const words = wordsOf(piece, shapes)
  const isNullable = NULLABLE.has(piece)
  return made(key, form.expected, (value, _start, { now }) => {
    if (value === null && isNullable) return null
    const read = form.of(value, now)
    return words === undefined || typeof read !== 'string' ? read : words(read)
  })
}

function wordsOf(piece: Piece, { words }: Shapes): ((word: string) => string) | undefined {
  if (piece === 'ticketState') return translated(words?.ticket, TICKET_WORDS)
  return piece === 'contestState' ? translated(words?.contest, {}) : undefined
}

const TIMES: ReadonlySet<Piece> = new Set(['startsAt', 'endsAt', 'commitBy', 'revealFrom', 'revealBy', 'pickBy'])
/** Null means that there is none yet. */
const NULLABLE: ReadonlySet<Piece> = new Set(['ticketContest', 'side', 'score', 'entryId', 'round'])

function compileFlags(flags: Readonly<Partial<Record<PhaseMeaning, PlaceText>>>): CompiledPiece {
  const read = Object.entries(flags).map(([meaning, at]) => ({ meaning: meaning as PhaseMeaning, at, ...placeOf(at) }))
  const [first] = read
  return {
    piece: 'phase',
    source: first?.source ?? 'state',
    place: read.map(({ at }) => at).join(', '),
    expected: 'flags',
    raw: (start) => read.map(({ steps }) => valueAt(steps, start)),
    key: 'phase',
    read: (start) => {
      const values = read.map(({ meaning, steps }) => ({ meaning, value: valueAt(steps, start) }))
      if (values.some(({ value }) => typeof value !== 'boolean')) return undefined
      // None of them: neither commits nor reveals are taken now.
      return PHASE_WORDS[values.find(({ value }) => value === true)?.meaning ?? 'running']
    },
  }
}

/** Whose turn it is, as fields of the state that the pipeline reads. */
function turnOf(given: Given, { words }: Shapes) {
  const ours = new Set((words?.turn ?? []).map((word) => word.toLowerCase()))
  const ownSeat = typeof given.own === 'string' ? placeOf(given.own as PlaceText) : undefined
  const told = (isOurs: boolean, ids: OwnIds) => ({ yourTurn: isOurs, turnEntryId: isOurs ? (ids.entryId ?? 'own') : 'another' })
  const nobodys = { yourTurn: false, turn: null }
  return (value: unknown, start: PathStart, { ids, beside }: ReadContext) => {
    if (given.is === undefined || given.is === 'flag') {
      if (typeof value === 'boolean') return { yourTurn: value }
      return value === null ? nobodys : undefined
    }
    if (value === null) return nobodys
    if (given.is === 'seat') {
      const own = ownSeat === undefined ? undefined : ownSeat.source === 'state' ? valueAt(ownSeat.steps, start) : beside.get('ownSeat')
      return typeof value === 'number' && typeof own === 'number' ? told(value === own, ids) : undefined
    }
    if (typeof value !== 'string') return undefined
    if (given.is === 'word') return told(ours.has(value.toLowerCase()), ids)
    const own = ids[given.is as keyof OwnIds]
    return own === undefined ? undefined : told(value === own, ids)
  }
}

/** Mints of a list or a map, less those that are marked or listed as taken. */
function poolOf(given: Given) {
  const token = typeof given.token === 'string' && given.token !== '$key' ? compilePath(pathOf(given.token)) : undefined
  const free = given.free as { readonly at: string; readonly is: null | boolean | string } | undefined
  const freeAt = free === undefined ? undefined : compilePath(pathOf(free.at))
  const minus = ((given.minus ?? []) as readonly PlaceText[]).map((at) => placeOf(at).steps)
  const mintOf = (key: string, item: unknown): unknown => {
    if (given.token === '$key') return key
    if (token !== undefined) return token({ record: item })
    if (!isRecord(item)) return item
    const { mint: ofMint, token: ofToken } = item as { readonly mint?: unknown; readonly token?: unknown }
    return ofMint ?? ofToken
  }
  return (value: unknown, start: PathStart): readonly string[] | undefined => {
    if (!isRecord(value)) return undefined
    const mints: string[] = []
    const taken = minus.length === 0 ? undefined : new Set(minus.flatMap((steps) => mintsIn(valueAt(steps, start))))
    const keys = Array.isArray(value) ? undefined : Object.keys(value)
    const length = keys?.length ?? (value as unknown as readonly unknown[]).length
    for (let index = 0; index < length; index++) {
      const key = keys?.[index] ?? ''
      const item = keys === undefined ? (value as unknown as readonly unknown[])[index] : value[key]
      if (freeAt !== undefined && free !== undefined) {
        const mark = freeAt({ record: item })
        if (free.is === null ? mark !== null && mark !== undefined : mark !== free.is) continue
      }
      const one = mint.of(mintOf(key, item), 0)
      if (one === undefined) return undefined
      if (taken?.has(one as string) !== true) mints.push(one as string)
    }
    return mints
  }
}

/** Every mint that stands in a value, however deep. */
function mintsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return MINT.test(value) ? [value] : []
  return isRecord(value) ? Object.values(value).flatMap(mintsIn) : []
}

/** Splits a place into the answer and the way in it. */
export function placeOf(at: PlaceText): { readonly source: PlaceSource; readonly steps: readonly PathStep[] } {
  const colon = at.indexOf(':')
  return { source: at.slice(0, colon) as PlaceSource, steps: pathOf(at.slice(colon + 1)) }
}
