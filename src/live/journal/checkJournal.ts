import { copyFileSync, constants as fsConstants, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { messageOf } from '../../core/error.ts'
import { CHECKS } from './check/checks.ts'
import type { Fault } from './check/journalCheck.ts'
import { inUse, isHeld } from './holder.ts'
import { repairWith } from './journalError.ts'
import { headerOf, knownHeader, migrate, SCHEMA_VERSION } from './migrations.ts'
import { ofAnother } from './owner.ts'
import { defineRowSum } from './sums.ts'
import { hasLog, openUnlocked } from './unlocked.ts'

/** Of one kind no more are listed: what they have in common says enough. */
const MOST_OF_A_KIND = 20

/** Something in a journal that is not as a bot leaves it. Never what stands there: a salt is shown nowhere. */
export interface JournalFinding {
  readonly file: string
  /** Empty where it is about the file as a whole. */
  readonly table: string
  /** Its key, or its place; empty where it is about the table as a whole. */
  readonly row: string
  /** What is wrong, and what to do. */
  readonly message: string
}

/**
 * Everything that is wrong with a journal. It is neither held nor changed: a file with a log beside it, or one of an older
 * version, is read as a copy, in a folder beside it that is gone afterwards.
 *
 * @param agentId whose journal it has to be; undefined: anybody's
 * @throws CornermanError `JOURNAL_IN_USE` where a bot runs on it, `JOURNAL_NEWER`, `JOURNAL_OF_ANOTHER_AGENT`
 */
export function checkJournal(file: string, agentId?: string): JournalFinding[] {
  if (isHeld(file)) throw inUse(file)
  // To SQLite that is a sound database.
  if (statSync(file, { throwIfNoEntry: false })?.size === 0 && !hasLog(file))
    return [finding({ file, table: '', row: '' }, 'it is empty, 0 bytes', 'put a copy of it back, or delete it to begin anew')]
  const before = stateOf(file)
  const findings = examine(file, agentId)
  if (stateOf(file) === before) return findings
  // A bot has started meanwhile: what was read is neither the old journal nor the new one.
  throw inUse(file)
}

function examine(file: string, agentId: string | undefined): JournalFinding[] {
  const whole = (what: string): JournalFinding[] => [{ file, table: '', row: '', message: `${file}: ${what}: ${repairWith(file)}` }]
  try {
    return reading(file, (db) => {
      const owner = ownerOf(db)
      if (agentId !== undefined && owner !== undefined && owner !== agentId) throw ofAnother(file, owner, agentId)
      return CHECKS.flatMap(({ table, find }) => {
        const found: Fault[] = []
        try {
          for (const fault of find(db)) if (found.push(fault) > MOST_OF_A_KIND) break
        } catch (thrown) {
          found.push({ row: '', what: `it cannot be read to its end (${messageOf(thrown)})` })
        }
        return found
          .slice(0, MOST_OF_A_KIND + 1)
          .map(({ row, what, todo }, index) =>
            index < MOST_OF_A_KIND
              ? finding({ file, table, row }, what, todo)
              : finding({ file, table, row: '' }, 'there are more like these', todo),
          )
      })
    })
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code === 'ERR_SQLITE_ERROR') return whole(`it cannot be opened as a journal (${messageOf(thrown)})`)
    throw thrown
  }
}

function finding({ file, table, row }: Omit<JournalFinding, 'message'>, what: string, todo = repairWith(file)): JournalFinding {
  const place = [file, table && `table ${table}`, row && `row ${row}`].filter((part) => part !== '').join(', ')
  return { file, table, row, message: `${place}: ${what}: ${todo}` }
}

const ownerOf = (db: DatabaseSync): string | undefined =>
  db.prepare("SELECT value FROM meta WHERE key = 'agentId'").get()?.value?.toString()

/** Hands out the journal in the newest form, read-only: as it lies there where that can be, else a copy of it. */
function reading<T>(file: string, read: (db: DatabaseSync) => T): T {
  if (!hasLog(file)) {
    using db = openUnlocked(file)
    const { version } = knownHeader(headerOf(db), file)
    defineRowSum(db)
    if (version === SCHEMA_VERSION) return read(db)
  }
  const folder = mkdtempSync(`${file}.check-`)
  try {
    const copy = join(folder, 'copy.db')
    copyFileSync(file, copy, fsConstants.COPYFILE_FICLONE)
    if (hasLog(file)) copyFileSync(`${file}-wal`, `${copy}-wal`, fsConstants.COPYFILE_FICLONE)
    using db = new DatabaseSync(copy, { enableForeignKeyConstraints: false })
    migrate(db, file)
    db.exec('PRAGMA query_only = ON')
    return read(db)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Changes with every write to the file or its log. */
const stateOf = (file: string): string =>
  [file, `${file}-wal`]
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((stats) => `${stats?.size} ${stats?.mtimeMs}`)
    .join()
