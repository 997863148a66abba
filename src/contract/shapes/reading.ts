import { createHash } from 'node:crypto'
import { MODES, type Mode } from '../modes.ts'
import type { ReadName } from '../procedures.ts'
import { has, lackingIn, type Need, nameOf, needsOf, type Piece, type PlaceSource, type Shapes } from './shapes.ts'

/** Answers in which a place may be, by what it begins with. */
export const ANSWERS_WITH: Readonly<Record<PlaceSource, readonly ReadName[]>> = {
  me: ['agent.me'],
  ticket: ['agent.queue.list', 'agent.queue.get'],
  contest: ['agent.contests.mine', 'agent.contests.get'],
  listed: ['agent.contests.list'],
  state: ['agent.modes.state'],
}

/** How the answers of a service are read, as far as it decides what may be entered: a mapping in brief. */
export interface Reading {
  /** SHA-256 of the mapping, in hex; undefined where there is none. */
  readonly hash: string | undefined
  /** By mode that cannot be played by it, what it lacks: names of pieces. */
  readonly unreadable: Readonly<Partial<Record<Mode, readonly string[]>>>
  /** Modes that begin with one ticket or seat at a time, until a valid move was made: what they need was found, and proven by nothing yet. */
  readonly onTrial: readonly Mode[]
}

/** A pinned piece that was not where the mapping has it, or was of another kind. */
export interface Departure {
  readonly piece: Piece | `lists.${'tickets' | 'mine' | 'open'}`
  /** Such as `state:turn.userId`. */
  readonly place: string
  /** What should stand there, in a word or two, such as `an instant`. */
  readonly expected: string
  /** What stands there, shortened; undefined: nothing. */
  readonly got: unknown
}

/** What nothing was proven of begins on trial; the project's own mapping does not. */
export function readingOf(shapes: Shapes | undefined, { isProven = false }: { readonly isProven?: boolean } = {}): Reading {
  if (shapes === undefined) return { hash: undefined, unreadable: {}, onTrial: [] }
  const lacking = lackingIn(shapes)
  const unreadable = Object.fromEntries([...lacking].map(([mode, needs]) => [mode, needs.map(nameOf)]))
  const onTrial = isProven ? [] : MODES.filter((mode) => !lacking.has(mode) && !isProvenFor(shapes, mode))
  return { hash: hashOf(shapes), unreadable, onTrial }
}

/** By pieces with keys in order, and without who says so: what reads the same has the same hash, however it was written. */
export const hashOf = ({ pieces, ...rest }: Shapes): string =>
  createHash('sha256')
    .update(
      JSON.stringify(sorted({ ...rest, pieces: Object.fromEntries(Object.entries(pieces ?? {}).map(([piece, at]) => [piece, bare(at)])) })),
    )
    .digest('hex')

/** A place in its shortest form. */
function bare(said: object | string | undefined): unknown {
  if (said === undefined || typeof said === 'string') return said
  const { by: _, ...rest } = said as { readonly by?: string; readonly at?: string }
  return Object.keys(rest).length === 1 && rest.at !== undefined ? rest.at : rest
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]))
}

/** Whether a probe has proven each piece that a mode needs; of several that do alike one. */
const isProvenFor = (shapes: Shapes, mode: Mode): boolean => needsOf(mode).every((need) => isNeedProven(shapes, need))

function isNeedProven(shapes: Shapes, need: Need): boolean {
  if (typeof need !== 'string') return need.some((one) => has(shapes, one) && isNeedProven(shapes, one))
  // Of lists and words nobody says who found them.
  if (need.startsWith('lists.') || need.startsWith('words.')) return true
  const said = shapes.pieces?.[(need.startsWith('phase.') ? 'phase' : need) as Piece]
  return typeof said === 'object' && said.by?.endsWith(' proven') === true
}
