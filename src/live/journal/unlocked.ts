import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

// Journals as they lie there, for whoever must neither hold nor change them.

/** Whether something is in the log beside a journal, and so not in its file. */
export const hasLog = (file: string): boolean => (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0

/** Opens a journal without a log, read-only and as immutable: without locks, and without a log of its own beside it. */
export function openUnlocked(file: string): DatabaseSync {
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}
