import { Console } from 'node:console'
import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { CornermanError } from '../core/error.ts'
import { backtestCommand } from './commands/backtest.ts'
import { callCommand } from './commands/call.ts'
import { doctorCommand } from './commands/doctor.ts'
import { fleetCommand } from './commands/fleet.ts'
import { initCommand } from './commands/init.ts'
import { logsCommand } from './commands/logs/index.ts'
import { lookaheadCommand } from './commands/lookahead.ts'
import { modesCommand } from './commands/modes.ts'
import { newStrategyCommand } from './commands/newStrategy.ts'
import { optimizeCommand } from './commands/optimize.ts'
import { orderCommand } from './commands/order.ts'
import { probeCommand } from './commands/probe.ts'
import { replayCommand } from './commands/replay.ts'
import { sandboxCommand } from './commands/sandbox.ts'
import { scoutCommand } from './commands/scout.ts'
import { startCommand } from './commands/start.ts'
import { stopCommand } from './commands/stop.ts'
import { strategiesCommand } from './commands/strategies.ts'
import { workerCommand } from './commands/worker.ts'
import { workersCommand } from './commands/workers.ts'
import { loadEnvFile } from './envFile.ts'
import { complain, EXIT, exitCodeOf, expectClosedPipes } from './exit.ts'
import { refuseMissingValues } from './missingValues.ts'
import { oweDocument, printFailure } from './owed.ts'
import { keepPrivate } from './privacy.ts'
import { softwareVersions } from './software.ts'
import { expectForeignEnds, leave, leaveSoon, toItsEnd } from './unfinished.ts'

/** Commands that write journals, keys or recordings: the owner's alone. The others write what may be for others, too. */
const OF_DATA: ReadonlySet<string> = new Set([
  'start',
  'sandbox',
  'call',
  'doctor',
  'stop',
  'modes',
  'probe',
  'scout',
  'check',
  'repair',
  'optimize',
  'promote',
  'worker',
])

// Each command's file says what it takes; what it does is loaded once it is asked for, so that a kill switch need not wait for a sandbox.
const program = new Command('cornerman')
  .description('bots that play staked trading contests')
  .version(softwareVersions().cornerman, '--version', 'print the version')
  // A command's options are its own: what its subcommands call alike is theirs.
  .enablePositionalOptions()
  .showHelpAfterError('(--help shows what is allowed)')
  .exitOverride((error) => {
    if (error.exitCode !== 0) printFailure({ code: 'USAGE', message: error.message })
    leave(error.exitCode === 0 ? EXIT.done : EXIT.usage)
  })

for (const add of [
  startCommand,
  stopCommand,
  orderCommand,
  modesCommand,
  sandboxCommand,
  callCommand,
  doctorCommand,
  probeCommand,
  scoutCommand,
  logsCommand,
  backtestCommand,
  replayCommand,
  lookaheadCommand,
  optimizeCommand,
  workerCommand,
  workersCommand,
  fleetCommand,
  initCommand,
  newStrategyCommand,
  strategiesCommand,
])
  add(program)
refuseMissingValues(program)
program.hook('preAction', (_, command) => {
  if (OF_DATA.has(command.name())) keepPrivate()
})

if (process.argv[2] === 'start' && process.argv.includes('--json'))
  oweDocument((error) => ({ bots: [], uptimeMs: Math.round(performance.now()), recordings: [], shapes: null, error }))
expectForeignEnds()
expectClosedPipes(process.stdout)
// There is nowhere left to say that the log cannot be written; the result still can.
process.stderr.on('error', () => {})
// What a config or a strategy prints is no part of a result, which programs read.
globalThis.console = new Console(process.stderr)
try {
  if (existsSync('.env')) loadEnvFile('.env', process.env)
  await toItsEnd(
    () => program.parseAsync(),
    () =>
      new CornermanError(
        'ENDED_EARLY',
        'it was ended before it was done: a strategy or a config calls process.exit, or waits for what never comes',
      ),
  )
} catch (thrown) {
  complain(thrown)
  process.exitCode = exitCodeOf(thrown)
}
leaveSoon()
