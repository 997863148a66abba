import '../support/lowPriority.ts'
import { expect, test } from 'vitest'
import { playedRunText } from '../support/longRun/playedRun.ts'
import { playVirtually, untilSettled } from '../support/longRun/virtualRun.ts'
import { inLong } from '../support/suite/long.ts'

// The default config plays as long as `npm run test:long` has it play in real time: no stake of it may be lost for want of a move.
// Half of that in each run, and all with `LONG_TESTS=yes`.

const CONTESTS = Number(process.env.LONG_CONTESTS ?? inLong(1000))

test('the default config moves in each of its contests', async () => {
  const run = await playVirtually((world) => untilSettled(world, CONTESTS))
  console.log(playedRunText(run))
  expect(run.settled).toBeGreaterThanOrEqual(CONTESTS)
  expect(run.lost).toEqual([])
  expect(run.wronglySaid).toEqual([])
})
