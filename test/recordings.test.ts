import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { replayLog } from '../src/backtest/index.ts'
import { systemClock } from '../src/core/systemClock.ts'
import { setupOf, TIMEOUT_MS } from './support/botSimulation/scenario.ts'
import { textOf } from './support/replaying.ts'

// What was decided before is decided again: recordings of an earlier version (`test/data/recordings/README.md`).

const root = fileURLToPath(new URL('./data/recordings', import.meta.url))
const recordings = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: seed }) => readdirSync(join(root, seed)).map((name) => `${seed}/${name}`))

describe('recordings of an earlier version', () => {
  const modes = new Set<string>()
  const replayed: number[] = []

  test.each(recordings)('%s replays to the same decisions', async (recording) => {
    const [, seed, name = ''] = /^seed-(\d+)\/(.+)$/.exec(recording) ?? []
    const setup = setupOf(Number(seed), name)
    if (setup === undefined) throw new Error('the simulation has no such bot any more')
    const log = join(root, recording)
    const { decisions, matched, diverged, damage, partial } = await replayLog({
      ...{ log, bots: [setup.config], paths: {}, timeoutMs: TIMEOUT_MS, clock: systemClock },
    })
    expect({ diverged, damage, matched }).toEqual({ diverged: [], damage: [], matched: decisions })
    expect(partial.runs).toBe(0)
    replayed.push(decisions)
    for (const [, mode = ''] of textOf(log).matchAll(/"mode":"(\w+)"/g)) modes.add(mode)
  })

  test('they are twelve, of all nine modes, and have decided much', () => {
    expect(replayed).toHaveLength(12)
    expect(modes.size).toBe(9)
    expect(Math.min(...replayed)).toBeGreaterThan(30)
  })
})
