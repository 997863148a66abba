import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { thrownBy } from '../../test/support/thrownBy.ts'
import type { LogData } from '../backtest/index.ts'
import { DAY_MS } from '../core/day.ts'
import type { CornermanError } from '../core/error.ts'
import type { CompiledPrices } from '../recording/tables.ts'
import { openLedger } from './ledger/ledger.ts'
import { type EnteredContest, sealEnd, splitOf } from './split.ts'

const folder = mkdtempSync(join(tmpdir(), 'split-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let dirs = 0
const newLedger = () => openLedger({ dataDir: join(folder, String(dirs++)), clock: { now: () => 0 } })

const HOUR_MS = 3_600_000
const START = Date.UTC(2026, 0, 1)

/** A contest an hour, which takes ten minutes and is entered a minute before. */
const hourly = (hours: number, from = START): EnteredContest[] =>
  Array.from({ length: hours }, (_, hour) => {
    const enteredAt = from + hour * HOUR_MS
    return { enteredAt, startsAt: enteredAt + 50_000, endedAt: enteredAt + 650_000, durationSec: 600 }
  })
const spanOf = (hours: number, from = START, realm = 'sandbox') => ({ realm, from, to: from + hours * HOUR_MS })
const fresh = (hours: number, contests = hourly(hours)) => ({
  ...{ spans: [spanOf(hours)], contests, holdOut: 0.4, seal: undefined, spentUntil: undefined },
})

describe('splitOf', () => {
  test('seals the last two fifths of the entries, and keeps a gap of the longest contest before them', () => {
    const { train, sealed, tailMs } = splitOf(fresh(300))
    expect(sealed).toEqual({ from: START + 180 * HOUR_MS, to: START + 300 * HOUR_MS, contests: 120 })
    expect(tailMs).toBe(660_000)
    expect(train).toEqual({ from: START, until: sealed.from - 660_000, contests: 180 })
  })

  test('goes by entries and not by hours: a bot that played more at the end has a later boundary', () => {
    const often = Array.from({ length: 6 }, (_, sixth) => hourly(200, START + (100 + sixth / 6) * HOUR_MS)).flat()
    const contests = [...hourly(100), ...often]
    expect(splitOf(fresh(300, contests)).sealed).toMatchObject({ contests: 520 })
  })

  test('makes the gap as long as any contest took, and leaves out what was cancelled', () => {
    const [first, ...others] = hourly(300)
    const long = { ...first, enteredAt: START, startsAt: START, endedAt: START + 5 * HOUR_MS, durationSec: 600 }
    const cancelled = { ...long, startsAt: null, endedAt: START + 99 * HOUR_MS }
    const { train, sealed, tailMs } = splitOf(fresh(300, [long, cancelled, ...others]))
    expect(tailMs).toBe(5 * HOUR_MS)
    expect(sealed.from - train.until).toBe(5 * HOUR_MS)
    expect(train.contests).toBe(175)
  })

  test('takes 225 contests, and says of one fewer how many days are missing', () => {
    expect(splitOf(fresh(225)).sealed.contests).toBe(90)
    const error = thrownBy<CornermanError>(() => splitOf(fresh(200)))
    expect(error).toMatchObject({ code: 'LOG_TOO_SHORT', details: { sealed: 80, missing: 25 } })
    expect(error?.details.days).toBeCloseTo((25 * HOUR_MS) / DAY_MS, 1)
    expect(error?.message).toContain('about 1 day more')
    expect(thrownBy<CornermanError>(() => splitOf(fresh(224)))?.code).toBe('LOG_TOO_SHORT')
    expect(thrownBy<CornermanError>(() => splitOf(fresh(300, [])))?.message).toContain('a longer log is needed')
  })

  test('keeps the boundary that there is, however much was recorded since', () => {
    const seal = {
      spans: [spanOf(120, START + 180 * HOUR_MS)],
      from: START + 180 * HOUR_MS,
      trainUntil: START + 170 * HOUR_MS,
      incumbent: 'old',
      looks: 1,
    }
    for (const hours of [300, 1000]) {
      const { train, sealed } = splitOf({ ...fresh(hours), seal })
      expect(sealed).toEqual({ from: seal.from, to: START + hours * HOUR_MS, contests: hours - 180 })
      expect(train.until).toBe(seal.trainUntil)
    }
    // Longer contests than those of the bot that it was sealed with.
    expect(splitOf({ ...fresh(300), seal: { ...seal, trainUntil: seal.from } }).train.until).toBe(seal.from - 660_000)
    expect(thrownBy<CornermanError>(() => splitOf({ ...fresh(250), seal }))?.details).toMatchObject({ sealed: 70, missing: 20 })
    const inside = { ...fresh(200, hourly(200, seal.from)), spans: [spanOf(200, seal.from)], seal }
    expect(thrownBy<CornermanError>(() => splitOf(inside))?.message).toContain('no contest is left to search on')
  })

  test('begins a new seal behind one that is spent', () => {
    const spentUntil = START + 300 * HOUR_MS
    expect(thrownBy<CornermanError>(() => splitOf({ ...fresh(380), spentUntil }))?.details).toMatchObject({ sealed: 79, missing: 11 })
    const { train, sealed } = splitOf({ ...fresh(400), spentUntil })
    expect(sealed).toMatchObject({ from: spentUntil + 1, contests: 99 })
    expect(train.contests).toBe(300)
    // By then two fifths are fewer contests than those behind it.
    expect(splitOf({ ...fresh(1000), spentUntil }).sealed.from).toBe(START + 600 * HOUR_MS)
  })
})

/** Prices of three tokens once an hour, which depend on the hour alone. */
function pricesOf(hours: number, from = START, drift = 0): CompiledPrices {
  const at = Float64Array.from({ length: hours }, (_, hour) => from + hour * HOUR_MS)
  const ticks = Int32Array.from({ length: hours }, (_, hour) => hour + 1)
  const mints = ['a', 'b', 'c']
  return {
    ...{ mints, tickCount: hours, at, known: at },
    of: (mint) => ({
      ticks,
      values: new Float64Array(hours),
      text: (row) => String(100 + mints.indexOf(mint) + (row % 97) / 97 + drift * row),
    }),
  }
}
const dataOf = (hours: number, from = START, drift = 0): Pick<LogData, 'spans' | 'prices'> => ({
  spans: [spanOf(hours, from)],
  prices: pricesOf(hours, from, drift),
})

describe('sealEnd', () => {
  const options = { holdOut: 0.4, incumbent: 'old' }

  test('seals the end of the logs, and finds the same seal again', () => {
    const ledger = newLedger()
    const split = sealEnd({ ...options, data: dataOf(300), contests: hourly(300), ledger })
    const boundary = START + 180 * HOUR_MS
    expect(split).toMatchObject({
      sealed: { from: boundary },
      seal: { from: boundary, trainUntil: split.train.until, incumbent: 'old', looks: 0 },
      warnings: [],
    })
    expect(sealEnd({ ...options, incumbent: 'new', holdOut: 0.2, data: dataOf(300), contests: hourly(300), ledger })).toEqual(split)
    expect(ledger.seals()).toHaveLength(1)
  })

  test('extends it by what was recorded since, from the same boundary on', () => {
    const ledger = newLedger()
    const first = sealEnd({ ...options, data: dataOf(300), contests: hourly(300), ledger })
    const later = sealEnd({ ...options, data: dataOf(900), contests: hourly(900), ledger })
    expect(later.sealed).toEqual({ from: first.sealed.from, to: START + 900 * HOUR_MS, contests: 720 })
    expect(later.warnings).toEqual([])
    expect(ledger.sealOf([spanOf(1, START + 800 * HOUR_MS)])).toMatchObject({ from: first.sealed.from })
  })

  test('warns where the sealed prices were sealed before at another time, and where they were not it does not', () => {
    const ledger = newLedger()
    sealEnd({ ...options, data: dataOf(300), contests: hourly(300), ledger })
    const [again, other] = [START + 5000 * HOUR_MS, START + 9000 * HOUR_MS]
    const repeated = sealEnd({ ...options, data: dataOf(300, again), contests: hourly(300, again), ledger })
    expect(repeated.warnings.map(({ code }) => code)).toEqual(['SAME_PRICES'])
    const fine = sealEnd({ ...options, data: dataOf(300, other, 0.001), contests: hourly(300, other), ledger })
    expect(fine.warnings).toEqual([])
  })

  test('seals nothing where the logs are too short', () => {
    const ledger = newLedger()
    expect(thrownBy<CornermanError>(() => sealEnd({ ...options, data: dataOf(100), contests: hourly(100), ledger }))?.code).toBe(
      'LOG_TOO_SHORT',
    )
    expect(ledger.seals()).toEqual([])
  })
})
