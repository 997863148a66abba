import { createHash } from 'node:crypto'
import { tokenOfMint } from '../../src/core/tokens.ts'
import type { Form } from './form.ts'
import { restyled, Sheet, timeIn } from './sheet.ts'
import { meaningOf, PHASE_WORDS, type SidePair, wordIn } from './words.ts'

// A record of the sandbox as a service of another form says it.

export interface ShapeContext {
  readonly agentId: string
  readonly handle: string
  /** Unix milliseconds of the answer. */
  readonly now: number
  /** What the agent has committed to, by contest: for a service that shows it. */
  readonly commitments?: ReadonlyMap<string, string>
}

export type Json = Readonly<Record<string, unknown>>

interface RowOf extends Json {
  readonly entryId: string
  readonly userId: string | null
}

export const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const rowsOf = (value: unknown): readonly RowOf[] => (Array.isArray(value) ? (value as RowOf[]) : [])
const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const sideWord = (sides: SidePair, side: unknown): unknown => (side === 'UP' || side === 'DOWN' ? sides[side] : side)

const TICKET_KEYS = new Set(['ticketId', 'status', 'mode', 'stake', 'durationSec', 'createdAt', 'expiresAt', 'contestId'])

export function ticketSheet(form: Form, json: Json, { now }: ShapeContext): Sheet {
  const sheet = new Sheet(form)
  sheet.put(form.ticket.id, json.ticketId)
  sheet.put(form.ticket.status, wordIn(form.ticket.words, textOf(json.status)))
  putTerms(sheet, form, json)
  for (const key of ['createdAt', 'expiresAt']) sheet.put(key, timeIn(form.contest.times, json[key], now))
  sheet.put(form.ticket.contest, json.contestId)
  sheet.putRest(json, TICKET_KEYS)
  putDecoys(sheet, form, textOf(json.ticketId), now)
  return sheet
}

const CONTEST_KEYS = new Set(
  ['contestId', 'mode', 'status', 'stake', 'durationSec', 'params', 'startsAt', 'endsAt', 'entries', 'you'], //
)

export function contestSheet(form: Form, json: Json, context: ShapeContext): Sheet {
  const { now } = context
  const { own, row } = form
  const sheet = new Sheet(form)
  const entries = rowsOf(json.entries)
  const you = isRecord(json.you) ? json.you : null
  const ownSeat = entries.findIndex(({ entryId }) => entryId === you?.entryId)
  const contestId = textOf(json.contestId)
  sheet.put(form.contest.id, contestId)
  sheet.put(form.contest.status, wordIn(form.contest.words, textOf(json.status)))
  putTerms(sheet, form, json)
  const [startsAt, endsAt] = form.contest.window
  sheet.put(startsAt, timeIn(form.contest.times, json.startsAt, now))
  sheet.put(endsAt, timeIn(form.contest.times, json.endsAt, now))
  const isInContest = form.tokenWhere !== 'state'
  putParams(sheet, form, json, {
    hasToken: form.tokenWhere === 'usual' || form.tokenWhere === 'params' || (!isInContest && json.mode === 'up_down'),
  })
  if (form.tokenWhere === 'top' || form.tokenWhere === 'contest') putToken(sheet, form, json.params)
  sheet.put(
    form.rows,
    entries.map((entry, seat) => {
      const line = ownedRow(form, entry, { seat, context })
      line.put('kind', entry.kind)
      if (form.takenSides === '') line.put(row.side, sideWord(form.sides, entry.side))
      line.put(row.ready, entry.ready)
      line.put(row.score, entry.score)
      return line.bare
    }),
  )
  if (form.takenSides !== '')
    sheet.put(
      form.takenSides,
      entries.flatMap(({ side }) => (typeof side === 'string' ? [sideWord(form.sides, side)] : [])),
    )
  if (own.hasObject) {
    if (you === null) sheet.put(own.object, null)
    else {
      if (form.entryIdWhere === 'usual' || form.entryIdWhere === 'object') sheet.put(`${own.object}.${row.entryId}`, you.entryId)
      sheet.put(`${own.object}.${row.side}`, sideWord(form.sides, you.side))
      sheet.put(`${own.object}.${row.ready}`, you.ready)
      if (!own.isRowFound) sheet.put(`${own.object}.${row.score}`, entries[ownSeat]?.score)
    }
  }
  if (own.form === 'seat') sheet.put(own.seat, ownSeat < 0 ? null : ownSeat)
  if (form.entryIdWhere === 'contest') sheet.put(own.contestEntry, you?.entryId ?? null)
  if (you !== null) putOpponent(sheet, form, entries[ownSeat === 0 ? 1 : 0], context)
  sheet.putRest(json, CONTEST_KEYS)
  putDecoys(sheet, form, contestId, now)
  return sheet
}

