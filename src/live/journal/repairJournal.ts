import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CornermanError, messageOf } from '../../core/error.ts'
import { checkJournal, type JournalFinding } from './checkJournal.ts'
import { inUse, isHeld } from './holder.ts'
import { knownHeader, migrate } from './migrations.ts'
import { repaired, repairing } from './openJournal.ts'
import { ofAnother } from './owner.ts'
import { type Gathered, gather } from './salvage/gather.ts'
import { type JournalMending, mend } from './salvage/mend.ts'
import { PageFile } from './salvage/pageFile.ts'

const USER_VERSION_AT = 60
const APPLICATION_ID_AT = 68
const PAGES_AT = 28

export interface JournalRepair {
  /** Where the original is kept, with its `-wal` beside it; undefined: nothing was wrong, and nothing was done. */
  readonly original: string | undefined
  /** What was done about what was wrong: of custody first. */
  readonly mendings: readonly JournalMending[]
  /** What no repair can mend. */
  readonly left: readonly JournalFinding[]
}

/**
 * Makes a journal anew from what can be read of it, and keeps the original beside it. Of what cannot be read the report
 * says what was lost; nothing is guessed but what follows from other rows. Cut off at any moment, it is finished or begun
 * anew by the next call, and no bot starts on the file in between.
 *
 * @param agentId whose journal it has to be; undefined: anybody's
 * @throws CornermanError `JOURNAL_IN_USE`, `JOURNAL_NEWER`, `JOURNAL_OF_ANOTHER_AGENT`; `JOURNAL_UNREADABLE` where there is
 * nothing of a journal in it; `JOURNAL_REPAIR_FAILED` where the disk does not take the new one
 */
export function repairJournal(file: string, agentId?: string): JournalRepair {
  if (existsSync(repaired(file))) return { original: takePlace(file), mendings: [], left: checkJournal(file) }
  const draft = repairing(file)
  removeDraft(draft)
  try {
    // From here on no bot opens the file; one that has done so already holds it.
    const db = new DatabaseSync(draft, { enableForeignKeyConstraints: false })
    try {
      if (isHeld(file)) throw inUse(file)
      const mendings = rewrite(file, db, agentId)
      if (mendings === undefined) return { original: undefined, mendings: [], left: [] }
      db.close()
      renameSync(draft, repaired(file))
      return { original: takePlace(file), mendings, left: checkJournal(file) }
    } finally {
      if (db.isOpen) db.close()
    }
  } catch (thrown) {
    if (thrown instanceof CornermanError) throw thrown
    throw new CornermanError(
      'JOURNAL_REPAIR_FAILED',
      `${file} could not be repaired, and is as it was (${messageOf(thrown)}): make room on its disk, check its folder's permissions, and try again`,
      { cause: thrown },
    )
  } finally {
    removeDraft(draft)
  }
}

/** @returns undefined where nothing is wrong */
function rewrite(file: string, db: DatabaseSync, agentId: string | undefined): JournalMending[] | undefined {
  const pages = new PageFile(file)
  try {
    const inHeader = (at: number): number => pages.header?.readUInt32BE(at) ?? 0
    knownHeader({ version: inHeader(USER_VERSION_AT), applicationId: inHeader(APPLICATION_ID_AT) }, file)
    db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL')
    migrate(db, file)
    db.exec('BEGIN')
    const gathered = gather(pages, db)
    refuseForeign(gathered, file)
    const owner = db.prepare("SELECT value FROM meta WHERE key = 'agentId'").get()?.value
    if (agentId !== undefined && owner !== undefined && owner !== agentId) throw ofAnother(file, String(owner), agentId)
    if (pages.header !== undefined && checkJournal(file).length === 0) return undefined
    const torn = damageOf(pages, gathered)
    const mendings = [...torn, ...mend(db, torn.length > 0)]
    if (owner === undefined)
      mendings.push({
        table: 'meta',
        row: 'agentId',
        what: 'whose journal it is was lost',
        done: 'the bot that starts on it next makes it its own',
      })
    db.exec('COMMIT')
    return mendings
  } finally {
    pages.close()
  }
}

function damageOf(pages: PageFile, { damagedPages }: Gathered): JournalMending[] {
  const said = pages.header?.readUInt32BE(PAGES_AT) ?? 0
  const missing =
    said > pages.pageCount
      ? [{ table: '', row: '', what: `the file ends after page ${pages.pageCount} of ${said}`, done: 'what was in the rest is lost' }]
      : []
  const spoiled = damagedPages.map((page) => ({
    table: '',
    row: `page ${page}`,
    what: 'it cannot be read, or not all of it',
    done: 'what can be read of it is kept',
  }))
  const header =
    pages.header === undefined
      ? [{ table: '', row: 'page 1', what: 'it is not that of a database', done: 'the rows are known by their form' }]
      : []
  return [...header, ...missing, ...spoiled]
}

/** Another program's database has tables too. */
function refuseForeign({ tables, rows }: Gathered, file: string): void {
  if (tables.size > 0 ? tables.has('custody') : rows > 0) return
  throw new CornermanError(
    'JOURNAL_UNREADABLE',
    `${file}: there is nothing of a journal in it: check that it is one. Where it was, move it away; the bot that starts anew reads its whole history from the service, and predictions it has committed to cannot be revealed`,
  )
}

/** Puts the new journal where the old one was, which is kept. @returns where */
function takePlace(file: string): string {
  const fresh = repaired(file)
  const folder = dirname(file)
  // A repair that was cut off here goes on with the same name.
  const original = `${file}.broken-${new Date(statSync(fresh).mtimeMs).toISOString().replace(/[-:]|\.\d+/g, '')}`
  // The log first: beside the new file it would be taken for the new file's.
  for (const end of ['-wal', '']) if (existsSync(file + end)) renameSync(file + end, original + end)
  rmSync(`${file}-shm`, { force: true })
  syncFolder(folder)
  renameSync(fresh, file)
  syncFolder(folder)
  return original
}

/** A name is on the disk once its folder is. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function removeDraft(draft: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(draft + end, { force: true })
}
