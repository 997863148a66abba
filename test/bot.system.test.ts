import { describe, expect, test } from 'vitest'
import { type FaultyProxy, startFaultyProxy } from './support/faultyProxy.ts'
import { config, expectBooksToAgree, expectRecordingsToReplay, hasPlayedAll, tirelessConfig, watched } from './support/fleetBooks.ts'
import { startVirtualFleet } from './support/virtualFleet.ts'

// The bots that come with the project, wired as `start` wires them, against a sandbox over HTTP on one virtual clock.

describe('the bots of bots.config.ts', () => {
  test('play every mode to settlement, reveal all they owe, and agree with the service on the money', async () => {
    await using world = await startVirtualFleet({ config })
    await world.until(watched(world, hasPlayedAll(world, 1)), 'every bot has settled every mode')
    await world.drained()
    for (const { actions, reveals } of world.reports()) {
      expect(actions.failed).toBe(0)
      expect(reveals.due).toBeGreaterThan(0)
    }
    await expectBooksToAgree(world)
    await expectRecordingsToReplay(world, 1)
  })

  test('stopped at any moment and started again, they lose no stake, no salt and no count', async () => {
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
  })

  test('over a line that loses requests and answers they stake nothing twice and reveal what they owe', async () => {
    let proxy: FaultyProxy | undefined
    await using world = await startVirtualFleet({
      config: tirelessConfig,
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
    await expectRecordingsToReplay(world, 1, tirelessConfig)
  })
})
