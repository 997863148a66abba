import { diskRemedy } from '../core/diskRemedy.ts'
import { CornermanError, messageOf } from '../core/error.ts'
import { printFailure } from './owed.ts'

export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const

/** Mistakes of whoever called: the message names the file, the field and what is allowed. */
const USAGE_CODES = new Set([
  'USAGE',
  'CONTROL_UNREADABLE',
  'CONFIG_MISSING',
  'CONFIG_NOT_LOADED',
  'CONFIG_INVALID',
  'SHAPES_MISSING',
  'SHAPES_INVALID',
  'SHAPES_OF_ANOTHER',
  'PROBE_OVER_CAP',
  'PROBE_UNREADABLE',
  'ENV_FILE',
  'SECRET_MISSING',
  'SECRET_INVALID',
  'AGENT_KEY_SHARED',
  'AGENT_IN_USE',
  'BOT_UNKNOWN',
  'STRATEGY_FILE_MISSING',
  'STRATEGY_NOT_LOADED',
  'STRATEGY_INVALID',
  'STRATEGY_PARAMS_INVALID',
  'INPUT_INVALID',
  'PROCEDURE_UNKNOWN',
  'JOURNAL_IN_USE',
  'JOURNAL_NEWER',
  'JOURNAL_OF_ANOTHER_AGENT',
  'JOURNAL_UNDER_REPAIR',
  'SANDBOX_OPTION',
  'SANDBOX_PORT',
  'SANDBOX_DB_IN_USE',
  'SANDBOX_DB_FOREIGN',
  'SANDBOX_DB_VERSION',
  'SANDBOX_DB_OTHER',
  'SANDBOX_DB_UNREADABLE',
  'SANDBOX_FAULTS',
  'WEBHOOK_URL',
  'WEBHOOK_PORT',
  'WEBHOOK_SECRET',
  'DASHBOARD_PORT',
  'DASHBOARD_TOKEN_MISSING',
  'DASHBOARD_TOKEN_SHORT',
  'PROXY_INVALID',
  'PRICE_FILE_INVALID',
  'PRICES_DOUBTFUL',
  'LOG_LACKS_MINT',
  'TOKENS_DISAGREE',
  'LOG_RANGE_EMPTY',
  'LOG_BOT_UNKNOWN',
  'LOG_NOT_RECORDED',
  'SUMMARY_UNREADABLE',
  'SUMMARY_INVALID',
  'ROWS_INVALID',
  'LOG_OUT_TAKEN',
  'NOTHING_VARIES',
  'SPACE_TOO_LARGE',
  'SWEEP_UNKNOWN',
  'SWEEP_UNFINISHED',
  'SWEEP_CHANGED',
  'SPACE_EMPTY',
  'SCOUT_BUSY',
  'SCOUT_OF_ANOTHER',
  'LOG_NOT_IMPORTED',
  'PRICES_CONTRADICT',
  'JOIN_OTHER_CONTESTS',
  'FLEET_KEY',
  'FLEET_PACKAGES',
  'FLEET_UNFIT',
  'FLEET_NEWER',
  'FLEET_NOT_MENDED',
  'FLEET_NOT_ADOPTED',
  'HOST_UNKNOWN',
  'BOT_IN_FLEET',
  'FLEET_NOT_DURABLE',
  'HOST_NAME_TAKEN',
  'FLEET_OTHER_DATABASE',
  'FLEET_PROGRAMS',
  'LOG_PARTS',
  'BUNDLE_IMPORT',
])

export function exitCodeOf(thrown: unknown): number {
  return thrown instanceof CornermanError && USAGE_CODES.has(thrown.code) ? EXIT.usage : EXIT.failed
}

/** Of bots that stopped: a mistake of the caller's only where each of them is one. */
export function exitCodeOfAll(failures: readonly CornermanError[]): number {
  if (failures.length === 0) return EXIT.done
  return failures.every((failure) => exitCodeOf(failure) === EXIT.usage) ? EXIT.usage : EXIT.failed
}

/** Of a file, the disk or the network: what the system says is all there is to say. */
const isOfSystem = (thrown: unknown): thrown is Error & { readonly code: string } => thrown instanceof Error && 'syscall' in thrown

/** A result that nobody reads on, as of `… | head -1` or of a terminal that was closed, is no failure; one that cannot be written is. */
export function expectClosedPipes(output: NodeJS.WriteStream): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || (output.isTTY && error.code === 'EIO')) return
    complain(error)
    process.on('exit', () => {
      process.exitCode = EXIT.failed
    })
  })
}

/** Says what went wrong, by the code that `docs/errors.md` lists, without a stack for what is not our fault; and prints the document that is owed. */
export function complain(thrown: unknown): void {
  const isOurs = thrown instanceof CornermanError
  const isExplained = isOurs || isOfSystem(thrown)
  const message = isOfSystem(thrown) ? `${messageOf(thrown)}: ${diskRemedy(thrown)}` : messageOf(thrown)
  process.stderr.write(`cornerman: ${message}${isOurs ? ` [${thrown.code}]` : ''}\n`)
  printFailure({ code: isOurs ? thrown.code : isOfSystem(thrown) ? thrown.code : 'FAILED', message })
  if (!isExplained && thrown instanceof Error && thrown.stack !== undefined) process.stderr.write(`${thrown.stack}\n`)
}
