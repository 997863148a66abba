import type { Piece, Shapes } from '../../src/contract/shapes/shapes.ts'

// A reader of mappings of its own, slow and plain: it shares no code with the one of the product, so that neither can hide a fault of the other.

type Json = Readonly<Record<string, unknown>>
type Found = NonNullable<NonNullable<Shapes['pieces']>[Piece]>

export interface OwnIds {
  readonly agentId?: string | undefined
  readonly userId?: string | undefined
  readonly handle?: string | undefined
  readonly entryId?: string | undefined
}

/** A record with what wraps it. */
export interface Wrapped {
  readonly record: unknown
  readonly wrapper: unknown
}

/** Everything known of one contest at one moment. */
export interface Sources {
  readonly now: number
  readonly ids: OwnIds
  readonly me?: unknown
  readonly ticket?: Wrapped | undefined
  readonly contest?: Wrapped | undefined
  readonly listed?: Wrapped | undefined
  readonly state?: Wrapped | undefined
}

export type Value = string | number | boolean | readonly unknown[] | undefined

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const inRecord = (value: unknown, key: string): unknown => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined)

/** `a.b[own].c`: `a`, `b`, `[own]`, `c`. */
const stepsOf = (path: string): readonly string[] =>
  path === ''
    ? []
    : path
        .replaceAll('[', '.[')
        .split('.')
        .filter((step) => step !== '')

interface Walk extends Wrapped {
  readonly shapes: Shapes
  readonly ids: OwnIds
}

function follow(value: unknown, steps: readonly string[], walk: Walk): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return value
  switch (step) {
    case '^':
      return follow(walk.wrapper, rest, walk)
    case '[own]':
      return follow(value === walk.record ? ownOf(walk) : ownRowIn(value, walk), rest, walk)
    case '[]':
      return Array.isArray(value) ? value.map((item: unknown) => follow(item, rest, walk)) : undefined
    case '$key':
      return isRecord(value) ? Object.keys(value) : undefined
    default:
      return follow(inRecord(value, step), rest, walk)
  }
}

const at = (path: string, walk: Walk): unknown => follow(walk.record, stepsOf(path), walk)

/** The own object of a record, or the own row of its list. */
function ownOf(walk: Walk): unknown {
  const { own } = walk.shapes
  if (own === undefined) return undefined
  if ('at' in own && own.at !== undefined) {
    const object = at(own.at, walk)
    if (isRecord(object)) return object
  }
  return 'rows' in own ? ownRowIn(at(own.rows, walk), walk) : undefined
}

function ownRowIn(rows: unknown, walk: Walk): unknown {
  const { own } = walk.shapes
  if (!Array.isArray(rows) || own === undefined || !('rows' in own)) return undefined
  if ('seat' in own) return rows[Number(at(own.seat, walk) ?? Number.NaN)]
  return rows.find((row: unknown) =>
    Object.entries(own.by).every(([path, is]) => {
      const said = follow(row, stepsOf(path), { ...walk, record: row })
      return is === true ? said === true : said !== undefined && said !== null && said === walk.ids[is]
    }),
  )
}

/** A record in its answer. */
export function unwrapped(answer: unknown, path: string | undefined): Wrapped {
  const steps = stepsOf(path ?? '')
  let [record, wrapper]: [unknown, unknown] = [answer, undefined]
  for (const step of steps) [record, wrapper] = [inRecord(record, step), record]
  return { record, wrapper }
}

/** The records of a list in its answer; undefined where there is no list. */
export function listIn(answer: unknown, shapes: Shapes, list: 'tickets' | 'mine' | 'open'): readonly Wrapped[] | undefined {
  const items = unwrapped(answer, shapes.lists?.[list]).record
  if (!Array.isArray(items)) return undefined
  const record = list === 'tickets' ? shapes.records?.ticket : shapes.records?.contest
  return items.map((item: unknown) => unwrapped(item, shapes.records?.items === 'wrapped' ? record : ''))
}

/** What a piece comes to; undefined where the mapping does not have it, or nothing is there. */
export function readPiece(shapes: Shapes, piece: Piece, sources: Sources, found: Found | undefined = shapes.pieces?.[piece]): Value {
  if (found === undefined || (typeof found === 'object' && 'choose' in found)) return undefined
  if (typeof found === 'object' && 'flags' in found)
    return Object.entries(found.flags).find(([, place]) => placed(shapes, place, sources) === true)?.[0]
  const said = placed(shapes, typeof found === 'string' ? found : found.at, sources)
  const more = typeof found === 'string' ? { at: found } : found
  return valued(shapes, piece, { said, more, sources })
}

