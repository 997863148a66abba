import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface CornermanRun {
  readonly child: ChildProcess
  /** What it printed so far. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Its log lines, for a run whose stderr is not a terminal. */
  readonly logs: () => LogLine[]
  /** Resolves with the exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>
  /** Resolves with the first log line that passes; rejects when the process ends without one. */
  logged(test: (line: LogLine) => boolean): Promise<LogLine>
}

export interface LogLine {
  readonly level: string
  readonly time: string
  readonly msg: string
  readonly bot?: string
  readonly code?: string
}

/**
 * Starts the command line as a user does, in a process of its own.
 *
 * @param options.main instead of the command line's own file
 */
export function runCornerman(
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string; main?: string } = {},
): CornermanRun {
  const { env = {}, cwd = ROOT, main = `${ROOT}/src/cli/cornerman.js` } = options
  return runOf(spawn(process.execPath, [main, ...args], { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] }))
}

/** `npm start`, as somebody types it who wants nothing but the result on stdout. */
export const runNpmStart = (args: readonly string[]): CornermanRun =>
  runOf(spawn('npm', ['--silent', 'start', '--', ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] }))

function runOf(child: ChildProcessByStdio<null, Readable, Readable>): CornermanRun {
  let stdout = ''
  let stderr = ''
  const watchers = new Set<() => void>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    for (const watch of watchers) watch()
  })
  const exited = once(child, 'close').then(([code]) => code as number | null)
  const logs = () =>
    stderr
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as LogLine)
  const logged = (test: (line: LogLine) => boolean) =>
    new Promise<LogLine>((resolve, reject) => {
      const watch = () => {
        const found = logs().find(test)
        if (found === undefined) return
        watchers.delete(watch)
        resolve(found)
      }
      watchers.add(watch)
      watch()
      void exited.then((code) => reject(new Error(`ended with ${code} before it was logged:\n${stderr}`)))
    })
  return { child, stdout: () => stdout, stderr: () => stderr, logs, exited, logged }
}

/** The one JSON document a command printed. */
export function jsonOf<T>(run: CornermanRun): T {
  return JSON.parse(run.stdout()) as T
}