const STATE_KEYS = new Set([
  ...['contestId', 'mode', 'status', 'phase', 'entryId', 'params', 'startsAt', 'endsAt', 'token', 'commitBy', 'revealFrom', 'revealBy'],
  ...['committed', 'revealed', 'predictions', 'round', 'turn', 'yourTurn', 'pickBy', 'available', 'mine', 'theirs', 'picks', 'sides'],
  ...['traders', 'bags', 'markedAt', 'bagBy'],
])

export function stateSheet(form: Form, json: Json, context: ShapeContext): Sheet {
  const { now } = context
  const { state, own } = form
  const sheet = new Sheet(form)
  const time = (value: unknown) => timeIn(state.times, value, now)
  const contestId = textOf(json.contestId)
  if (state.hasContestId) sheet.put(form.contest.id, contestId)
  sheet.put(form.mode, json.mode)
  if (state.hasStatus) sheet.put(form.contest.status, wordIn(form.contest.words, textOf(json.status)))
  putPhase(sheet, form, json)
  if (form.entryIdWhere === 'usual' || form.entryIdWhere === 'state') sheet.put(state.entryId, json.entryId)
  if (form.entryIdWhere === 'beside') sheet.put(`^.${state.entryId}`, json.entryId)
  if (state.hasWindow)
    for (const [index, key] of form.contest.window.entries()) sheet.put(bare(key), time(index === 0 ? json.startsAt : json.endsAt))
  putParams(sheet, form, json, { hasToken: form.tokenWhere === 'usual' || form.tokenWhere === 'params' })
  if (form.tokenWhere === 'top' || form.tokenWhere === 'state' || (form.tokenWhere === 'usual' && json.token !== undefined))
    putToken(sheet, form, json.params)
  if (Array.isArray(json.sides))
    sheet.put(
      'sides',
      json.sides.map((side: unknown) => sideWord(form.sides, side)),
    )
  for (const key of ['markedAt', 'bagBy']) sheet.put(key, time(json[key]))
  for (const key of ['traders', 'bags'])
    if (Array.isArray(json[key]))
      sheet.put(
        key,
        rowsOf(json[key]).map((row, seat) => ownedRow(form, row, { seat, context, hasRest: true }).bare),
      )
  if (json.commitBy !== undefined) putPrediction(sheet, form, json, context)
  if (json.available !== undefined) putDraft(sheet, form, json, context)
  const players = rowsOf(json.predictions ?? json.picks ?? json.traders)
  const ownSeat = players.findIndex(({ entryId }) => entryId === json.entryId)
  if (own.form === 'seat') sheet.put(own.seat, ownSeat < 0 ? null : ownSeat)
  if (ownSeat >= 0) putOpponent(sheet, form, players[ownSeat === 0 ? 1 : 0], context)
  sheet.putRest(json, STATE_KEYS)
  putDecoys(sheet, form, contestId, now)
  return sheet
}

/** A path as it is without a wrapper to stand in. */
export const bare = (path: string): string => path.replace(/^\^\./, '')

