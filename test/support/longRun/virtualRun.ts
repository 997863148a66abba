import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { config } from '../fleetBooks.ts'
import { startVirtualFleet, type VirtualFleet } from '../virtualFleet.ts'
import { type PlayedRun, playedRunOf, type RunLine } from './playedRun.ts'

// The default config on its sandbox, as `npm start` puts the two together, on a virtual clock.

const HOUR_MS = 3_600_000

interface VirtualRun extends PlayedRun {
  readonly lines: readonly RunLine[]
}

const settledIn = (world: VirtualFleet): number => world.reports().reduce((sum, { contests }) => sum + (contests.settled ?? 0), 0)

/**
 * Plays as `play` has it, then drains.
 *
 * @param play lets time pass in the world
 */
export async function playVirtually(play: (world: VirtualFleet) => Promise<void>): Promise<VirtualRun> {
  const folder = mkdtempSync(join(tmpdir(), 'virtual-run-'))
  const file = join(folder, 'sandbox.db')
  try {
    const { agents, lines, playedMs } = await played(file, play)
    return { ...playedRunOf({ file, agents, lines, playedMs }), lines }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function played(dbFile: string, play: (world: VirtualFleet) => Promise<void>) {
  const { service } = config
  if (service.kind !== 'sandbox') throw new Error('the default config has a service of its own')
  const { kind: _, prices: pricesFile, ...options } = service
  // As src/cli/service.ts opens it.
  await using world = await startVirtualFleet({ config, sandbox: { ...options, pricesFile, dbFile, faults: { tables: true, hops: true } } })
  const from = world.clock.now()
  await play(world)
  const playedMs = world.clock.now() - from
  await world.drained()
  return { agents: world.sandbox.agents, lines: world.log.map((line) => JSON.parse(line) as RunLine), playedMs }
}

/** Lets the bots play until so many contests are settled. */
export const untilSettled = (world: VirtualFleet, contests: number): Promise<void> =>
  world.until(() => settledIn(world) >= contests, `${contests} contests are settled`, 3 * HOUR_MS)
