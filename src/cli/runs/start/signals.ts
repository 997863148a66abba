import { EXIT } from '../../exit.ts'
import { endSignals } from '../../hangup.ts'
import { leave } from '../../unfinished.ts'

export type Signal = ReturnType<typeof endSignals>[number]

/** npm passes a Ctrl-C on that the terminal has sent already: two that close are one. */
const SAME_SIGNAL_MS = 700
/** What has not opened by then hangs. */
const OPENING_MS = 10_000

/**
 * What a run is told by signals, from its beginning on. While it is being opened, the first is kept until somebody listens: what is open
 * by then is closed in order. The second ends the process, and so does the first where nothing opens for ten seconds: nothing is at stake yet.
 */
export class Signals {
  #listener: ((signal: Signal) => void) | undefined
  #kept: Signal | undefined
  #hanging: NodeJS.Timeout | undefined
  #lastAt = Number.NEGATIVE_INFINITY

  readonly #signals: readonly Signal[]

  constructor(signals = endSignals()) {
    this.#signals = signals
    for (const signal of signals) process.on(signal, this.#hear)
  }

  listen(listener: (signal: Signal) => void): void {
    this.#listener = listener
    clearTimeout(this.#hanging)
    if (this.#kept !== undefined) listener(this.#kept)
    this.#kept = undefined
  }

  /** From now on a signal ends the process, as it does any other. */
  close(): void {
    clearTimeout(this.#hanging)
    for (const signal of this.#signals) process.off(signal, this.#hear)
  }

  readonly #hear = (signal: NodeJS.Signals): void => {
    const heard = signal as Signal
    const now = performance.now()
    if (heard !== 'SIGHUP' && now - this.#lastAt < SAME_SIGNAL_MS) return
    if (heard !== 'SIGHUP') this.#lastAt = now
    if (this.#listener !== undefined) this.#listener(heard)
    else if (this.#kept === undefined) {
      this.#kept = heard
      this.#hanging = setTimeout(() => leave(EXIT.interrupted), OPENING_MS)
    } else leave(EXIT.interrupted)
  }
}
