import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CornermanError } from '../core/error.ts'
import { isFolder } from '../recording/segments.ts'

const FOLDER = 'bots'
const EXTENSION = '.db'

/** Where the journal of a bot is. */
export const journalFile = (dataDir: string, bot: string): string => join(dataDir, FOLDER, `${bot}${EXTENSION}`)

/** The bots that have a journal in a data directory. */
export function botsOf(dataDir: string): readonly string[] {
  const folder = join(dataDir, FOLDER)
  const names = isFolder(folder) ? readdirSync(folder).filter((name) => name.endsWith(EXTENSION)) : []
  return names.map((name) => name.slice(0, -EXTENSION.length))
}

/**
 * The journals that a path stands for: one file (a kept original, `….db.broken-…`, too), or those of a data directory.
 *
 * @returns undefined where it is a recording's path
 */
export function journalsAt(path: string): readonly string[] | undefined {
  if (isFolder(path)) {
    const folder = join(path, FOLDER)
    return isFolder(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith(EXTENSION))
          .map((name) => join(folder, name))
      : undefined
  }
  return isJournalName(path) ? [path] : undefined
}

/** By its name alone: the file may be gone. */
export const isJournalName = (path: string): boolean => /\.db(?:\.broken-[^/\\]*)?$/.test(path)

/** Of whom a recording is, it says itself: nobody is to believe that it was compared. */
export function refuseAgent(command: 'check' | 'repair', agent: string | undefined): void {
  if (agent !== undefined) throw new CornermanError('USAGE', `logs ${command}: --agent is for a journal: leave it out`)
}
