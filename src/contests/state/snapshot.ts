import { CornermanError, messageOf } from '../../core/error.ts'
import { rebuildIndex } from './rebuildIndex.ts'
import type { ContestsState } from './state.ts'

// JSON has no bigint and no Map: each is an object of one key that no record of the state has.
const BIGINT = '$bigint'
const MAP = '$map'

/** The form of a snapshot; another one is refused rather than guessed at. */
const FORM = 3

interface Snapshot {
  readonly form: typeof FORM
  readonly state: Omit<ContestsState, 'index'>
}

/** The whole state as JSON text; `loadContests` gives it back exactly. */
export function saveContests({ index: _, ...state }: ContestsState): string {
  const snapshot: Snapshot = { form: FORM, state }
  return JSON.stringify(snapshot, (_key, value: unknown) => {
    if (typeof value === 'bigint') return { [BIGINT]: value.toString() }
    return value instanceof Map ? { [MAP]: [...value] } : value
  })
}

/**
 * The state a snapshot holds: it continues as the saved one would have, to the byte.
 *
 * @throws CornermanError `SNAPSHOT_INVALID` for text that `saveContests` did not write
 */
export function loadContests(text: string): ContestsState {
  const { state } = readSnapshot(text)
  return { ...state, index: rebuildIndex(state) }
}

function readSnapshot(text: string): Snapshot {
  let read: unknown
  try {
    read = JSON.parse(text, (_key, value: unknown) => revive(value))
  } catch (thrown) {
    throw invalid(`it is not JSON (${messageOf(thrown)})`)
  }
  if (!isSnapshot(read)) throw invalid(`its form is not ${FORM}`)
  return read
}

function revive(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (BIGINT in value) return BigInt(String(value[BIGINT]))
  if (MAP in value && Array.isArray(value[MAP])) return new Map(value[MAP])
  return value
}

/** Who wrote the form wrote the state: nothing else is checked, since only the engine writes snapshots. */
function isSnapshot(value: unknown): value is Snapshot {
  return typeof value === 'object' && value !== null && 'form' in value && value.form === FORM && 'state' in value
}

function invalid(reason: string): CornermanError {
  return new CornermanError(
    'SNAPSHOT_INVALID',
    `the state that was kept cannot be read: ${reason}: use another data directory, or name another file`,
  )
}
