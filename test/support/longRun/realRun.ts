import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runningSandbox } from '../../../src/cli/service.ts'
import { jsonOf, runNpmStart } from '../runCornerman.ts'
import { startReport } from '../startReport.ts'
import { type PlayedRun, playedRunOf, type RunLine } from './playedRun.ts'

// `npm start` in real time, and what it came to.

export interface RealRun extends PlayedRun {
  readonly lines: readonly RunLine[]
  /** Modes that a bot has closed, as `BOT: MODE`. */
  readonly closed: readonly string[]
}

/**
 * Runs `npm start` to its end on a data directory of its own.
 *
 * @param args how long it plays: `--for` or `--contests`
 * @param disturb what is done to the process meanwhile; ends by itself once `signal` is aborted
 * @throws Error with the log, where it does not end with 0
 */
export async function playForReal(
  args: readonly string[],
  disturb: (dataDir: string, signal: AbortSignal) => Promise<void> = () => Promise.resolve(),
): Promise<RealRun> {
  const dataDir = mkdtempSync(join(tmpdir(), 'real-run-'))
  const run = runNpmStart([...args, '--json', '--port', '0', '--data-dir', dataDir])
  const ending = new AbortController()
  try {
    const disturbing = disturb(dataDir, ending.signal)
    const code = await run.exited
    ending.abort()
    await disturbing
    if (code !== 0) throw new Error(`npm start ended with ${code}:\n${run.stderr().slice(-5000)}`)
    const { bots, uptimeMs } = startReport.parse(jsonOf(run))
    const lines = run.logs() as readonly RunLine[]
    const played = playedRunOf({ file: join(dataDir, 'sandbox.db'), agents: bots, lines, playedMs: uptimeMs })
    const closed = bots.flatMap(({ name, modes }) =>
      Object.entries(modes).flatMap(([mode, { state }]) => (state === 'closed' ? `${name}: ${mode}` : [])),
    )
    return { ...played, lines, closed }
  } finally {
    ending.abort()
    // What npm has started outlives it.
    const pid = runningSandbox(dataDir)?.pid
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
    run.child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
}
