import type { Command } from 'commander'
import { print } from '../output.ts'
import { writesForOthers } from '../privacy.ts'

interface InitOptions {
  readonly json?: boolean
}

export function initCommand(program: Command): void {
  writesForOthers(program.command('init'))
    .description('make a folder of your own: a config, strategies with their tests, and this framework packed beside them')
    .argument('<folder>', 'one that is not there yet, or is empty')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- init ../my-bots')
    .action(async (folder: string, { json }: InitOptions) => {
      const { init, nextSteps } = await import('../runs/init/init.ts')
      const made = await init(folder)
      print(json, made, nextSteps(made))
    })
}
