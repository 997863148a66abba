import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import botsConfig from '../../bots.config.ts'
import { MODES, type Mode } from '../../src/contract/enums.ts'
import { readConfig } from '../../src/strategy/config.ts'
import { expectIdentical, textOf } from './replaying.ts'
import type { VirtualFleet } from './virtualFleet.ts'

// What must hold of the bots that come with the project, whatever they went through.

export const config = readConfig(botsConfig, 'bots.config.ts')
/** The same bots, which go on in a mode whose contests they lose: on a line that loses moves some do. */
export const tirelessConfig = {
  ...config,
  bots: config.bots.map((bot) => ({ ...bot, guard: { ...bot.guard, unplayed: { hindered: 1000, late: 1000, abstained: 1000 } } })),
}
export const hasPlayed = (world: VirtualFleet, modes: readonly Mode[], least: number) => () =>
  world.reports().every(({ byMode }) => modes.every((mode) => (byMode[mode]?.settled ?? 0) >= least))
export const hasPlayedAll = (world: VirtualFleet, least: number) => hasPlayed(world, MODES, least)

/** Looks at every bot as the service sees it, at every step on the way: none may hold more than its guard allows. */
export const watched = (world: VirtualFleet, isSo: () => boolean) => () => {
  for (const { name, guard } of config.bots) expect(world.heldOf(name).open, name).toBeLessThanOrEqual(guard.maxOpenContests)
  return isSo()
}

export async function expectBooksToAgree(world: VirtualFleet): Promise<void> {
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
export async function expectRecordingsToReplay(world: VirtualFleet, runs: number, { bots } = config): Promise<void> {
  for (const { name, recording = '' } of world.fleet.bots) {
    expect((await expectIdentical(recording, ...bots)).runs).toBe(runs)
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
