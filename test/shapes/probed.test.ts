import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MODES } from '../../src/contract/modes.ts'
import { lackingIn, needsOf, type Shapes } from '../../src/contract/shapes/shapes.ts'
import { usdc } from '../../src/core/usdc.ts'
import { readExchanges } from '../../src/probe/exchange.ts'
import { config } from '../support/fleetBooks.ts'
import { casesOf } from '../support/suite/cases.ts'
import { inLong } from '../support/suite/long.ts'
import { misreadBy } from './misread.ts'
import { shapeOf } from './shape.ts'
import { startShapedFleet } from './shapedFleet.ts'

// A bot whose config lets a probe cost something, at services of twenty shapes and on a virtual clock: what the probe finds, and what comes of it.

const [alice] = config.bots
if (alice === undefined) throw new Error('the config has no bot')
const DEPARTURES = [0.15, 0.35, 0.6, 1] as const
/** `SHAPE_SEEDS=41-80` plays others, of which each says what it came to; `LONG_TESTS=yes` all forty. */
const [FIRST = 1, LAST = 40] = (process.env.SHAPE_SEEDS ?? `1-${inLong(40)}`).split('-').map(Number)
const isAsked = process.env.SHAPE_SEEDS !== undefined
const seeds = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index)
const cases = (isAsked ? seeds : casesOf(seeds, (seed) => seed === 2)).map((seed) => ({
  seed,
  departure: DEPARTURES[seed % DEPARTURES.length] ?? 1,
}))
/** A mode that can be played is entered twice in it. */
const PLAY_MS = 90_000

describe('after a probe', () => {
  let [pairs, moved, needed, found] = [0, 0, 0, 0]

  test.each(cases)('of shape $seed at $departure nothing is lost in silence, and nothing is read as what it is not', async ({
    seed,
    departure,
  }) => {
    const shape = shapeOf(seed, { departure })
    await using world = await startShapedFleet({ bots: [alice], shape, probeMost: usdc('40') })
    await world.until(() => world.fleet.bots.every(({ phase }) => phase === 'running'), 'it plays', 90_000)
    const from = world.clock.now()
    await world.until(() => world.clock.now() >= from + PLAY_MS, 'its time is up')
    await world.drained()
    const shapes = world.fleet.bots[0]?.shapes ?? { version: 1 }
    const [recording = ''] = readdirSync(join(world.dataDir, 'probes')).filter((name) => /^\d{8}T/.test(name))
    const exchanges = readExchanges(join(world.dataDir, 'probes', recording))
    const [audit] = await world.audited()
    const contests = audit?.contests ?? []

    const lacking = lackingIn(shapes)
    for (const mode of MODES.filter((mode) => alice.guard.modes.includes(mode))) {
      const played = contests.filter((contest) => contest.mode === mode && contest.enteredAt >= from).slice(0, 2)
      // What its policies did not enter in the time shows nothing, where they might have.
      if (played.length === 0 && !lacking.has(mode)) continue
      pairs += 1
      if (!lacking.has(mode) && played.some(({ hasMoved }) => hasMoved)) moved += 1
      needed += needsOf(mode).length
      found += needsOf(mode).length - (lacking.get(mode)?.length ?? 0)
    }
    if (isAsked)
      console.log(
        JSON.stringify({
          seed,
          departure,
          lacking: Object.fromEntries(lacking),
          contests: contests.map(
            ({ mode, hasMoved, enteredAt }) => `${enteredAt < from ? 'probe ' : ''}${mode}${hasMoved ? '' : ' unmoved'}`,
          ),
        }),
      )

    expect(misreadBy(shapes, shape.truth as Shapes, exchanges)).toEqual([])
    const silent = contests.filter(({ hasMoved, isSaid }) => !hasMoved && !isSaid)
    const heard = world.lines().filter((line) => silent.some(({ contestId }) => JSON.stringify(line).includes(contestId)))
    expect(silent, `of them was said: ${JSON.stringify(heard)}`).toEqual([])
    const again = contests.filter(({ mode, enteredAt }) => enteredAt >= from && lacking.has(mode as 'pnl_usd'))
    expect(again, 'no mode is entered that cannot be read').toEqual([])
  })

  test('most modes are open, and are played', () => {
    console.log(JSON.stringify({ pairs, moved, needed, found }))
    expect(moved / pairs).toBeGreaterThanOrEqual(0.8)
  })
})
