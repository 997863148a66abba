import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { CornermanError } from '../../core/error.ts'
import { inUse, writeHolderNote } from './holder.ts'
import { isBusy, unopened } from './journalError.ts'
import { migrate } from './migrations.ts'

const BUSY_TIMEOUT_MS = 1000

/** Where a repair writes, and what stands there from when it is whole until it has taken the journal's place. */
export const repairing = (file: string): string => `${file}.repairing`
export const repaired = (file: string): string => `${file}.repaired`

/**
 * Opens the file in the newest form and holds it for this process alone; a process that dies lets go of it.
 *
 * @param synchronous `FULL`: what is committed is on the disk, also after a power cut
 * @throws CornermanError `JOURNAL_IN_USE`, `JOURNAL_UNREADABLE`, `JOURNAL_CORRUPT`, `JOURNAL_NEWER` or `JOURNAL_UNDER_REPAIR`
 */
export function openJournal(file: string, synchronous: 'FULL' | 'NORMAL'): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    refuseUnderRepair(file)
    db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    db.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; BEGIN IMMEDIATE; COMMIT`)
    // A repair says so before it looks whether the file is held, and here it is the other way round: one of the two notices.
    refuseUnderRepair(file)
    migrate(db, file)
    if (file !== ':memory:') writeHolderNote(file)
    return db
  } catch (cause) {
    db?.close()
    if (cause instanceof CornermanError) throw cause
    throw isBusy(cause) ? inUse(file, cause) : unopened(file, cause)
  }
}

function refuseUnderRepair(file: string): void {
  const mark = [repairing(file), repaired(file)].find((path) => existsSync(path))
  if (mark === undefined) return
  throw new CornermanError(
    'JOURNAL_UNDER_REPAIR',
    `${file} is being repaired, or a repair was cut off (${mark} is there): let it finish, or run npm run cornerman -- logs repair ${file} again`,
    { details: { file } },
  )
}
