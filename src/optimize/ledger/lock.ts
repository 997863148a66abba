import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Who holds it writes a few lines: one that takes longer is stuck. */
const LONGEST_WAIT_MS = 30_000

/**
 * Does something while no other process does the same by this file. The lock is SQLite's, and the system's: whoever dies lets go of it.
 *
 * @throws SQLite's error where the file cannot be made, or another holds it for half a minute
 */
export function withLock<T>(file: string, work: () => T): T {
  // SQLite would make it for everybody to read, and a data directory is its owner's.
  closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file, { timeout: LONGEST_WAIT_MS })
  try {
    db.exec('BEGIN EXCLUSIVE')
    return work()
  } finally {
    db.close()
  }
}
