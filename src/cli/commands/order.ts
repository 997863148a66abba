import type { Command } from 'commander'
import { amountLike } from '../amount.ts'
import { folderPath } from '../output.ts'
import type { OrderOptions, SellOptions } from '../runs/order.ts'
import { baseUnits } from '../whole.ts'

export function orderCommand(program: Command): void {
  const order = program.command('order').description('have a bot of a running start do something now, through its guard')
  const common = (command: Command) =>
    command
      .requiredOption('--bot <name>', 'whose it is')
      .option('--data-dir <dir>', 'the data directory of the bots', folderPath, '.cornerman')
      .option('--json', 'print one JSON document')
  common(order.command('leave <contest>'))
    .description('give a seat back while its contest is open')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- order leave 0f1e2d3c-0000-4000-8000-000000000000 --bot alice')
    .action(async (contestId: string, options: OrderOptions) => {
      const { leave } = await import('../runs/order.ts')
      process.exitCode = await leave(contestId, options)
    })
  common(order.command('cancel <ticket>'))
    .description('take a ticket back that waits for a match')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- order cancel 0f1e2d3c-0000-4000-8000-000000000000 --bot alice')
    .action(async (ticketId: string, options: OrderOptions) => {
      const { cancel } = await import('../runs/order.ts')
      process.exitCode = await cancel(ticketId, options)
    })
  common(order.command('acknowledge'))
    .description('account for USDC that the bankroll lacks')
    .argument('<usdc>', 'how much, as the refusal UNEXPLAINED_FALL says', amountLike('12.50'))
    .addHelpText('after', '\nExample:\n  npm run cornerman -- order acknowledge 12.50 --bot alice')
    .action(async (amount: bigint, options: OrderOptions) => {
      const { acknowledge } = await import('../runs/order.ts')
      process.exitCode = await acknowledge(amount, options)
    })
  common(order.command('close-entry <key>'))
    .description('count an entry as lost that the service never ends')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- order close-entry 1042:ladder:0 --bot alice')
    .action(async (key: string, options: OrderOptions) => {
      const { closeEntry } = await import('../runs/order.ts')
      process.exitCode = await closeEntry(key, options)
    })
  common(order.command('sell <mint>'))
    .description('sell for USDC what the swaps of a contest have bought')
    .requiredOption('--contest <id>', 'the contest, live or over')
    .requiredOption('--amount <units>', 'how much, in base units of the token', baseUnits)
    .addHelpText(
      'after',
      '\nExample:\n  npm run cornerman -- order sell So11111111111111111111111111111111111111112 --contest 0f1e2d3c-0000-4000-8000-000000000000 --amount 50000000 --bot alice',
    )
    .action(async (mint: string, options: SellOptions) => {
      const { sell } = await import('../runs/order.ts')
      process.exitCode = await sell(mint, options)
    })
}
