import { expect, test } from 'vitest'
import { config, expectBooksToAgree, expectRecordingsToReplay, hasPlayed, watched } from './support/fleetBooks.ts'
import { startVirtualFleet } from './support/virtualFleet.ts'

// The smaller case of bot.system.test.ts: one life, and the first contests of a few modes.

test('the bots of bots.config.ts play, reveal all they owe, and agree with the service on the money', async () => {
  await using world = await startVirtualFleet({ config })
  const isSo = hasPlayed(world, ['up_down', 'price_prediction', 'draft_basket'], 1)
  await world.until(watched(world, isSo), 'every bot has settled three modes')
  await world.drained()
  for (const { actions, reveals } of world.reports()) {
    expect(actions.failed).toBe(0)
    expect(reveals.due).toBeGreaterThan(0)
  }
  await expectBooksToAgree(world)
  await expectRecordingsToReplay(world, 1)
})
