import { type Command, InvalidArgumentError } from 'commander'
import { amountLike } from '../amount.ts'
import { durationMs } from '../duration.ts'
import type { SandboxRunOptions } from '../runs/sandbox.ts'
import { portNumber, whole } from '../whole.ts'

const amount = amountLike('1000, 2.50')

export function sandboxCommand(program: Command): void {
  program
    .command('sandbox')
    .description('run the embedded contest service alone')
    .option('--port <n>', '0 takes any free port', portNumber, 0)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--seed <n>', 'decides prices between recorded minutes, opponents and matching', whole, 7)
    .option('--db <file>', 'where everything is kept; :memory: keeps nothing', ':memory:')
    .option('--agents <names>', 'names of the agents, separated by commas', names, ['agent'])
    .option('--balance <usdc>', 'what a new agent starts with (default 1000)', amount)
    .option('--max-stake <usdc>', 'the largest stake (default 50)', amount)
    .option('--daily-loss-cap <usdc>', 'the most an agent may lose in a UTC day (default 200)', amount)
    .option('--rake-bps <n>', "the service's share of a pot, in basis points (default 500)", whole)
    .option('--match-delay <duration>', 'the longest a ticket waits for its opponent (default 3s)', durationMs)
    .option('--prices <file>', 'a price CSV instead of the one that comes with the project')
    .option('--faults <json>', 'faults to cause, as docs/sandbox.md lists them')
    .option('--read-limit <n>', 'reads a minute for each agent (default 300)', whole)
    .option('--calls <file>', 'append a line of JSON to this file for every call: time, agent, procedure')
    .option('--webhook <name=url>', "an agent's webhook endpoint; may be given again for another agent", endpoint)
    .option('--loopback-webhooks', 'let webhook URLs be on loopback, where http will do')
    .option('--json', 'print one line of JSON when ready')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- sandbox --port 8787 --agents alice,bob --json')
    .action(async (options: SandboxRunOptions) => {
      const { runSandbox } = await import('../runs/sandbox.ts')
      process.exitCode = await runSandbox(options)
    })
}

/** One more `NAME=URL`; of two for the same agent the last counts. */
function endpoint(text: string, earlier: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [name = '', ...url] = text.split('=')
  if (name === '' || url.length === 0) throw new InvalidArgumentError('it must be NAME=URL, such as alice=https://bots.example.com/hook')
  return { ...earlier, [name]: url.join('=') }
}

function names(text: string): string[] {
  return text.split(',').map((name) => name.trim())
}
