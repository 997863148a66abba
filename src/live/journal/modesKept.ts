import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { CornermanError } from '../../core/error.ts'
import type { ModeRecord } from '../../pipeline/index.ts'
import { inUse, notedModes } from './holder.ts'
import { isBusy, unread } from './journalError.ts'
import { closedMode, type ModeRow, modeOf } from './modeRows.ts'

/**
 * Everything that a journal says of modes, whether a bot runs on it or not: a process that holds a journal notes beside it what it says
 * of them. Nothing is held or changed for it, and a journal of before the table says nothing.
 *
 * @throws CornermanError `JOURNAL_UNREADABLE`, `JOURNAL_CORRUPT`, or `JOURNAL_IN_USE` where the holder has noted nothing
 */
export const modesKept = (file: string): readonly ModeRecord[] => rowsIn(file).map((row) => modeOf(row) ?? closedMode(row.mode))

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

/** Without a log beside it the file is whole: read as immutable it gets none, and no lock. */
function open(file: string): DatabaseSync {
  if (!existsSync(file)) throw new CornermanError('JOURNAL_UNREADABLE', `${file}: there is no such file`)
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (hasLog) return new DatabaseSync(file, { readOnly: true, timeout: 0 })
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}
