import { CornermanError, messageOf } from '../core/error.ts'
import { complain, EXIT, exitCodeOf } from './exit.ts'

/** What is being done, outermost first: what to say where the program ends in the middle of it. */
const underWay: (() => CornermanError)[] = []

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

/** From here on the program does not end in silence where code that is not ours ends it, or throws where nobody catches it. */
export function expectForeignEnds(): void {
  process.on('exit', (exitCode) => {
    const failure = exitCode === EXIT.interrupted ? undefined : underWay.at(-1)?.()
    if (failure === undefined) return
    complain(failure)
    process.exitCode = exitCodeOf(failure)
  })
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (thrown: unknown) => {
      // A start listens too, and has money to look after.
      if (process.listenerCount(event) > 1) return
      const message = `an error that nobody caught: ${messageOf(thrown)}: a strategy or a config leaves it in a callback, or in a promise that it does not await`
      complain(new CornermanError('ERROR_UNCAUGHT', message))
      if (thrown instanceof Error) process.stderr.write(`${thrown.stack}\n`)
      leave(EXIT.failed)
    })
  }
}
