import { AsyncLocalStorage } from 'node:async_hooks'

// Finds the code that left an error to nobody: in a timer, or in a promise that it does not await. Both run in the context they were made in.

/** Takes an error that nobody caught, for the code that caused it. */
export type Blamed = (thrown: unknown) => void

const running = new AsyncLocalStorage<Blamed | undefined>()
let isAsked = false

/** From here on errors are traced back. Backtests and replays, which nobody asks, do without its cost. */
export function traceErrors(): void {
  isAsked = true
}

/** Runs code to which errors that it leaves behind are traced back. */
export const blaming = <T>(blamed: Blamed | undefined, run: () => T): T =>
  isAsked && blamed !== undefined ? running.run(blamed, run) : run()

/** Runs code that is called by traced code, and not part of it. */
export const unblamed = <T>(run: () => T): T => (isAsked ? running.run(undefined, run) : run())

/** The code that runs now, or has left behind the error that is being handled; undefined: nobody is found. */
export const blamedNow = (): Blamed | undefined => running.getStore()
