import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A line of a host's log. */
export interface HostLine {
  readonly level: string
  readonly bot?: string
  readonly msg: string
}

/** A command of this installation in a process of its own. */
export class HostProcess {
  readonly #child: ChildProcess
  readonly exited: Promise<number | null>
  /** What went wrong, for a person. */
  readonly #words: string[] = []

  /** @param onLine of its log, which is JSON where nobody looks at it */
  constructor(args: readonly string[], env: Readonly<Record<string, string>>, onLine: (line: HostLine) => void = () => {}) {
    const [, main = ''] = process.argv
    this.#child = spawn(process.execPath, [...process.execArgv, main, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.exited = once(this.#child, 'close').then(([code]) => code as number | null)
    if (this.#child.stderr === null) return
    createInterface({ input: this.#child.stderr }).on('line', (text) => {
      this.#words.push(text)
      if (!text.startsWith('{')) return
      try {
        onLine(JSON.parse(text) as HostLine)
      } catch {
        // A line that was cut off as it was killed.
      }
    })
  }

  /** The first line that it prints. */
  async firstLine(): Promise<string> {
    const { stdout } = this.#child
    if (stdout !== null) for await (const line of createInterface({ input: stdout })) return line
    throw new Error(this.words)
  }

  /** Its last words. */
  get words(): string {
    return this.#words.slice(-5).join('\n')
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal)
    return await this.exited
  }
}
