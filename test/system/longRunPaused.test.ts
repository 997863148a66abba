import '../support/lowPriority.ts'
import { expect, test } from 'vitest'
import { expectPausesTold, PAUSE_MS, type Pause } from '../support/longRun/pausing.ts'
import { playedRunText } from '../support/longRun/playedRun.ts'
import { playVirtually, untilSettled } from '../support/longRun/virtualRun.ts'
import { inLong } from '../support/suite/long.ts'

// The default config in a process that does nothing for 16 s again and again, while its sandbox goes on.

const CONTESTS = Number(process.env.LONG_CONTESTS ?? inLong(400, 200))
const PAUSES = inLong(10, 5)

test(`the default config, paused ${PAUSES} times, says of each lost stake that a pause lost it, and closes no mode`, async () => {
  const pauses: Pause[] = []
  const run = await playVirtually(async (world) => {
    for (let count = 1; count <= PAUSES; count += 1) {
      await untilSettled(world, Math.round((CONTESTS * count) / (PAUSES + 1)))
      const from = world.clock.now()
      pauses.push({ from, until: from + PAUSE_MS })
      world.pause(PAUSE_MS)
    }
    await untilSettled(world, CONTESTS)
  })
  console.log(playedRunText(run))
  expectPausesTold(run, pauses)
  // Four contests of each bot at a time: sixteen seconds cost some of them their move.
  expect(run.lost.length).toBeGreaterThan(0)
})
