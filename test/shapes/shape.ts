import { isDeepStrictEqual } from 'node:util'
import { procedures } from '../../src/contract/procedures.ts'
import type { Piece, Shapes } from '../../src/contract/shapes/shapes.ts'
import { contestSheet, isRecord, type Json, type ShapeContext, sideWord, stateSheet, ticketSheet } from './answers.ts'
import { Draws } from './draws.ts'
import { type Form, formOf } from './form.ts'
import type { Sheet } from './sheet.ts'
import { type Acceptable, type Right, truthOf } from './truth.ts'

export type { ShapeContext } from './answers.ts'

/** How one contest service says what the sandbox says: answers, words and codes. Ids, events' fields, bankroll, limits and history stay. */
export interface ServiceShape {
  readonly seed: number
  readonly departure: number
  /** Dimensions in which it departs from the sandbox. */
  readonly departures: readonly string[]
  /** The mapping that reads it. */
  readonly truth: Shapes
  /** By piece, `lists.…`, `records.…`, `own` and `words.…`: everything that reads the same, the truth's first. */
  readonly right: Right
  /** What may be said of a piece. */
  truthOf(piece: Piece | string): readonly Acceptable[]
  /** Whether what was found of a piece is one of those; `by` says nothing here. */
  isRight(piece: Piece | string, found: unknown): boolean
  /** A good answer of the sandbox, as this service gives it. */
  answer(procedure: string, input: unknown, json: unknown, context: ShapeContext): unknown
  /** What the sandbox is asked, where this service is asked that. */
  request(procedure: string, json: unknown): unknown
  /** A refusal of the sandbox, as this service words it. */
  error(json: unknown): unknown
}

/**
 * The service of a seed: the same one every time.
 *
 * @param options.departure the chance of each dimension to depart from the sandbox, 0 to 1
 */
export function shapeOf(seed: number, { departure }: { readonly departure: number }): ServiceShape {
  const draws = new Draws(seed, departure)
  const form = formOf(draws)
  const { truth, right } = truthOf(form)
  const allowed = (piece: string): readonly Acceptable[] => right[piece] ?? []
  return {
    seed,
    departure,
    departures: draws.departures,
    truth,
    right,
    truthOf: allowed,
    isRight: (piece, found) => allowed(piece).some((one) => isDeepStrictEqual(plain(one), plain(found))),
    answer: (procedure, _input, json, context) => answerOf(form, procedure, json, context),
    request: (procedure, json) => requestOf(form, procedure, json),
    error: (json) => errorOf(form, json),
  }
}

/** Without who says so, and in its shortest form. */
function plain(found: unknown): unknown {
  if (!isRecord(found)) return found
  const { by, ...rest } = found
  const said = typeof by === 'string' ? rest : found
  return Object.keys(said).length === 1 && 'at' in said && !('rows' in said) ? said.at : said
}

const ACTIONS_OF_TICKETS = new Set(['agent.queue.enqueue', 'agent.queue.cancel'])
const OF_TICKETS = new Set(['agent.queue.get', ...ACTIONS_OF_TICKETS])
const OF_CONTESTS = new Set(['get', 'create', 'join', 'leave', 'ready'].map((name) => `agent.contests.${name}`))
const OF_STATES = new Set(['state', 'draftPick', 'commitPrediction', 'revealPrediction'].map((name) => `agent.modes.${name}`))

function answerOf(form: Form, procedure: string, json: unknown, context: ShapeContext): unknown {
  const { records, lists } = form
  const ticket = (record: Json) => ticketSheet(form, record, context)
  const contest = (record: Json) => contestSheet(form, record, context)
  const items = (list: unknown, of: (record: Json) => Sheet, wrapper: string) =>
    recordsIn(list).map((record) => (records.items === 'wrapped' ? of(record).within(wrapper) : of(record).bare))
  if (isAction(procedure) && form.actions === 'ok' && isShaped(procedure)) return { ok: true }
  if (procedure === 'agent.me')
    return meOf(form, json, {
      tickets: (list) => items(list, ticket, records.ticket),
      contests: (list) => items(list, contest, records.contest),
    })
  if (procedure === 'agent.queue.list') return listIn(form, lists.tickets, items(json, ticket, records.ticket))
  if (procedure === 'agent.contests.mine') return listIn(form, lists.mine, items(json, contest, records.contest))
  if (procedure === 'agent.contests.list') {
    const { items: listed, nextCursor } = isRecord(json) ? json : {}
    return listIn(form, lists.open, items(listed, contest, records.contest), { nextCursor })
  }
  if (procedure === 'agent.events') return eventsOf(form, json)
  if (!isRecord(json)) return json
  if (OF_TICKETS.has(procedure)) return ticket(json).within(records.ticket)
  if (OF_CONTESTS.has(procedure)) return contest(json).within(records.contest)
  return OF_STATES.has(procedure) ? stateSheet(form, json, context).within(records.state) : json
}

