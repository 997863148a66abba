import { expect, test } from 'vitest'
import { expectPausesTold, type Pause, pauseProcess } from '../support/longRun/pausing.ts'
import { playedRunText } from '../support/longRun/playedRun.ts'
import { playForReal } from '../support/longRun/realRun.ts'

// A real process that is stopped twice for 16 s while it plays.

test('npm start, paused twice, says of each lost stake that a pause lost it, and closes no mode', async () => {
  let pauses: readonly Pause[] = []
  const run = await playForReal(['--for', '120s'], async (dataDir, signal) => {
    pauses = await pauseProcess({ dataDir, signal, times: 2, everyMs: 35_000 })
  })
  console.log(playedRunText(run))
  expect(pauses).toHaveLength(2)
  expect(run.closed).toEqual([])
  expectPausesTold(run, pauses)
})