function putTerms(sheet: Sheet, form: Form, json: Json): void {
  sheet.put(form.mode, json.mode)
  sheet.put(form.stake, json.stake)
  const { key, unit } = form.duration
  const seconds = Number(json.durationSec)
  sheet.put(key, unit === 's' ? seconds : unit === 'ms' ? seconds * 1000 : seconds / 60)
}

const QUOTE_TOKEN = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

function putParams(sheet: Sheet, form: Form, { params }: Json, { hasToken }: { readonly hasToken: boolean }): void {
  if (!isRecord(params)) return
  const { token, side, ...rest } = params
  sheet.put(form.params, {})
  for (const [key, value] of Object.entries(rest)) sheet.put(`${form.params}.${key}`, restyled(value, form))
  if (side !== undefined) sheet.put(`${form.params}.side`, sideWord(form.sides, side))
  if (hasToken && typeof token === 'string') sheet.put(`${form.params}.${form.tokenKey}`, tokenValue(form, token))
  if (form.decoys.quoteToken !== '') sheet.put(`${form.params}.${form.decoys.quoteToken}`, QUOTE_TOKEN)
}

function putToken(sheet: Sheet, form: Form, params: unknown): void {
  if (isRecord(params) && typeof params.token === 'string') sheet.put(form.tokenKey, tokenValue(form, params.token))
}

const tokenValue = (form: Form, mint: string): unknown => (form.tokenIn === '' ? mint : { [form.tokenIn]: mint, symbol: symbolOf(mint) })
const symbolOf = (mint: string): string => tokenOfMint(mint)?.symbol ?? '?'

/** A row of somebody's: whose it is, in the words of the service, and its id where rows show theirs. */
function ownedRow(
  form: Form,
  row: RowOf,
  { seat, context, hasRest = false }: { readonly seat: number; readonly context: ShapeContext; readonly hasRest?: boolean },
): Sheet {
  const { entryId, userId, ...rest } = row
  const line = new Sheet(form)
  if (form.rowIds) line.put(form.row.entryId, entryId)
  if (form.own.form === 'seat') line.put('seat', seat)
  if (form.own.hasRows && form.own.owner !== 'entryId') line.put(form.own.ownerKey, ownerOf(form.own.owner, userId, context))
  if (!hasRest) return line
  line.putRest(rest, new Set(['outAt']))
  line.put('outAt', timeIn(form.state.times, rest.outAt, context.now))
  return line
}

const handleOf = (userId: string | null, { agentId, handle }: ShapeContext): string | null =>
  userId === null ? null : userId === agentId ? handle : `p-${userId.slice(0, 8)}`

function ownerOf(kind: Form['own']['owner'], userId: string | null, context: ShapeContext): unknown {
  if (kind === 'isYou') return userId === context.agentId
  return kind === 'handle' ? handleOf(userId, context) : userId
}

function putPhase(sheet: Sheet, form: Form, { phase }: Json): void {
  const { phaseForm, flags, words } = form.state
  if (phaseForm === 'word') {
    sheet.put(form.state.phase, wordIn(words, textOf(phase)))
    return
  }
  const meaning = meaningOf(PHASE_WORDS, phase)
  for (const one of PHASE_FLAGS) sheet.put(flags(one), meaning === one)
}

/** What is before the window has no flag. */
export const PHASE_FLAGS = ['commit', 'draft', 'running', 'reveal', 'over'] as const

/** Where the list of players stands in a state that has the flags in their rows: where contests have it. */
export const areMovesInRows = ({ state: { committed, revealed }, own: { isRowFound } }: Form): boolean =>
  isRowFound && (committed === 'row' || revealed === 'row')

export const moveForm = (form: Form, move: 'committed' | 'revealed'): 'flag' | 'text' | 'row' | 'own' => {
  const drawn = form.state[move]
  return (drawn === 'row' && !form.own.isRowFound) || (drawn === 'own' && !form.own.hasObject) ? 'flag' : drawn
}

