import { expect, test } from 'vitest'
import { readLogs } from '../../src/backtest/index.ts'
import { MODES } from '../../src/contract/modes.ts'
import { holdsZero, intervalOf, paidMore, playHouse } from '../support/backtest/houseGame.ts'
import { importedMinutes } from '../support/backtest/minuteLog.ts'
import '../support/lowPriority.ts'

// A bot that does what its opponents do comes out even, in every mode. `bench/house.ts` plays ten times as many contests.

const CONTESTS = 1500
/** Fixed, so that each run proves the same. */
const SEEDS = [101, 102]
/** Of the stake: 99.5 % of 1,500 even games lie within 7. */
const PLANTED = 0.15

const data = readLogs([importedMinutes()])

test.each(MODES)('%s: the house against itself is an even game, less the rake', async (mode) => {
  const shares = await playHouse({ data, mode, seeds: SEEDS, contests: CONTESTS })
  const even = intervalOf(shares)
  expect(shares).toHaveLength(CONTESTS)
  expect(even.margin).toBeLessThan(0.08)
  expect(holdsZero(even), `${even.mean} ± ${even.margin}`).toBe(true)
  const paid = intervalOf(shares.map((share) => paidMore(share, PLANTED)))
  expect(holdsZero(paid), `${paid.mean} ± ${paid.margin}`).toBe(false)
})
