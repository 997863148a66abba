import { closeSync, openSync, writeSync } from 'node:fs'
import { CornermanError, messageOf } from '../../core/error.ts'

/** One call of an agent, as it came in: before anything is refused, and before any fault. */
export interface LoggedCall {
  /** Unix milliseconds, by the sandbox's clock. */
  readonly at: number
  readonly agentId: string
  readonly procedure: string
}

/** Keeps a line of JSON for every call, in a file that outlives the sandbox however it ends. */
export class CallLog {
  readonly #descriptor: number

  /**
   * @param file lines are added to it
   * @throws CornermanError `SANDBOX_OPTION`
   */
  constructor(file: string) {
    try {
      this.#descriptor = openSync(file, 'a')
    } catch (cause) {
      throw new CornermanError('SANDBOX_OPTION', `calls cannot be written to ${file} (${messageOf(cause)}): name a file that can`, {
        cause,
      })
    }
  }

  write(call: LoggedCall): void {
    writeSync(this.#descriptor, `${JSON.stringify(call)}\n`)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
