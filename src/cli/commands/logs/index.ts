import type { Command } from 'commander'
import { addCheck } from './check.ts'
import { addDemo } from './demo.ts'
import { addExport } from './export.ts'
import { addGather } from './gather.ts'
import { addImport } from './import.ts'
import { addList } from './list.ts'
import { addRepair } from './repair.ts'
import { addShow } from './show.ts'

export function logsCommand(program: Command): void {
  const logs = program
    .command('logs')
    .description('list, show, check, repair, import, export and gather recorded logs')
    .addHelpText(
      'after',
      '\nExample:\n  npm run cornerman -- logs check .cornerman/recordings/alice\n\nThe format is described in docs/log-format.md.',
    )
  for (const add of [addList, addShow, addCheck, addRepair, addImport, addDemo, addExport, addGather]) add(logs)
}
