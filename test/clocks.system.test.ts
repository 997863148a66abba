import { describe, expect, test } from 'vitest'
import { usdc } from '../src/core/usdc.ts'
import ladder from '../strategies/ladder.ts'
import { config as both } from './support/fleetBooks.ts'
import { type Lie, startLyingService } from './support/lyingService.ts'
import { shiftedBy } from './support/shiftedTimes.ts'
import { startVirtualFleet } from './support/virtualFleet.ts'

// A bot on a service whose times are off this machine's, with a `Date` header that is off alike, is right, or is missing.

const PLAYED_MS = 120_000
const OFFSETS_SEC = [-600, -60, -2, -0.4, 0, 0.4, 2, 60, 600]
/** Refusals of the guard and of strategies do not count as losses by the clock. */
const config = {
  ...both,
  bots: both.bots.slice(0, 1).map((bot) => ({ ...bot, guard: { ...bot.guard, maxSwapsPerMinute: 1000, maxSwapsPerContest: 1000 } })),
}

type Played = { readonly header: 'shifted' | 'right' | 'missing'; readonly offsetSec: number }

/** Two minutes of play, by the lines of the log. */
async function play(config: typeof both, lie: Lie) {
  await using world = await startVirtualFleet({ config, between: (url) => startLyingService(url, lie) })
  const until = world.clock.now() + PLAYED_MS
  await world.until(() => world.clock.now() >= until, 'two minutes have passed')
  await world.drained()
  expect(world.heldOf('alice')).toEqual({ open: 0, unrevealed: [] })
  return {
    settled: world.reports()[0]?.contests.settled ?? 0,
    lost: world.log.filter((line) => line.includes('UNPLAYED') && !line.includes('"hindrance":"abstained"')),
    twoClocks: world.log.filter((line) => line.includes('the service names two times')).length,
  }
}

/** Said once where the clocks lie more than two seconds apart. */
const linesOf = ({ header, offsetSec }: Played): number => (header === 'right' && Math.abs(offsetSec) > 2 ? 1 : 0)

describe.each(['shifted', 'right', 'missing'] as const)('times of a service whose Date header is %s', (header) => {
  test.each(OFFSETS_SEC)('and which are %d s off this machine lose no contest', async (offsetSec) => {
    const { settled, lost, twoClocks } = await play(config, shiftedBy(offsetSec * 1000, header))
    expect(settled).toBeGreaterThan(10)
    expect({ lost, twoClocks }).toEqual({ lost: [], twoClocks: linesOf({ header, offsetSec }) })
  })
})

describe('a bot that enters one contest at a time, where only events have dates, loses none', () => {
  const careful = {
    ...config,
    bots: config.bots.map((bot) => ({
      ...bot,
      strategies: [ladder({ stake: usdc('2'), durationSec: 18, atOnce: 1 }), ...bot.strategies.slice(1)],
      guard: { ...bot.guard, maxOpenContests: 1 },
    })),
  }

  test.each([-600, -60, 60, 600])('at times %d s off', async (offsetSec) => {
    const lie = shiftedBy(offsetSec * 1000, 'right')
    const { settled, lost } = await play(careful, (answer, call) => {
      const { text = '', ...lied } = lie(answer, call) as { text?: string }
      return { ...lied, text: answer.procedure === 'agent.events' ? text : text.replace(/"createdAt":"[^"]*",?/g, '') }
    })
    expect(settled).toBeGreaterThan(3)
    expect(lost).toEqual([])
  })
})
