import { type Command, InvalidArgumentError } from 'commander'
import { messageOf } from '../../core/error.ts'
import { type Usdc, usdc } from '../../core/usdc.ts'
import { startSandbox } from '../../sandbox/index.ts'
import { durationMs } from '../duration.ts'
import { EXIT } from '../exit.ts'
import { createLog } from '../log.ts'

interface SandboxCommandOptions {
  readonly port: number
  readonly host: string
  readonly seed: number
  readonly db: string
  readonly agents: readonly string[]
  readonly balance?: Usdc
  readonly maxStake?: Usdc
  readonly dailyLossCap?: Usdc
  readonly rakeBps?: number
  readonly matchDelay?: number
  readonly prices?: string
  readonly readLimit?: number
  readonly json?: boolean
}

export function sandboxCommand(program: Command): void {
  program
    .command('sandbox')
    .description('run the embedded contest service alone')
    .option('--port <n>', '0 takes any free port', whole, 0)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--seed <n>', 'decides prices between recorded minutes, opponents and matching', whole, 7)
    .option('--db <file>', 'where everything is kept; :memory: keeps nothing', ':memory:')
    .option('--agents <names>', 'the agents to have, separated by commas', names, ['agent'])
    .option('--balance <usdc>', 'what a new agent starts with (default 1000)', amount)
    .option('--max-stake <usdc>', 'the largest stake (default 50)', amount)
    .option('--daily-loss-cap <usdc>', 'the most an agent may lose in a UTC day (default 200)', amount)
    .option('--rake-bps <n>', "the service's share of a pot, in basis points (default 500)", whole)
    .option('--match-delay <duration>', 'the longest a ticket waits for its opponent (default 3s)', durationMs)
    .option('--prices <file>', 'a price CSV instead of the one that comes with the project')
    .option('--read-limit <n>', 'reads a minute a key (default 300)', whole)
    .option('--json', 'print one line of JSON when ready')
    .addHelpText('after', '\nExample:\n  npm run cornerman -- sandbox --port 8787 --agents alice,bob --json')
    .action(async (options: SandboxCommandOptions) => {
      process.exitCode = await runSandbox(options)
    })
}

async function runSandbox(options: SandboxCommandOptions): Promise<number> {
  const log = createLog({ pretty: process.stderr.isTTY === true })
  const { db, matchDelay, prices, json, ...rest } = options
  const sandbox = await startSandbox({
    ...rest,
    dbFile: db,
    matchDelayMs: matchDelay,
    pricesFile: prices,
    onFault: (fault) => log.error({ err: fault }, `the sandbox failed: ${messageOf(fault)}`),
  })
  const { url, agents } = sandbox
  if (json === true) process.stdout.write(`${JSON.stringify({ url, agents })}\n`)
  else {
    process.stdout.write(`the sandbox answers at ${url}\n`)
    for (const { name, key, agentId } of agents) process.stdout.write(`  ${name}: agent ${agentId}, key ${key} (shown once)\n`)
  }
  const { promise, resolve } = Promise.withResolvers<number>()
  process.once('SIGINT', () => resolve(EXIT.done))
  process.once('SIGTERM', () => resolve(EXIT.done))
  const code = await promise
  await sandbox.close()
  return code
}

function whole(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('it must be a whole number')
  return Number(text)
}

function amount(text: string): Usdc {
  try {
    return usdc(text)
  } catch (thrown) {
    throw new InvalidArgumentError(messageOf(thrown))
  }
}

function names(text: string): string[] {
  return text.split(',').map((name) => name.trim())
}
