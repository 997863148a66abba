import { CornermanError } from '../core/error.ts'
import { memoize } from '../core/memoize.ts'

/**
 * Where a field that the specification does not place may be found, in order of preference. A user
 * whose service has it elsewhere adds a path in the config; nobody edits code for that.
 */
export const FIELD_PATHS = {
  ticketId: ['ticketId', 'id', 'ticket.ticketId', 'ticket.id'],
  contestId: ['contestId', 'id', 'contest.contestId', 'contest.id'],
  signature: ['signature', 'tx.signature', 'transaction.signature', 'id'],
  entryId: ['entryId', 'you.entryId', 'entry.id', 'entry.entryId', 'me.entryId'],
  phase: ['phase', 'state', 'status'],
  yourTurn: ['yourTurn', 'you.turn', 'isYourTurn'],
  turnEntryId: ['turn.entryId', 'turnEntryId', 'onTheClock.entryId'],
  pickBy: ['pickBy', 'turn.pickBy', 'deadline'],
  available: ['available', 'pool', 'tokens'],
  mine: ['mine', 'you.picks', 'picks.mine'],
  theirs: ['theirs', 'opponent.picks', 'picks.theirs'],
  round: ['round', 'turn.round'],
  committed: ['committed', 'you.committed', 'you.commitment', 'commitment'],
  token: ['token', 'params.token', 'mint'],
  commitBy: ['commitBy', 'deadlines.commitBy'],
  revealFrom: ['revealFrom', 'deadlines.revealFrom'],
  revealed: ['revealed', 'you.revealed'],
} as const

export type FieldName = keyof typeof FIELD_PATHS
/** What a mapping calls a field, where that is another name. */
export const PIECE_OF: Readonly<Partial<Record<FieldName, 'turn' | 'pool'>>> = { yourTurn: 'turn', turnEntryId: 'turn', available: 'pool' }
/** Paths to try before the built-in ones, by field. */
export type ExtraPaths = Partial<Record<FieldName, readonly string[]>>

export type Found<T> = { readonly found: true; readonly value: T } | { readonly found: false; readonly error: CornermanError }

/**
 * Finds a field by its known paths and reads it.
 *
 * @param read returns the value, or undefined when what stands there is not one
 * @returns the value, or a `FIELD_MISSING` error that names every path looked at
 */
export function findField<T>(record: unknown, field: FieldName, read: (value: unknown) => T | undefined, extra: ExtraPaths = {}): Found<T> {
  const paths = pathsOf(field, extra)
  for (const path of paths) {
    const value = read(at(record, path))
    if (value !== undefined) return { found: true, value }
  }
  return {
    found: false,
    /** Most of what is missing is not missed: the error, with its stack, is made for who asks for it. */
    get error() {
      return new CornermanError(
        'FIELD_MISSING',
        `the service's answer has no ${field}, neither where the mapping has it nor at ${paths.join(', ')}: run npm run cornerman -- probe, or say where it is in service.shapes.pieces.${PIECE_OF[field] ?? field} of the config`,
        { details: { field, paths } },
      )
    },
  }
}

/** What stands at the first of the field's known paths that the record has, whatever it is; undefined: nothing does. */
export function firstValue(record: unknown, field: FieldName, extra: ExtraPaths = {}): unknown {
  for (const path of pathsOf(field, extra)) {
    const value = at(record, path)
    if (value !== undefined) return value
  }
  return undefined
}

/** Every value of the field that the record has, at whichever of its known paths: which of them is meant is the caller's to say. */
export function everyField<T>(record: unknown, field: FieldName, read: (value: unknown) => T | undefined, extra: ExtraPaths = {}): T[] {
  return pathsOf(field, extra).flatMap((path) => read(at(record, path)) ?? [])
}

const pathsOf = (field: FieldName, extra: ExtraPaths): readonly string[] =>
  extra[field] === undefined ? FIELD_PATHS[field] : [...extra[field], ...FIELD_PATHS[field]]

/** For `findField`: an id, of whatever form. */
export const idText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** The id of a ticket or contest in a list; undefined where the service has it elsewhere. */
export function idOf(record: unknown, field: 'ticketId' | 'contestId', extra?: ExtraPaths): string | undefined {
  const id = findField(record, field, idText, extra)
  return id.found ? id.value : undefined
}

/** The keys of a path. There are as many paths as fields above, and what configs add. */
const keysOf = memoize((path: string): readonly string[] => path.split('.'), 1024)

function at(record: unknown, path: string): unknown {
  let value = record
  for (const key of keysOf(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}
