import { Console } from 'node:console'
import { existsSync } from 'node:fs'
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { CornermanError } from '../core/error.ts'
import { loadEnvFile } from './envFile.ts'
import { complain, EXIT, exitCodeOf, expectClosedPipes } from './exit.ts'
import { oweDocument, printFailure } from './owed.ts'
import { cornermanProgram } from './program.ts'
import { expectForeignEnds, leave, leaveSoon, toItsEnd } from './unfinished.ts'

/** An address further away than this is given up for the next one of its name, in milliseconds; by Node's default after 250. */
const FAR_MS = 2500

const program = cornermanProgram((error) => {
  if (error.exitCode !== 0) printFailure({ code: 'USAGE', message: error.message })
  leave(error.exitCode === 0 ? EXIT.done : EXIT.usage)
})

if (process.argv[2] === 'start' && process.argv.includes('--json'))
  oweDocument((error) => ({ bots: [], uptimeMs: Math.round(performance.now()), recordings: [], shapes: null, error }))
expectForeignEnds()
// Clients of other packages (the database's, a strategy's) take the default of the process.
setDefaultAutoSelectFamilyAttemptTimeout(FAR_MS)
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
