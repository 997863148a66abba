import { z } from 'zod'
import { isPriceAboveZero } from '../core/price.ts'
import { show } from '../core/show.ts'
import { LOG_VERSION, type LogLine } from './lines.ts'
import type { Fault } from './logError.ts'

/** What a line's JSON turned out to be. Both are there where the line is of use without what is wrong with it. */
export interface ReadLine {
  readonly line?: LogLine
  readonly fault?: Fault
}

/** The last instant that there is a date of. */
const LAST_MS = 8.64e15

const time = z.number().int().nonnegative().max(LAST_MS)
const mint = z.string().min(1)

const headerSchema = z.looseObject({
  kind: z.literal('header'),
  version: z.number().int().positive(),
  source: z.enum(['live', 'import']),
  realm: z.string().min(1).optional(),
  bot: z.string().min(1),
  agentId: z.string().nullable(),
  run: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'letters, digits, dots, dashes and underscores: it names files'),
  segment: z.number().int().positive(),
  at: time,
  software: z.looseObject({ cornerman: z.string(), node: z.string() }),
  config: z
    .looseObject({
      config: z.string(),
      strategyTimeoutMs: z.number().int().min(100).max(300_000).optional(),
      strategies: z.array(z.looseObject({ kind: z.string(), name: z.string(), code: z.string() })),
    })
    .nullable(),
  shapes: z.looseObject({ hash: z.string(), pieces: z.record(z.string(), z.unknown()) }).optional(),
  mints: z.array(mint),
})

const mintsSchema = z.looseObject({ kind: z.literal('mints'), mints: z.array(mint) })

const contestSchema = z.looseObject({
  kind: z.literal('contest'),
  at: time,
  contestId: z.string().min(1),
  mode: z.string(),
  chain: z.string(),
  format: z.enum(['duel', 'lobby']),
  stake: z.string().regex(/^\d+$/, 'digits: micro-USDC'),
  durationSec: z.number().positive(),
  capacity: z.number().int().min(2),
  opponents: z.enum(['AGENT', 'HUMAN']),
  params: z.record(z.string(), z.unknown()),
  via: z.enum(['queue', 'list']),
})

type Fields = Readonly<Record<string, unknown>>

const unreadable = (what: string): ReadLine => ({ fault: { code: 'LOG_UNREADABLE', what } })
/** Whole numbers up to 2⁵³. */
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Takes the JSON of a line for what it is, and says what it must be instead. */
export function readLine(json: unknown): ReadLine {
  if (typeof json !== 'object' || json === null) return unreadable(`${show(json)} is no JSON object with a kind`)
  const fields = json as Fields
  switch (fields.kind) {
    case 'prices':
      return readPrices(fields)
    case 'input':
      return readInput(fields)
    case 'output':
      return isPlaced(fields) && Array.isArray(fields.decisions) ? accepted(fields) : unreadable('an output needs n, at and decisions')
    case 'mints':
      return readBy(mintsSchema, fields)
    case 'contest':
      return readBy(contestSchema, fields)
    case 'header':
      return readHeader(fields)
    default:
      return unreadable(`${show(fields.kind)} is no kind of line`)
  }
}

// The checks stand in for the type: JSON that passes them is a line.
const accepted = (fields: Fields): ReadLine => ({ line: fields as unknown as LogLine })

const isTime = (value: unknown): value is number => isCount(value) && value <= LAST_MS

const isPlaced = ({ n, at }: Fields): boolean => isCount(n) && isTime(at)

/** Fields of each input's body that are records or lists. Prices have a line of their own. */
const BODY_FIELDS: Readonly<Record<string, readonly string[]>> = {
  started: ['pending', 'custody', 'claimed', 'swaps', 'fills', 'counts'],
  event: [],
  caughtUp: [],
  behind: [],
  restored: [],
  answer: ['request', 'result'],
  timer: [],
  clock: [],
  chainBalance: [],
  paused: [],
  feed: [],
  outcome: ['outcome'],
  quoted: ['result'],
  built: ['result'],
  landing: ['result'],
  late: ['result'],
  operator: [],
  mode: [],
  ordered: ['order'],
  pathChecked: ['check'],
  tokens: ['tokens'],
  siblingEntered: ['entry'],
  siblingLeft: [],
}

const BODIES: ReadonlyMap<unknown, readonly string[]> = new Map(Object.entries(BODY_FIELDS))

function readInput(fields: Fields): ReadLine {
  const { type, body } = fields
  if (!isPlaced(fields) || typeof type !== 'string') return unreadable('an input needs n, at and type')
  const needed = BODIES.get(type)
  if (needed === undefined) return unreadable(`${show(type)} is no type of input`)
  if (!isRecord(body)) return unreadable(`an input of type ${type} needs a body, not ${show(body)}`)
  const missing = needed.find((field) => !isRecord(body[field]))
  return missing === undefined ? accepted(fields) : unreadable(`the body of an input of type ${type} needs ${missing}`)
}

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null

function readBy(schema: z.ZodType, fields: Fields): ReadLine {
  const { error } = schema.safeParse(fields)
  if (error === undefined) return accepted(fields)
  const [issue] = error.issues
  return unreadable(`${String(fields.kind)} line: ${issue?.path.join('.')}: ${issue?.message}`)
}

function readHeader(fields: Fields): ReadLine {
  if (isCount(fields.version) && fields.version > LOG_VERSION) {
    return { fault: { code: 'LOG_NEWER', what: `the log is of version ${fields.version}, this Cornerman reads up to ${LOG_VERSION}` } }
  }
  return readBy(headerSchema, fields)
}

/** By hand, since most lines of a log are these. */
function readPrices(fields: Fields): ReadLine {
  const { n, at, tick, known, prices } = fields
  if (
    !isTime(at) ||
    !isCount(tick) ||
    !(n === undefined || isCount(n)) ||
    !(known === undefined || isTime(known)) ||
    !Array.isArray(prices)
  ) {
    return unreadable('a prices line needs at, tick and prices, and n and known must be whole numbers')
  }
  for (const price of prices) {
    if (price !== null && !isPriceAboveZero(price)) return withoutBadPrices(fields, prices)
  }
  return accepted(fields)
}

function withoutBadPrices(fields: Fields, prices: readonly unknown[]): ReadLine {
  const bad = prices.flatMap((price, column) => (price === null || isPriceAboveZero(price) ? [] : [`${show(price)} in column ${column}`]))
  return {
    ...accepted({ ...fields, prices: prices.map((price) => (isPriceAboveZero(price) ? price : null)) }),
    fault: { code: 'LOG_PRICE_INVALID', what: `a price must be decimal text above 0 such as '187.25', not ${bad.join(', ')}` },
  }
}