function placed(shapes: Shapes, place: string, sources: Sources): unknown {
  const colon = place.indexOf(':')
  const [source, path] = [place.slice(0, colon) as 'me' | 'ticket' | 'contest' | 'listed' | 'state', place.slice(colon + 1)]
  const answer: Wrapped | undefined = source === 'me' ? { record: sources.me, wrapper: undefined } : sources[source]
  return answer === undefined ? undefined : at(path, { ...answer, shapes, ids: sources.ids })
}

interface Said {
  readonly said: unknown
  readonly more: Exclude<Found, string | { flags: unknown } | { choose: unknown }> | { readonly at: string }
  readonly sources: Sources
}

const wordOf = (words: Readonly<Record<string, readonly string[] | undefined>> | undefined, said: unknown): string | undefined =>
  Object.entries(words ?? {}).find(([, each]) => each?.some((word) => word === said))?.[0]

const TIMES: ReadonlySet<Piece> = new Set(['startsAt', 'endsAt', 'commitBy', 'revealFrom', 'revealBy', 'pickBy'])
const LISTS: ReadonlySet<Piece> = new Set(['pool', 'mine', 'theirs'])
const MOVES: ReadonlySet<Piece> = new Set(['committed', 'revealed'])

function valued(shapes: Shapes, piece: Piece, { said, more, sources }: Said): Value {
  const { words } = shapes
  if (piece === 'ticketState') return wordOf(words?.ticket, said)
  if (piece === 'contestState') return wordOf(words?.contest, said)
  if (piece === 'phase') return wordOf(words?.phase, said)
  if (TIMES.has(piece)) return timeOf(said, 'as' in more ? (more.as ?? 'iso') : 'iso', sources.now)
  if (piece === 'turn') return isOurs(shapes, { said, more, sources })
  if (LISTS.has(piece)) return mintsOf(shapes, { said, more, sources })
  if (piece === 'side') return sideOf(shapes, said)
  if (piece === 'listedSides')
    return Array.isArray(said) ? said.map((side: unknown) => sideOf(shapes, side)).filter((side) => side !== undefined) : undefined
  if (MOVES.has(piece)) return said !== undefined && said !== null && said !== false && said !== ''
  if (piece === 'duration') {
    const unit = 'unit' in more ? (more.unit ?? 's') : 's'
    return typeof said === 'number' ? said * { ms: 0.001, s: 1, min: 60 }[unit] : undefined
  }
  return said === null || typeof said === 'object' ? undefined : (said as Value)
}

function sideOf({ words }: Shapes, said: unknown): string | undefined {
  if (said === words?.side?.UP) return 'UP'
  if (said === words?.side?.DOWN) return 'DOWN'
  return typeof said === 'string' ? said : undefined
}

function timeOf(said: unknown, as: string, now: number): number | undefined {
  if (typeof said === 'string') return as === 'iso' ? Date.parse(said) : undefined
  if (typeof said !== 'number') return undefined
  return { iso: undefined, ms: said, s: said * 1000, leftMs: now + said, leftSec: now + said * 1000 }[as]
}

function isOurs(shapes: Shapes, { said, more, sources }: Said): boolean | undefined {
  if (said === undefined || said === null) return false
  const is = 'is' in more ? more.is : 'flag'
  if (is === 'flag') return said === true
  if (is === 'word') return shapes.words?.turn?.some((word) => word === said) === true
  if (is === 'seat') return 'own' in more && more.own !== undefined && placed(shapes, more.own, sources) === said
  return sources.ids[is as keyof OwnIds] === said
}

function mintsOf(shapes: Shapes, { said, more, sources }: Said): readonly string[] | undefined {
  const { token, free, minus } = { token: undefined, free: undefined, minus: undefined, ...more } as {
    token?: string
    free?: { at: string; is: null | boolean | string }
    minus?: readonly string[]
  }
  const walk = (record: unknown): Walk => ({ record, wrapper: undefined, shapes, ids: sources.ids })
  const isFree = (item: unknown) => free === undefined || (at(free.at, walk(item)) ?? null) === free.is
  if (token === '$key')
    return isRecord(said)
      ? Object.entries(said)
          .filter(([, item]) => isFree(item))
          .map(([mint]) => mint)
      : undefined
  if (!Array.isArray(said)) return undefined
  const gone = new Set(
    (minus ?? []).flatMap((place) => {
      const list = placed(shapes, place, sources)
      return Array.isArray(list) ? list.map((item: unknown) => mintOf(item, undefined, walk)) : []
    }),
  )
  return said
    .filter(isFree)
    .map((item: unknown) => mintOf(item, token, walk))
    .filter((mint): mint is string => typeof mint === 'string' && !gone.has(mint))
}

const mintOf = (item: unknown, token: string | undefined, walk: (record: unknown) => Walk): unknown =>
  token === undefined ? (typeof item === 'string' ? item : (inRecord(item, 'mint') ?? inRecord(item, 'token'))) : at(token, walk(item))
