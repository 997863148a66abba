import { fieldsOf, PROBE_FIRST, probeOf } from '../../contract/shapes/remedy.ts'

/** How the mapping of the service's answers reads what a mode needs. */
export interface ModeReading {
  /** Of the mapping; undefined: there is none. */
  readonly hash?: string | undefined
  /** Names of the pieces that it does not have. */
  readonly lacks: readonly string[]
  /** Nothing has proven the pieces: until the first valid move there is one contest at a time. */
  readonly isOnTrial: boolean
  /** Pieces that were not where it has them, and their places. */
  readonly drifted: readonly DriftedPiece[]
}

export interface DriftedPiece {
  readonly piece: string
  readonly place: string
}

/** Why a mode cannot be read, as the guard says it and in words. */
export interface Unreadable {
  readonly code: 'SERVICE_UNPROBED' | 'MODE_UNREADABLE'
  readonly pieces: readonly string[]
  readonly why: string
  /** The same with what to do. */
  readonly remedy: string
}

/** What of a mode's record says how it is read. */
interface Read {
  readonly mode: string
  readonly hasMoved: boolean
  readonly reading?: ModeReading
}

/** Undefined: it can be read, or nobody has said how. */
export function unreadableIn({ mode, reading }: Read): Unreadable | undefined {
  if (reading === undefined) return undefined
  if (reading.hash === undefined)
    return { code: 'SERVICE_UNPROBED', pieces: [], why: 'how the service answers is not known', remedy: PROBE_FIRST }
  const pieces = [...new Set([...reading.lacks, ...reading.drifted.map(({ piece }) => piece)])]
  if (pieces.length === 0) return undefined
  const why = `it is not known where the answers have ${fieldsOf(pieces)}`
  return { code: 'MODE_UNREADABLE', pieces, why, remedy: probeOf(mode) }
}

/** Whether one contest of it is played at a time: nothing but a valid move shows that the mapping is right. */
export const isOnTrial = ({ hasMoved, reading }: Read): boolean => reading?.isOnTrial === true && !hasMoved
