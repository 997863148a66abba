import { join } from 'node:path'
import { type JournalAccount, journalAt } from '../../../src/cli/runs/fleet/demo/effects.ts'

/** What a bot says it did. */
export const journalOf = (dataDir: string, bot: string): JournalAccount => journalAt(join(dataDir, 'bots', `${bot}.db`))
