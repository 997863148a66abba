import { type ExtraPaths, type FieldName, firstValue } from '../paths.ts'
import { compileOwn, type OwnIds } from './ownRow.ts'
import { compilePath, isRecord, type PathStart, pathOf, valueAt } from './path.ts'
import { type CompiledPiece, compilePiece, placeOf, type ReadContext } from './pieces.ts'
import type { Departure } from './reading.ts'
import type { Piece, PlaceSource, Shapes } from './shapes.ts'

// A mapping made ready: each record of the service becomes one as the sandbox has it, the form that the pipeline reads. Nothing is chosen: a
// piece has its one place. Where a needed piece has none, or it is gone from there, the places tried of old are kept, for seats that are paid for.

type Canonical = Record<string, unknown>

export interface ReadRecord {
  /** In the sandbox's own form, before any schema. */
  readonly record: Canonical
  readonly departures: readonly Departure[]
  /** What each piece was read as, by piece. */
  readonly values: ReadonlyMap<string, unknown>
}

export interface CompiledShapes {
  /** The items of a list; undefined where the answer has none there. */
  list(which: 'tickets' | 'mine' | 'open', json: unknown): readonly unknown[] | undefined
  ticket(json: unknown, context: ReadContext, isItem: boolean): ReadRecord
  contest(json: unknown, context: ReadContext, isItem: boolean): ReadRecord
  listed(json: unknown, context: ReadContext): ReadRecord
  state(json: unknown, context: ReadContext): ReadRecord
  me(json: unknown): OwnIds
  /** The service's word for a side; of one that it has no word for the side itself. */
  sideWord(side: string): string
  /** Whether the mode's state is read in the contest as well. */
  readonly statesInContest: boolean
  /** Whether whose turn it is is said by entry ids, and the bot's own stands in the contest alone. */
  readonly turnNeedsContest: boolean
  /** Whether the token of a contest stands in the mode's state alone. */
  readonly tokenInState: boolean
}

/** Fields of a contest that nothing needs: where the mapping does not say, they are read under the names that the service's inputs have for them. */
const CONTEST_KEYS = [
  ...([
    'mode',
    'chain',
    'format',
    'stake',
    'durationSec',
    'capacity',
    'filled',
    'lane',
    'visibility',
    'startsAt',
    'endsAt',
    'joinBy',
  ] as const),
]
const TICKET_KEYS = ['mode', 'stake', 'durationSec', 'opponents', 'chain', 'createdAt', 'expiresAt'] as const
/** Of a seat or a ticket that is paid for, where the mapping does not say. */
const OLD_TICKET_KEYS = { ticketState: 'status', ticketContest: 'contestId' } as const
/** Of a mode's state, by the field that is read: the pieces of which one has to be there. */
const OF_STATE: readonly (readonly [FieldName, readonly Piece[]])[] = [
  ['entryId', ['entryId']],
  ['token', ['token']],
  ['phase', ['phase', 'commitBy']],
  ['commitBy', ['commitBy', 'phase']],
  ['revealFrom', ['revealFrom', 'phase']],
  ['yourTurn', ['turn']],
  ['turnEntryId', ['turn']],
  ['available', ['pool']],
]
/** They change while a contest is played, and are read where the mode's state is. */
const PLAYED: ReadonlySet<Piece> = new Set([
  ...([
    'phase',
    'commitBy',
    'revealFrom',
    'revealBy',
    'committed',
    'revealed',
    'turn',
    'pool',
    'pickBy',
    'round',
    'mine',
    'theirs',
  ] as const),
])

