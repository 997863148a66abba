import { existsSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { isJournalName } from '../../journals.ts'
import { folderPath, logPath } from '../../output.ts'
import type { RepairOptions } from '../../runs/logs/repair.ts'

export function addRepair(logs: Command): void {
  logs
    .command('repair')
    .description(
      'repair a log or a journal, and say what was dropped: of a log a copy is written; a journal is replaced, and its original kept beside it',
    )
    .argument('<path>', "a recording's folder, or one segment; a bot's journal (.db)", repairable)
    .option('--out <dir>', 'for a recording: the folder of the copy, empty or not there yet', folderPath)
    .option('--agent <id>', 'for a journal: the agent that it must belong to')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  npm run cornerman -- logs repair .cornerman/recordings/alice --out alice-repaired
  npm run cornerman -- logs repair .cornerman/bots/alice.db

A journal's original is kept as alice.db.broken-<time>, with its -wal. docs/journal.md says what is saved, and what that means.`,
    )
    .action(async (path: string, options: RepairOptions) => {
      const { repair } = await import('../../runs/logs/repair.ts')
      process.exitCode = repair(path, options)
    })
}

/** A repair that was cut off may have left the journal's own name free. */
function repairable(path: string): string {
  if (!isJournalName(path)) return logPath(path)
  if (path.endsWith('.db')) return existsSync(`${path}.repaired`) ? path : logPath(path)
  throw new InvalidArgumentError('it is the original of a repair: copy it to a name that ends in .db, and repair that')
}
