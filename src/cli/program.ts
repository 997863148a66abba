import { Command, type CommanderError } from 'commander'
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
import { refuseMissingValues } from './missingValues.ts'
import { keepPrivate } from './privacy.ts'
import { softwareVersions } from './software.ts'

/**
 * Makes the command line. Each command's file says what it takes; what it does is loaded once it is asked for, so that a
 * kill switch need not wait for a sandbox.
 *
 * @param onExit ends the process after a help, a version or a mistake of usage; by default an error is thrown
 */
export function cornermanProgram(onExit?: (error: CommanderError) => void): Command {
  const program = new Command('cornerman')
    .description('bots that play staked trading contests')
    .version(softwareVersions().cornerman, '--version', 'print the version')
    // A command's options are its own: what its subcommands call alike is theirs.
    .enablePositionalOptions()
    .showHelpAfterError('(--help shows what is allowed)')
    .exitOverride(onExit)
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
  return program.hook('preAction', (_, command) => keepPrivate(command))
}