const isShaped = (procedure: string): boolean => OF_TICKETS.has(procedure) || OF_CONTESTS.has(procedure) || OF_STATES.has(procedure)
const isAction = (procedure: string): boolean =>
  Object.hasOwn(procedures, procedure) && procedures[procedure as keyof typeof procedures].kind === 'action'
const recordsIn = (list: unknown): readonly Json[] => (Array.isArray(list) ? list.filter(isRecord) : [])

/** A list where the service has it, with what is beside it: a cursor, where there can be one, and no more. */
function listIn(form: Form, path: string, list: readonly unknown[], beside: Json = {}): unknown {
  if (path === '') return list
  const [last = '', ...before] = form.style(path).split('.').toReversed()
  const { meta } = form.decoys
  const around: Json = { ...(meta === '' ? {} : { [meta]: { requestId: 'r-1', total: list.length } }), ...beside, [last]: list }
  return before.reduce<unknown>((inner, key) => ({ [key]: inner }), around)
}

function meOf(
  form: Form,
  json: unknown,
  of: { readonly tickets: (list: unknown) => unknown; readonly contests: (list: unknown) => unknown },
): unknown {
  if (!isRecord(json) || !isRecord(json.agent)) return json
  const { agentId, ...agent } = json.agent
  const told: Record<string, unknown> = {
    ...json,
    agent: { ...agent },
    activeContests: of.contests(json.activeContests),
    openTickets: of.tickets(json.openTickets),
  }
  for (const path of [form.me.agentId, form.me.userId]) {
    if (path === '') continue
    const [first = '', second] = form.style(path).split('.')
    if (second === undefined) told[first] = agentId
    else told[first] = { ...(isRecord(told[first]) ? told[first] : {}), [second]: agentId }
  }
  return told
}

/** The form of events is specified; their words of sides are the service's. */
function eventsOf(form: Form, json: unknown): unknown {
  if (!isRecord(json) || !Array.isArray(json.events)) return json
  const events = json.events.map((event: unknown) => {
    if (!isRecord(event) || !isRecord(event.data) || event.data.side === undefined) return event
    return { ...event, data: { ...event.data, side: sideWord(form.sides, event.data.side) } }
  })
  return { ...json, events }
}

/** A word that no side has here. */
const NO_SIDE = 'no side'

function requestOf(form: Form, procedure: string, json: unknown): unknown {
  if (!isRecord(json)) return json
  if (procedure === 'agent.contests.join' && typeof json.side === 'string') return { ...json, side: sideOf(form, json.side) }
  if (procedure === 'agent.contests.create' && isRecord(json.params) && typeof json.params.side === 'string')
    return { ...json, params: { ...json.params, side: sideOf(form, json.params.side) } }
  return json
}

function sideOf({ sides }: Form, word: string): string {
  if (word === sides.UP) return 'UP'
  if (word === sides.DOWN) return 'DOWN'
  // The sandbox's own words are none here; those of teams are what they are.
  return /^T\d+$/.test(word) ? word : NO_SIDE
}

function errorOf(form: Form, json: unknown): unknown {
  if (!isRecord(json) || !isRecord(json.data)) return json
  const { data, message } = json
  const isOfSide = form.codeOf('SIDE_UNKNOWN') !== 'SIDE_UNKNOWN' && typeof message === 'string' && message.startsWith(`side ${NO_SIDE}`)
  const renamed = (code: unknown) => (typeof code === 'string' ? form.codeOf(isOfSide ? 'SIDE_UNKNOWN' : code) : code)
  // tRPC's own code stays beside it.
  return { ...json, data: { ...data, ...(data.appCode === undefined ? { code: renamed(data.code) } : { appCode: renamed(data.appCode) }) } }
}
