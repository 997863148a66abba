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

/** A first swap was refused after ten seconds. It waits while its contest is live now. */
const FIRST_SWAP_WAITS = {
  recorded: [{ type: 'refused', code: 'SWAP_UNRESOLVED', action: expect.objectContaining({ type: 'swap' }) }],
  replayed: [],
}
/** A pick without an answer was lost with its turn. It is made again now, once the service shows that it was not taken. */
const PICKS_AGAIN = {
  recorded: [],
  replayed: [{ type: 'outcome', key: expect.stringContaining('picker'), status: 'notTaken' }],
}
/** The first decision that is another one now, by recording. What follows from it differs, too. */
const DECIDED_OTHERWISE: Readonly<Record<string, typeof FIRST_SWAP_WAITS | typeof PICKS_AGAIN>> = {
  'seed-12/bot-0-0': PICKS_AGAIN,
  'seed-125/bot-0-3': FIRST_SWAP_WAITS,
  'seed-26/bot-1-2': FIRST_SWAP_WAITS,
  'seed-83/bot-0-0': FIRST_SWAP_WAITS,
}

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
    expect([damage, partial.runs]).toEqual([[], 0])
    const otherwise = DECIDED_OTHERWISE[recording]
    if (otherwise === undefined) expect({ diverged, matched }).toEqual({ diverged: [], matched: decisions })
    else expect(diverged[0]).toMatchObject(otherwise)
    replayed.push(decisions)
    for (const [, mode = ''] of textOf(log).matchAll(/"mode":"(\w+)"/g)) modes.add(mode)
  })

  test('they are twelve, of all nine modes, and have decided much', () => {
    expect(replayed).toHaveLength(12)
    expect(modes.size).toBe(9)
    expect(Math.min(...replayed)).toBeGreaterThan(30)
  })
})
