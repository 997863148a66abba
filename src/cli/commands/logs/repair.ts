import { existsSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { CornermanError } from '../../../core/error.ts'
import { repairJournal } from '../../../live/index.ts'
import { repairLog } from '../../../recording/index.ts'
import { EXIT } from '../../exit.ts'
import { isJournalName, refuseAgent } from '../../journals.ts'
import { folderPath, logPath, print } from '../../output.ts'

interface RepairOptions {
  readonly out?: string
  readonly agent?: string
  readonly json?: boolean
}

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
    .action((path: string, { out, agent, json }: RepairOptions) => {
      if (!isJournalName(path)) refuseAgent('repair', agent)
      process.exitCode = isJournalName(path) ? repairOfJournal(path, { out, agent, json }) : repairOfLog(path, { out, json })
    })
}

/** A repair that was cut off may have left the journal's own name free. */
function repairable(path: string): string {
  if (!isJournalName(path)) return logPath(path)
  if (path.endsWith('.db')) return existsSync(`${path}.repaired`) ? path : logPath(path)
  throw new InvalidArgumentError('it is the original of a repair: copy it to a name that ends in .db, and repair that')
}

function repairOfLog(path: string, { out, json }: { out: string | undefined; json: boolean | undefined }): number {
  if (out === undefined) throw new CornermanError('USAGE', 'logs repair: a recording is copied: name the folder of the copy with --out')
  const { kept, mendings } = repairLog(path, out)
  const said = mendings.map(({ file, line, last, code, done }) => {
    const place = last === undefined ? `line ${line}` : `lines ${line} to ${last}`
    return `${file}${line === 0 ? '' : `, ${place}`}: ${code}: ${done}`
  })
  print(json, { kept, mendings }, [...said, `${out}: ${kept} lines kept`])
  return kept > 0 ? EXIT.done : EXIT.failed
}

function repairOfJournal(
  path: string,
  { out, agent, json }: Record<'out' | 'agent', string | undefined> & { json: boolean | undefined },
): number {
  if (out !== undefined) throw new CornermanError('USAGE', 'logs repair: a journal is repaired in its place: it takes no --out')
  const { original, mendings, left } = repairJournal(path, agent)
  const said = mendings.map(({ table, row, what, done }) => {
    const place = [table, row].filter((part) => part !== '').join(', ')
    return `${path}${place === '' ? '' : `, ${place}`}: ${what}: ${done}`
  })
  const end =
    original === undefined ? `${path}: nothing is wrong, and nothing was changed` : `${path} is made anew; the original is ${original}`
  print(json, { original: original ?? null, mendings, left }, [...said, ...left.map(({ message }) => `left: ${message}`), end])
  return EXIT.done
}
