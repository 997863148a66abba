import { invariant } from '../../../core/error.ts'

/** Closes what was opened, in the reverse order: what was opened later stands on what was opened before it. */
export class Closers {
  readonly #closers: (() => void | Promise<void>)[] = []
  #isClosed = false

  add(close: () => void | Promise<void>): void {
    invariant(!this.#isClosed, 'opened after all was closed')
    this.#closers.push(close)
  }

  /** Closes everything, whatever fails. @returns what was thrown, in its order */
  async close(): Promise<readonly unknown[]> {
    this.#isClosed = true
    const failures: unknown[] = []
    for (const close of this.#closers.splice(0).toReversed()) {
      try {
        await close()
      } catch (thrown) {
        failures.push(thrown)
      }
    }
    return failures
  }
}
