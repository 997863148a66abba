import { CornermanError, messageOf } from '../core/error.ts'
import { complain, EXIT, exitCodeOf } from './exit.ts'

/** How long what is still open after a command may take to close. */
const CLOSING_MS = 2000

/** What is being done, outermost first: what to say where the program ends in the middle of it. */
const underWay: (() => CornermanError)[] = []
/** Who is told of errors that nobody caught; undefined: they end the program. */
let hearer: ((thrown: unknown) => void) | undefined

/** Does something in which code that is not ours may end the program, or leave it nothing to wait for: then the failure is what it ends with. */
export async function toItsEnd<T>(work: () => Promise<T>, failure: () => CornermanError): Promise<T> {
  underWay.push(failure)
  try {
    return await work()
  } finally {
    underWay.pop()
  }
}

/** Ends the program because we want it to. */
export function leave(exitCode: number): never {
  underWay.length = 0
  process.exit(exitCode)
}

/** A command is done: what a strategy or a config has left running does not keep the program alive. */
export function leaveSoon(): void {
  const end = () => {
    process.stderr.write('cornerman: what a strategy or a config has left running is ended\n')
    leave(Number(process.exitCode ?? EXIT.done))
  }
  // Whoever reads the result may be slow.
  setTimeout(() => process.stdout.write('', end), CLOSING_MS).unref()
}

/** Tells of errors that nobody caught, which then do not end the program. Returns what ends that. */
export function hearUncaught(told: (thrown: unknown) => void): () => void {
  hearer = told
  return () => {
    hearer = undefined
  }
}

/** From here on the program does not end in silence where code that is not ours ends it, or throws where nobody catches it. */
export function expectForeignEnds(): void {
  process.on('exit', () => {
    const failure = underWay.at(-1)?.()
    if (failure === undefined) return
    complain(failure)
    process.exitCode = exitCodeOf(failure)
  })
  process.on('unhandledRejection', onUncaught)
  process.on('uncaughtException', onUncaught)
}

function onUncaught(thrown: unknown): void {
  if (hearer !== undefined) {
    hearer(thrown)
    return
  }
  const message = `an error that nobody caught: ${messageOf(thrown)}: a strategy or a config leaves it in a callback, or in a promise that it does not await`
  complain(new CornermanError('ERROR_UNCAUGHT', message))
  if (thrown instanceof Error) process.stderr.write(`${thrown.stack}\n`)
  leave(EXIT.failed)
}
