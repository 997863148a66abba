import { join } from 'node:path'
import { journalFile } from '../../journals.ts'

/** The copy of a bot's journal in a data directory of a host. */
export const copyFile = (dataDir: string, bot: string): string => join(dataDir, 'fleet', `${bot}.db`)

/** What the journal is called that a bot had before the fleet took it over. */
export const adoptedFile = (dataDir: string, bot: string): string => `${journalFile(dataDir, bot)}.adopted`