/** @param extra places to try besides, of a config of before */
export function compileShapes(shapes: Shapes, extra: ExtraPaths = {}): CompiledShapes {
  const { lists = {}, records = {}, pieces = {}, words = {} } = shapes
  const own = compileOwn(shapes.own)
  const toSide = new Map(Object.entries(words.side ?? {}).map(([side, word]) => [word.toLowerCase(), side]))
  const compiled = (Object.keys(pieces) as Piece[]).flatMap((piece) => compilePiece(piece, shapes))
  const ofSource = (...sources: PlaceSource[]) => compiled.filter(({ source }) => sources.includes(source))
  const bySource = {
    ticket: ofSource('ticket'),
    contest: ofSource('contest'),
    listed: ofSource('listed'),
    state: ofSource('state'),
    me: ofSource('me'),
  }
  const played = bySource.contest.filter(({ piece }) => PLAYED.has(piece))
  const ownSeat = seatPlaceOf(pieces.turn)
  /** Whether another answer needs what a contest says. */
  const keepsValues = played.length > 0 || ownSeat !== undefined
  const isPinned = (piece: Piece) => compiled.some((one) => one.piece === piece)
  const listPaths = { tickets: pathIn(lists.tickets), mine: pathIn(lists.mine), open: pathIn(lists.open) }
  const recordPaths = { ticket: recordAt(records.ticket), contest: recordAt(records.contest), state: recordAt(records.state) }

  const startOf = (json: unknown, kind: keyof typeof recordPaths, isItem: boolean, { ids }: ReadContext): PathStart => {
    const place = isItem && records.items !== 'wrapped' ? BARE : recordPaths[kind]
    const bare =
      place === BARE
        ? { record: json, wrapper: undefined }
        : { record: place.record({ record: json }), wrapper: place.wrapper?.({ record: json }) }
    // Once an answer, and a list.
    let ownFound: { readonly row: unknown } | undefined
    let newest: { readonly rows: unknown; readonly row: unknown } | undefined
    return {
      ...bare,
      own: () => {
        ownFound ??= { row: own.own(bare, ids) }
        return ownFound.row
      },
      ownRow: (rows) => {
        if (newest === undefined || newest.rows !== rows) newest = { rows, row: own.ownRow(rows, ids, bare) }
        return newest.row
      },
    }
  }
  const readPieces = (wanted: readonly CompiledPiece[], start: PathStart, context: ReadContext) => {
    const record: Canonical = {}
    const departures: Departure[] = []
    const values = keepsValues ? new Map<string, unknown>() : NO_VALUES
    for (const { piece, place, expected, key, read, raw } of wanted) {
      const value = read(start, context)
      if (value === undefined) departures.push({ piece, place, expected, got: shortened(raw(start)) })
      else {
        if (keepsValues) (values as Map<string, unknown>).set(piece, value)
        if (piece === 'turn') Object.assign(record, value)
        else record[key] = value
      }
    }
    return { record, departures, values }
  }
  const sided = (record: Canonical): Canonical => {
    const { side } = record
    const known = typeof side === 'string' ? toSide.get(side.toLowerCase()) : undefined
    return known === undefined ? record : { ...record, side: known }
  }
  const withKeys = (record: Canonical, keys: readonly string[], raw: unknown): void => {
    for (const key of keys) if (!(key in record) && isRecord(raw) && Object.hasOwn(raw, key)) record[key] = raw[key]
  }
  /** Of a needed piece that has no place, or is not there: wherever it was looked for of old. */
  const withOldPlaces = (record: Canonical, fields: readonly FieldName[], raw: unknown): void => {
    for (const field of fields) {
      if (field in record) continue
      const value = firstValue(raw, field, extra)
      if (value !== undefined) record[field] = value
    }
  }
  const contestOf = (start: PathStart, wanted: readonly CompiledPiece[], context: ReadContext): ReadRecord => {
    const { record: read, departures, values } = readPieces(wanted, start, context)
    const record = sided(read)
    const { entryId, side, ready, score, ...rest } = record
    const contest: Canonical = { ...rest, ...(entryId === undefined ? {} : { entryId }) }
    withKeys(contest, unpinnedKeys, start.record)
    for (const key of ['startsAt', 'endsAt']) if (typeof contest[key] === 'number') contest[key] = new Date(contest[key]).toISOString()
    const fallbacks = (['contestId', 'entryId', 'token'] as const).filter(
      (field) => !isPinned(field) || departures.some(({ piece }) => piece === field),
    )
    withOldPlaces(contest, fallbacks, start.record)
    if (!isPinned('contestState')) withKeys(contest, ['status'], start.record)
    // Where nothing says which row is ours, the sandbox's own object is tried.
    const you = shapes.own === undefined && isRecord(start.record) ? start.record.you : undefined
    const { side: itsSide, ready: isReady } = isRecord(you) ? (you as { readonly side?: unknown; readonly ready?: unknown }) : {}
    const seated = { entryId: contest.entryId, side: side ?? itsSide, ready: ready ?? isReady, score }
    const isSeated = Object.values(seated).some((value) => value !== undefined)
    if (ownSeat?.source === 'contest') (values as Map<string, unknown>).set('ownSeat', valueAt(ownSeat.steps, start))
    return { record: { ...contest, ...(isSeated ? { you: seated } : {}) }, departures, values }
  }

  /** Fields of a state that have no place, or are not there: the pipeline finds them where they were of old. */
  const fieldsWithout = (departures: readonly Departure[]): readonly FieldName[] =>
    OF_STATE.filter(([, any]) => any.every((piece) => !isPinned(piece) || departures.some((one) => one.piece === piece))).map(
      ([field]) => field,
    )
  const unpinned = fieldsWithout([])
  /** An item of a list has its own places, and where it does not those of any contest: nothing in it is ours. */
  const ofListed = [...bySource.contest.filter(({ key }) => !bySource.listed.some((one) => one.key === key)), ...bySource.listed].filter(
    ({ piece }) => !PLAYED.has(piece) && !OF_OWN.has(piece),
  )
  const unpinnedKeys = CONTEST_KEYS.filter((key) => !isPinned(pieceOfKey(key)))

  return {
    statesInContest: played.length > 0,
    turnNeedsContest: turnIs(pieces.turn) === 'entryId' && bySource.contest.some(({ piece }) => piece === 'entryId'),
    tokenInState: bySource.state.some(({ piece }) => piece === 'token'),
    list(which, json) {
      const path = listPaths[which]
      const rows = path === undefined ? json : valueAt(path, { record: json })
      if (Array.isArray(rows)) return rows
      if (path !== undefined) return undefined
      return onlyListIn(json)
    },
    ticket(json, context, isItem) {
      const start = startOf(json, 'ticket', isItem, context)
      const { record, departures, values } = readPieces(bySource.ticket, start, context)
      withKeys(record, TICKET_KEYS, start.record)
      if (!('ticketId' in record)) withOldPlaces(record, ['ticketId'], start.record)
      for (const [piece, key] of Object.entries(OLD_TICKET_KEYS)) if (!isPinned(piece as Piece)) withKeys(record, [key], start.record)
      return { record, departures, values }
    },
    contest: (json, context, isItem) => contestOf(startOf(json, 'contest', isItem, context), bySource.contest, context),
    listed(json, context) {
      const { record: read, departures, values } = contestOf(startOf(json, 'contest', true, context), ofListed, context)
      const { listedSides: sides, ...contest } = read
      const entries = Array.isArray(sides)
        ? sides.flatMap((side) => (typeof side === 'string' ? [{ side: toSide.get(side.toLowerCase()) ?? side }] : []))
        : undefined
      const { token } = contest
      // As the pipeline looks for it.
      const record = { ...contest, ...(token === undefined ? {} : { params: { token } }), ...(entries === undefined ? {} : { entries }) }
      return { record, departures, values }
    },
    state(json, context) {
      const start = startOf(json, 'state', false, context)
      const read = readPieces(bySource.state, start, context)
      const { record } = read
      for (const { key, piece } of played) {
        const value = context.beside.get(piece)
        if (value === undefined) continue
        if (piece === 'turn') Object.assign(record, value)
        else record[key] = value
      }
      const { departures } = read
      withOldPlaces(record, departures.length === 0 ? unpinned : fieldsWithout(departures), start.record)
      return read
    },
    me(json) {
      const start = { record: json }
      const { record } = readPieces(bySource.me, start, { ids: {}, now: 0, beside: NO_VALUES })
      const said = (piece: 'agentId' | 'userId' | 'handle', ...old: readonly string[]) => {
        const value = isPinned(piece)
          ? record[piece]
          : old.map((path) => valueAt(pathOf(path), start)).find((one) => typeof one === 'string')
        return typeof value === 'string' ? value : undefined
      }
      return {
        agentId: said('agentId', 'agent.agentId', 'agent.id'),
        userId: said('userId', 'agent.userId'),
        handle: said('handle', 'agent.handle'),
      }
    },
    sideWord: (side) => (words.side as Readonly<Record<string, string>> | undefined)?.[side] ?? side,
  }
}

