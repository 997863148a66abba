import { type Command, Option } from 'commander'
import type { LogLine } from '../../../recording/index.ts'
import { logPath } from '../../output.ts'
import type { ShowOptions } from '../../runs/logs/show.ts'
import { wholeFrom } from '../../whole.ts'

const KINDS = ['header', 'mints', 'prices', 'input', 'output', 'contest'] as const satisfies readonly LogLine['kind'][]

export function addShow(logs: Command): void {
  logs
    .command('show')
    .description('the first lines of a log')
    .argument('<path>', "a recording's folder, or one segment", logPath)
    .option('--limit <n>', 'how many', wholeFrom(1), 20)
    .addOption(new Option('--kind <kind>', 'lines of this kind alone').choices(KINDS))
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- logs show .cornerman/recordings/alice --kind output --limit 5')
    .action(async (path: string, options: ShowOptions) => {
      const { show } = await import('../../runs/logs/show.ts')
      show(path, options)
    })
}
