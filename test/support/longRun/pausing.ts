import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { runningSandbox } from '../../../src/cli/service.ts'
import type { PlayedRun, RunLine } from './playedRun.ts'

// Pauses of the process of the bots, as a laptop that sleeps or a host that takes its machine's time away makes them.

/** Longer than a bot of the default config may take for any move. */
export const PAUSE_MS = 16_000

/** Unix milliseconds. */
export interface Pause {
  readonly from: number
  readonly until: number
}

interface Pausing {
  readonly dataDir: string
  readonly times: number
  /** Milliseconds between two pauses. */
  readonly everyMs: number
  readonly signal: AbortSignal
}

/** Stops the process that plays on a data directory (SIGSTOP) and lets it go on (SIGCONT), until it ends or that was often enough. */
export async function pauseProcess({ dataDir, times, everyMs, signal }: Pausing): Promise<readonly Pause[]> {
  const pauses: Pause[] = []
  while (pauses.length < times) {
    await delay(everyMs, undefined, { signal }).catch(() => {})
    const pid = runningSandbox(dataDir)?.pid
    if (signal.aborted || pid === undefined) break
    const from = Date.now()
    process.kill(pid, 'SIGSTOP')
    await delay(PAUSE_MS)
    process.kill(pid, 'SIGCONT')
    pauses.push({ from, until: Date.now() })
  }
  return pauses
}

/** Looks at the log: each pause is told, what was lost was lost by one and says so, and no mode is closed for it. */
export function expectPausesTold(run: PlayedRun & { readonly lines: readonly RunLine[] }, pauses: readonly Pause[]): void {
  const linesWith = (code: string) => run.lines.filter((line) => line.code === code)
  expect(linesWith('PAUSED').length).toBeGreaterThanOrEqual(pauses.length)
  expect(run.lost.filter(({ reason }) => reason !== 'paused')).toEqual([])
  const meets = ({ from, until }: Pause, lost: PlayedRun['lost'][number]) => lost.enteredAt < until && from < lost.endedAt
  expect(run.lost.filter((lost) => !pauses.some((pause) => meets(pause, lost)))).toEqual([])
  expect(run.wronglySaid).toEqual([])
  expect(linesWith('MODE_CLOSING')).toEqual([])
}
