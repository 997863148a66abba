import { isatty } from 'node:tty'

// A window that closes sends SIGHUP to all that was started in it. nohup asks for it to be ignored; Node undoes that at its start, and
// nothing says afterwards that it was asked. A terminal on one of the three streams tells the two apart: nohup leaves none.

type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** Read once, at the start: after a terminal is closed, `isatty` is false. */
const startedOnTerminal = [0, 1, 2].some((fd) => isatty(fd))
const IGNORED = `a window was closed (SIGHUP): this command goes on, since it was started without a terminal. To end it: kill ${process.pid}`

let lastAt = Number.NEGATIVE_INFINITY
let isSaid = false
let say = (message: string): void => void process.stderr.write(`cornerman: ${message}\n`)

/** The signals that end a command. */
export const endSignals = (onTerminal = startedOnTerminal): readonly EndSignal[] =>
  onTerminal ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM']

/** From here on a SIGHUP is said once and ignored, where no terminal was attached at the start. */
export function outliveHangups(): void {
  if (startedOnTerminal) return
  process.on('SIGHUP', () => {
    lastAt = performance.now()
    if (isSaid) return
    isSaid = true
    say(IGNORED)
  })
}

/** Sends the note of an ignored SIGHUP to the log. Before this call the note goes to stderr. */
export function sayHangupsTo(log: { info(message: string): void }): void {
  say = (message) => log.info(message)
}

/** True if a SIGHUP was ignored in the last `ms` milliseconds. */
export const hungUpWithin = (ms: number): boolean => performance.now() - lastAt <= ms
