import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { CornermanError } from '../../core/error.ts'
import type { ModeRecord } from '../../pipeline/index.ts'
import { inUse, notedModes } from './holder.ts'
import { isBusy, unread } from './journalError.ts'
import { type ModeRow, modeOrClosed } from './modeRows.ts'
import { hasLog, openUnlocked } from './unlocked.ts'

/**
 * Everything that a journal says of modes, whether a bot runs on it or not: a process that holds a journal notes beside it what it says
 * of them. Nothing is held or changed for it, and a journal of before the table says nothing.
 *
 * @throws CornermanError `JOURNAL_UNREADABLE`, `JOURNAL_CORRUPT`, or `JOURNAL_IN_USE` where the holder has noted nothing
 */
export const modesKept = (file: string): readonly ModeRecord[] => rowsIn(file).map(modeOrClosed)

function rowsIn(file: string): readonly ModeRow[] {
  try {
    using db = open(file)
    const { tables } = db.prepare("SELECT count(*) AS tables FROM sqlite_schema WHERE type = 'table' AND name = 'modes'").get() ?? {}
    return tables === 1 ? (db.prepare('SELECT mode, numbers FROM modes ORDER BY mode').all() as unknown as ModeRow[]) : []
  } catch (thrown) {
    if (!isBusy(thrown)) throw unread(file, thrown)
    const noted = notedModes(file)
    if (noted === undefined) throw inUse(file, thrown)
    return noted
  }
}

function open(file: string): DatabaseSync {
  if (!existsSync(file)) throw new CornermanError('JOURNAL_UNREADABLE', `${file}: there is no such file`)
  return hasLog(file) ? new DatabaseSync(file, { readOnly: true, timeout: 0 }) : openUnlocked(file)
}
