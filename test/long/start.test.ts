import { expect, test } from 'vitest'
import { expectPausesTold, type Pause, pauseProcess } from '../support/longRun/pausing.ts'
import { playedRunText } from '../support/longRun/playedRun.ts'
import { playForReal } from '../support/longRun/realRun.ts'

// `npm run test:long`: the default config in real time, about 54 minutes for 1,000 contests. `LONG_CONTESTS=60 LONG_PAUSES=2` tries it out.

const CONTESTS = Number(process.env.LONG_CONTESTS ?? 1000)
const PAUSES = Number(process.env.LONG_PAUSES ?? 10)
/** Time between two settlements, while the bots have eight contests at once. */
const CONTEST_MS = 3000

test('npm start moves in each of its contests', async () => {
  const run = await playForReal(['--contests', String(CONTESTS)])
  console.log(playedRunText(run))
  expect(run.settled).toBeGreaterThanOrEqual(CONTESTS)
  expect(run.lost).toEqual([])
  expect(run.wronglySaid).toEqual([])
  expect(run.closed).toEqual([])
})

test('npm start, paused again and again, says of each lost stake that a pause lost it, and closes no mode', async () => {
  let pauses: readonly Pause[] = []
  const run = await playForReal(['--contests', String(CONTESTS)], async (dataDir, signal) => {
    pauses = await pauseProcess({ dataDir, signal, times: PAUSES, everyMs: (CONTESTS * CONTEST_MS) / (PAUSES + 1) })
  })
  console.log(playedRunText(run))
  expect(pauses).toHaveLength(PAUSES)
  expect(run.closed).toEqual([])
  expectPausesTold(run, pauses)
})