function putPrediction(sheet: Sheet, form: Form, json: Json, context: ShapeContext): void {
  const { state, own } = form
  const time = (value: unknown) => timeIn(state.times, value, context.now)
  if (state.hasCommitBy) sheet.put(state.group + state.commitBy, time(json.commitBy))
  if (state.hasRevealFrom) sheet.put(state.group + state.revealFrom, time(json.revealFrom))
  sheet.put(state.group + state.revealBy, time(json.revealBy))
  const predictions = rowsOf(json.predictions)
  const mine = predictions.find(({ entryId }) => entryId === json.entryId)
  const contestId = textOf(json.contestId)
  const commitment = json.committed === true ? (context.commitments?.get(contestId) ?? standIn(`${contestId} ${context.agentId}`)) : null
  const put = (move: 'committed' | 'revealed', key: string, text: unknown) => {
    const where = moveForm(form, move)
    if (where === 'flag') sheet.put(key, json[move])
    if (where === 'text') sheet.put(key, text)
    if (where === 'own') sheet.put(`${bare(own.object)}.${key}`, json[move])
  }
  put('committed', state.committedKey, commitment)
  put('revealed', state.revealedKey, mine?.value ?? null)
  const inRows = areMovesInRows(form)
  sheet.put(
    inRows ? form.rows : 'predictions',
    predictions.map((row, seat) => {
      const line = ownedRow(form, row, { seat, context })
      line.put(inRows ? state.committedKey : 'committed', row.committed)
      line.put('value', row.value)
      return line.bare
    }),
  )
}

const standIn = (text: string): string => createHash('sha256').update(text).digest('hex')

function putDraft(sheet: Sheet, form: Form, json: Json, context: ShapeContext): void {
  const { state } = form
  const picks = rowsOf(json.picks)
  const turn = isRecord(json.turn) ? (json.turn as RowOf) : null
  sheet.put(state.round, json.round)
  const pickBy = timeIn(state.times, json.pickBy, context.now)
  if (!isPickByInTurn(form)) sheet.put(state.group + state.pickBy, pickBy)
  else if (turn !== null) sheet.put(`${form.turn.base}.${state.pickBy}`, pickBy)
  putTurn(sheet, form, { json, turn, picks, context })
  const items = (mints: readonly string[]) => (state.picksAre === 'mints' ? mints : mints.map((mint) => ({ mint, symbol: symbolOf(mint) })))
  const [mine, theirs] = state.picks
  sheet.put(mine, items(listOf(json.mine)))
  sheet.put(theirs, items(listOf(json.theirs)))
  if (state.hasEveryPick)
    sheet.put(
      'picks',
      picks.map((row, seat) => ownedRow(form, row, { seat, context, hasRest: true }).bare),
    )
  putPool(sheet, form, json, picks)
}

export const isPickByInTurn = (form: Form): boolean => form.state.isPickByInTurn && form.turn.hasObject

interface Turn {
  readonly json: Json
  readonly turn: RowOf | null
  readonly picks: readonly RowOf[]
  readonly context: ShapeContext
}

/** Seat numbers of a service that finds own rows by them are places in the list. */
const firstSeatOf = (form: Form): number => (form.own.form === 'seat' ? 0 : form.turn.firstSeat)
export const ownSeatPath = (form: Form): string => (form.own.form === 'seat' ? form.own.seat : form.turn.ownSeat)

