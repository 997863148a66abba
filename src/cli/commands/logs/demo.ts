import type { Command } from 'commander'
import { folderPath } from '../../output.ts'
import type { DemoOptions } from '../../runs/logs/demo.ts'
import { wholeFrom } from '../../whole.ts'

export function addDemo(logs: Command): void {
  logs
    .command('demo')
    .description('make a log of made-up prices with a drift planted in them, to try a search on')
    .requiredOption('--out <dir>', 'the folder of the log: empty, or not there yet', folderPath)
    .option('--days <n>', 'how long it is', wholeFrom(1), 30)
    .option('--seed <n>', 'decides the prices and which contests are offered', wholeFrom(0), 1)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
It is called SYNTHETIC wherever it is shown: what a strategy makes on it says nothing of any market.

Example:
  npm run cornerman -- logs demo --out demo-log`,
    )
    .action(async (options: DemoOptions) => {
      const { demoLog } = await import('../../runs/logs/demo.ts')
      demoLog(options)
    })
}
