import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import botsConfig from '../bots.config.ts'
import { MODES } from '../src/contract/enums.ts'
import { readConfig } from '../src/strategy/config.ts'
import { type FaultyProxy, startFaultyProxy } from './support/faultyProxy.ts'
import { expectIdentical, textOf } from './support/replaying.ts'
import { startVirtualFleet, type VirtualFleet } from './support/virtualFleet.ts'

// The bots that come with the project, wired as `start` wires them, against a sandbox over HTTP on one virtual clock.

const config = readConfig(botsConfig, 'bots.config.ts')
/** Nine modes take a few minutes of the virtual clock's, and a machine that is busy with other tests takes its time over them. */
const LIMIT_MS = 180_000

const hasPlayedAll = (world: VirtualFleet, least: number) => () =>
  world.reports().every(({ byMode }) => MODES.every((mode) => (byMode[mode]?.settled ?? 0) >= least))

/** Looks at every bot as the service sees it, at every step on the way: none may hold more than its guard allows. */
const watched = (world: VirtualFleet, isSo: () => boolean) => () => {
  for (const { name, guard } of config.bots) expect(world.heldOf(name).open, name).toBeLessThanOrEqual(guard.maxOpenContests)
  return isSo()
}

async function expectBooksToAgree(world: VirtualFleet): Promise<void> {
  for (const { name, profit, contests, reveals, actions, failure } of world.reports()) {
    expect(failure).toBeUndefined()
    expect(actions.unknown).toBe(0)
    const history = await world.historyOf(name)
    expect({ name, profit: profit === null ? null : BigInt(profit), settled: contests.settled }).toEqual({ name, ...history })
    expect(reveals.done).toBe(reveals.due)
    expect(world.heldOf(name)).toEqual({ open: 0, unrevealed: [] })
  }
}

/** What was recorded comes out of a replay as it was, and holds nothing that is to stay a secret. */
async function expectRecordingsToReplay(world: VirtualFleet, runs: number): Promise<void> {
  for (const { name, recording = '' } of world.fleet.bots) {
    expect((await expectIdentical(recording, ...config.bots)).runs).toBe(runs)
    const text = textOf(recording)
    const salts = saltsOf(name, world.dataDir)
    expect(salts.length).toBeGreaterThan(0)
    for (const secret of [...salts, ...world.keys.values()]) expect(text).not.toContain(secret)
  }
}

/** From the bot's journal, which has to keep them. */
function saltsOf(name: string, dataDir: string): string[] {
  using journal = new DatabaseSync(join(dataDir, 'bots', `${name}.db`), { readOnly: true })
  return journal
    .prepare('SELECT salt FROM custody')
    .all()
    .map(({ salt }) => String(salt))
}

describe('the bots of bots.config.ts', () => {
  test(
    'play every mode to settlement, reveal all they owe, and agree with the service on the money',
    async () => {
      await using world = await startVirtualFleet({ config })
      await world.until(watched(world, hasPlayedAll(world, 1)), 'every bot has settled every mode')
      await world.drained()
      for (const { actions, reveals } of world.reports()) {
        expect(actions.failed).toBe(0)
        expect(reveals.due).toBeGreaterThan(0)
      }
      await expectBooksToAgree(world)
      await expectRecordingsToReplay(world, 1)
    },
    LIMIT_MS,
  )

  test(
    'stopped at any moment and started again, they lose no stake, no salt and no count',
    async () => {
      await using world = await startVirtualFleet({ config })
      for (let life = 1; life <= 6; life++) {
        const until = world.clock.now() + 7000
        await world.until(
          watched(world, () => world.clock.now() >= until),
          'seven seconds have passed',
        )
        await world.restart()
      }
      // Seven starts within a minute use up its reads: a bot may sleep through a commitment, and has a salt with the next one.
      const hasRevealed = () => world.reports().every(({ reveals }) => (reveals.done ?? 0) > 0)
      const hasPlayed = hasPlayedAll(world, 1)
      await world.until(
        watched(world, () => hasPlayed() && hasRevealed()),
        'every bot has settled every mode and revealed a prediction',
      )
      await world.drained()
      for (const { actions } of world.reports()) expect(actions.failed).toBe(0)
      await expectBooksToAgree(world)
      await expectRecordingsToReplay(world, 7)
    },
    LIMIT_MS,
  )

  test(
    'over a line that loses requests and answers they stake nothing twice and reveal what they owe',
    async () => {
      let proxy: FaultyProxy | undefined
      await using world = await startVirtualFleet({
        config,
        async between(url) {
          proxy = await startFaultyProxy(url)
          return proxy
        },
      })
      await world.until(watched(world, hasPlayedAll(world, 2)), 'every bot has settled every mode twice')
      await world.drained()
      expect(proxy?.lost.before).toBeGreaterThan(5)
      expect(proxy?.lost.after).toBeGreaterThan(5)
      await expectBooksToAgree(world)
      await expectRecordingsToReplay(world, 1)
    },
    LIMIT_MS,
  )
})
