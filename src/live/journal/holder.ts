import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { CornermanError } from '../../core/error.ts'
import { isAlive } from '../isAlive.ts'
import { isBusy } from './journalError.ts'
import type { ModeRow } from './modeRows.ts'

// Who holds a journal. The lock is SQLite's, and a process that dies lets go of it; the note beside the file is only
// words for whoever is refused, and one that a dead process left behind holds nobody up.

const noteSchema = z.object({
  pid: z.number().int().positive(),
  since: z.iso.datetime(),
  modes: z.array(z.object({ mode: z.string(), numbers: z.string() })).optional(),
})
type HolderNote = z.infer<typeof noteSchema>

const noteFile = (file: string) => `${file}.holder.json`
/** Only the holder writes it, so that one name will do. */
const draftFile = (file: string) => `${noteFile(file)}.new`

/** Says that this process holds the journal; a disk that takes no note does not keep a bot from playing. */
export const writeHolderNote = (file: string): void => write(file, { pid: process.pid, since: new Date().toISOString() })

/** Adds the table `modes` to the note: nobody else can read the journal while it is held. */
export function noteModes(file: string, modes: readonly ModeRow[]): void {
  const { since = new Date().toISOString() } = readHolderNote(file) ?? {}
  write(file, { pid: process.pid, since, modes: modes.map(({ mode, numbers }) => ({ mode, numbers })) })
}

/** The table `modes` as whoever holds the journal has noted it; undefined where nobody has. */
export const notedModes = (file: string): readonly ModeRow[] | undefined => readHolderNote(file)?.modes

/** In one step: a reader sees the note of before or this one. */
function write(file: string, note: HolderNote): void {
  try {
    writeFileSync(draftFile(file), `${JSON.stringify(note)}\n`)
    renameSync(draftFile(file), noteFile(file))
  } catch {
    // The next write to the journal itself says what is wrong with the disk.
  }
}

export function removeHolderNote(file: string): void {
  for (const each of [draftFile(file), noteFile(file)]) rmSync(each, { force: true })
}

function readHolderNote(file: string): HolderNote | undefined {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(noteFile(file), 'utf8')))
  } catch {
    return undefined
  }
}

/** Whoever holds a journal, in words. */
export function holderOf(file: string): string {
  const note = readHolderNote(file)
  return note !== undefined && isAlive(note.pid) ? `process ${note.pid} (since ${note.since})` : 'another process'
}

/** The id of a process that held the journal and died without letting go of it in order; undefined where there is none. */
export function deadHolderOf(file: string): number | undefined {
  const note = readHolderNote(file)
  return note === undefined || isAlive(note.pid) ? undefined : note.pid
}

/**
 * Whether a process holds the journal now. Nothing is changed or kept for it: a connection that may only read asks for
 * the exclusive lock, which it is refused because it is held, or else because it may only read.
 */
export function isHeld(file: string): boolean {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: 0 })
    db.exec('PRAGMA locking_mode = EXCLUSIVE; SELECT 1 FROM sqlite_schema')
    return false
  } catch (thrown) {
    return isBusy(thrown)
  } finally {
    db?.close()
  }
}

/** What whoever comes second is told. */
export const inUse = (file: string, cause?: unknown): CornermanError =>
  new CornermanError(
    'JOURNAL_IN_USE',
    `${file} is held by ${holderOf(file)}: stop the one that runs on it, or use another --data-dir`,
    cause === undefined ? {} : { cause },
  )
