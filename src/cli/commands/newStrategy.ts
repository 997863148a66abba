import { type Command, Option } from 'commander'
import { folderPath, print } from '../output.ts'
import { writesForOthers } from '../privacy.ts'
import type { TemplateKind } from '../runs/newStrategy.ts'

const KINDS = ['queue', 'draft', 'predict', 'trade', 'custom'] as const satisfies readonly TemplateKind[]

interface NewStrategyOptions {
  readonly kind: TemplateKind
  readonly dir: string
  readonly json?: boolean
}

export function newStrategyCommand(program: Command): void {
  writesForOthers(program.command('new-strategy'))
    .description('write a strategy that plays, with its test, to start from')
    .argument('<name>', 'in kebab or camel case: my-edge, myEdge')
    .addOption(new Option(`--kind <${KINDS.join('|')}>`, 'what it decides').choices(KINDS).makeOptionMandatory())
    .option('--dir <folder>', 'where strategies are', folderPath, 'strategies')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
  queue     which contests to enter
  draft     which token to pick when it is the bot's turn
  predict   a price, or a side
  trade     swaps in a live contest
  custom    all of it: observables in, actions out

Example:
  npm run cornerman -- new-strategy my-edge --kind trade`,
    )
    .action(async (name: string, { kind, dir, json }: NewStrategyOptions) => {
      const { newStrategy, nextSteps } = await import('../runs/newStrategy.ts')
      const made = newStrategy(name, kind, dir)
      print(json, made, nextSteps(made))
    })
}
