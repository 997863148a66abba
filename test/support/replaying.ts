import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { expect } from 'vitest'
import { type Replay, replayLog } from '../../src/backtest/index.ts'
import type { Clock } from '../../src/core/clock.ts'
import { systemClock } from '../../src/core/systemClock.ts'
import type { BotConfig } from '../../src/strategy/config.ts'

export const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'replay-'))

/** The service of tests, and the embedded sandbox, lose answers that take longer. */
const TIMEOUT_MS = 5000

/**
 * Real time, of which a strategy is given a hundredth.
 *
 * @param waited gets the milliseconds of each wait that was in vain, as they would have been
 */
export const hastyClock = (waited: number[] = []): Clock => ({
  now: systemClock.now,
  at(atMs, task) {
    const ms = atMs - systemClock.now()
    return systemClock.at(systemClock.now() + ms / 100, () => {
      waited.push(ms)
      task()
    })
  },
})

/** For strategies that never answer: nobody waits for them for long. */
export async function replayedInHaste(
  log: string,
  ...bots: readonly BotConfig[]
): Promise<Replay & { readonly waited: readonly number[] }> {
  const waited: number[] = []
  const replay = await replayLog({ log, bots, paths: {}, timeoutMs: TIMEOUT_MS, clock: hastyClock(waited) })
  return { ...replay, waited }
}

export async function replayed(log: string, ...bots: readonly BotConfig[]): Promise<Replay> {
  return await replayLog({ log, bots, paths: {}, timeoutMs: TIMEOUT_MS, clock: systemClock })
}

/** Every decision of the recording comes out as it was, and there are some. */
export async function expectIdentical(log: string, ...bots: readonly BotConfig[]): Promise<Replay> {
  const replay = await replayed(log, ...bots)
  const { bot, decisions, matched, diverged, divergences } = replay
  expect(decisions, bot).toBeGreaterThan(0)
  expect({ bot, diverged, divergences, matched }).toEqual({ bot, diverged: [], divergences: 0, matched: decisions })
  return replay
}

/** All that is written in the segments of a recording. */
export function textOf(recording: string): string {
  return readdirSync(recording)
    .filter((name) => name.includes('.ndjson'))
    .toSorted()
    .map((name) => {
      const bytes = readFileSync(join(recording, name))
      return (name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString()
    })
    .join('')
}