/** Where a mapping does not say where the list is: the one that there is, under whatever name. */
function onlyListIn(json: unknown, depth = 2): readonly unknown[] | undefined {
  if (!isRecord(json)) return undefined
  const { items } = json
  if (Array.isArray(items)) return items
  const lists = Object.values(json).flatMap((value) => {
    const list = Array.isArray(value) ? value : depth > 0 && !Array.isArray(value) ? onlyListIn(value, depth - 1) : undefined
    return list === undefined ? [] : [list]
  })
  return lists.length === 1 ? lists[0] : undefined
}

interface RecordPlace {
  readonly record: (start: PathStart) => unknown
  readonly wrapper?: (start: PathStart) => unknown
}
/** The answer is the record. */
const BARE: RecordPlace = { record: ({ record }) => record }

function recordAt(path = ''): RecordPlace {
  const steps = pathOf(path)
  return steps.length === 0 ? BARE : { record: compilePath(steps), wrapper: compilePath(steps.slice(0, -1)) }
}

const NO_VALUES: ReadonlyMap<string, unknown> = new Map()
const OF_OWN: ReadonlySet<Piece> = new Set(['entryId', 'side', 'ready', 'score'])
const pathIn = (path: string | undefined) => (path === undefined ? undefined : pathOf(path))
const pieceOfKey = (key: string): Piece => (key === 'durationSec' ? 'duration' : (key as Piece))

const turnIs = (turn: NonNullable<Shapes['pieces']>['turn']): string | undefined =>
  typeof turn === 'object' && 'is' in turn ? turn.is : undefined

function seatPlaceOf(turn: NonNullable<Shapes['pieces']>['turn']): ReturnType<typeof placeOf> | undefined {
  return typeof turn === 'object' && 'own' in turn && turn.own !== undefined ? placeOf(turn.own) : undefined
}

const MOST_SHOWN = 80
/** As much of a value as a line of a log takes. */
function shortened(value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'boolean' || typeof value === 'number') return value
  const shown = typeof value === 'string' ? value : JSON.stringify(value)
  return shown.length <= MOST_SHOWN ? shown : `${shown.slice(0, MOST_SHOWN)}…`
}