function putTurn(sheet: Sheet, form: Form, { json, turn, picks, context }: Turn): void {
  const { kind, base, path, flag, hasObject, words } = form.turn
  const seatOf = (of: unknown): number | null => {
    const seat = picks.findIndex(({ entryId }) => entryId === of)
    return seat < 0 ? null : seat + firstSeatOf(form)
  }
  if (kind === 'both' || kind === 'flag') sheet.put(flag, json.yourTurn)
  if (kind === 'seat') sheet.put(ownSeatPath(form), seatOf(json.entryId))
  if (kind === 'both' && turn !== null) {
    sheet.put(`${base}.entryId`, turn.entryId)
    sheet.put(`${base}.userId`, turn.userId)
  }
  if (form.decoys.current && turn !== null && base !== 'current') {
    sheet.put('current.entry', turn.entryId)
    sheet.put(
      'current.no',
      picks.reduce((sum, { tokens }) => sum + listOf(tokens).length, 1),
    )
  }
  if (hasObject && turn !== null) sheet.put(`${base}.round`, turn.round)
  if (kind === 'both' && turn !== null) sheet.put(`${base}.${form.state.pickBy}`, timeIn(form.state.times, json.pickBy, context.now))
  if (hasObject && turn === null && !base.includes('.')) sheet.put(base, null)
  if (kind === 'both' || kind === 'flag' || (turn === null && hasObject)) return
  const value = turn === null ? null : whose(kind, turn, { json, seatOf, words, context })
  sheet.put(path, value)
}

function whose(
  kind: Exclude<Form['turn']['kind'], 'both' | 'flag'>,
  turn: RowOf,
  {
    json,
    seatOf,
    words,
    context,
  }: { json: Json; seatOf: (of: unknown) => number | null; words: readonly [string, string]; context: ShapeContext },
): unknown {
  switch (kind) {
    case 'entryId':
      return turn.entryId
    case 'seat':
      return seatOf(turn.entryId)
    case 'word':
      return json.yourTurn === true ? words[0] : words[1]
    case 'handle':
      return handleOf(turn.userId, context)
    case 'agentId':
    case 'userId':
      return turn.userId
  }
}

function putPool(sheet: Sheet, form: Form, json: Json, picks: readonly RowOf[]): void {
  const { form: kind, path, token, minus } = form.pool
  const free = listOf(json.available)
  const whole = isRecord(json.params) ? listOf(json.params.pool) : []
  const takenBy = (mint: string): string | null => picks.find(({ tokens }) => listOf(tokens).includes(mint))?.entryId ?? null
  const item = (mint: string, more: Json = {}) => {
    const sheetOfItem = new Sheet(form)
    sheetOfItem.put(token, mint)
    sheetOfItem.put('symbol', symbolOf(mint))
    for (const [key, value] of Object.entries(more)) sheetOfItem.put(key, value, { isNullKept: true })
    return sheetOfItem.bare
  }
  const table = (mints: readonly string[], of: (mint: string) => Json) =>
    Object.fromEntries(mints.map((mint) => [mint, restyled(of(mint), form)]))
  const value = {
    mints: () => free,
    objects: () => free.map((mint) => item(mint)),
    map: () => table(free, (mint) => ({ symbol: symbolOf(mint) })),
    mapTaken: () => table(whole, (mint) => ({ symbol: symbolOf(mint), takenBy: takenBy(mint) })),
    takenBy: () => whole.map((mint) => item(mint, { takenBy: takenBy(mint) })),
    free: () => whole.map((mint) => item(mint, { free: takenBy(mint) === null })),
    status: () => whole.map((mint) => item(mint, { status: takenBy(mint) === null ? 'free' : 'taken' })),
    minus: () => whole,
  }[kind]
  sheet.put(path, value())
  const taken = whole.filter((mint) => takenBy(mint) !== null)
  if (kind === 'minus' && minus !== '') sheet.put(minus, taken)
}

function putOpponent(sheet: Sheet, form: Form, opponent: RowOf | undefined, context: ShapeContext): void {
  if (!form.decoys.opponent || opponent === undefined) return
  sheet.put('opponent.entryId', opponent.entryId)
  sheet.put('opponent.handle', handleOf(opponent.userId, context))
}

function putDecoys(sheet: Sheet, form: Form, id: string, now: number): void {
  const { serverTime, serial, pot } = form.decoys
  if (serverTime !== '') sheet.put('serverTime', timeIn(serverTime, new Date(now).toISOString(), now))
  if (serial !== '') sheet.put(serial, Number.parseInt(standIn(id).slice(0, 4), 16))
  if (pot !== '') sheet.put(pot, '1900000')
}
