import { describe, expect, test } from 'vitest'
import { contentOf, emptyFolder, linesOf } from '../../../test/support/logFiles.ts'
import { modeOf } from '../../contests/modes/index.ts'
import { isTradingMode, MODES, type Mode } from '../../contract/enums.ts'
import { keyedRandom } from '../../core/random.ts'
import { DEFAULT_PRICE_FILE, ROW_SECONDS, readPriceFile } from '../../sandbox/prices/readPriceFile.ts'
import { checkLog } from '../checkLog.ts'
import { compileLog } from '../compiled/compileLog.ts'
import { GROUND_PERIODS } from '../groundPeriods.ts'
import type { ContestLine } from '../lines.ts'
import { contestOffers } from './contestOffers.ts'
import { importPrices } from './importPrices.ts'

const prices = { ...readPriceFile(DEFAULT_PRICE_FILE), stepMs: ROW_SECONDS * 1000 }
const mints = prices.series.map(({ mint }) => mint)

function imported(seed = 7, contestsPerHour = 6) {
  const log = emptyFolder()
  const report = importPrices({ prices, out: log, seed, contestsPerHour, software: { cornerman: '0', node: '24' } })
  return { log, report, contests: contentOf(log).filter((line) => line.kind === 'contest') }
}
const { log, report, contests } = imported()

describe('importPrices', () => {
  test('a price file comes out of the compiled log as it went in', () => {
    expect(checkLog(log)).toEqual([])
    expect(report.ticks).toBe(6779)
    const compiled = compileLog(log)
    expect(compiled.mints).toEqual(mints)
    expect([compiled.at[0], compiled.at[6778]]).toEqual([prices.recordedFrom, prices.recordedFrom + 6778 * 60_000])
    for (const { mint, closes } of prices.series) {
      const column = compiled.of(mint)
      expect(Array.from(column?.ticks ?? [], (_tick, row) => column?.text(row))).toEqual(closes)
    }
  })

  test('files of other times have other contests, though they are imported with the same seed', () => {
    const idsFrom = (from: number) => {
      const offers = { mints, stepMs: 60_000, from, until: from + 86_400_000, contestsPerHour: 6, seed: 7 }
      return [...contestOffers(offers)].map(({ contestId }) => contestId)
    }
    const [july, august] = [idsFrom(Date.UTC(2025, 6)), idsFrom(Date.UTC(2025, 7))]
    expect(july.length).toBeGreaterThan(50)
    expect(july.filter((id) => august.includes(id))).toEqual([])
    expect(idsFrom(Date.UTC(2025, 6))).toEqual(july)
  })

  test('says that it was imported, and of prices only when they were known', () => {
    const [first, second] = linesOf(log)
    expect(first).toMatchObject({
      kind: 'header',
      source: 'import',
      realm: 'import',
      agentId: null,
      config: null,
      run: '20250721T115700Z-import',
    })
    expect(second).toEqual({ kind: 'prices', at: prices.recordedFrom, tick: 1, prices: prices.series.map(({ closes }) => closes[0]) })
  })

  test('offers about as many contests an hour as asked for, the nine modes alike', () => {
    const hours = 6778 / 60
    expect(contests.length / hours).toBeCloseTo(6, 0)
    expect(imported(7, 60).contests.length / hours).toBeCloseTo(60, -1)
    const byMode = Object.groupBy(contests, ({ mode }) => mode)
    for (const mode of MODES) expect(byMode[mode]?.length).toBeGreaterThan(contests.length / MODES.length - 5)
    expect(new Set(contests.map(({ via }) => via))).toEqual(new Set(['queue', 'list']))
    expect(new Set(contests.map(({ opponents }) => opponents))).toEqual(new Set(['AGENT', 'HUMAN']))
    expect(new Set(contests.map(({ stake }) => stake))).toEqual(new Set(['1000000', '2000000', '5000000']))
    expect(new Set(contests.map(({ contestId }) => contestId)).size).toBe(contests.length)
  })

  test('the contest engine takes the parameters of every contest', () => {
    for (const { mode, params, capacity } of contests) {
      const asked = modeOf({ mode: mode as Mode }).params(params, { mints: [...mints], random: keyedRandom(1), capacity })
      expect(asked).toMatchObject({ ok: true, params })
    }
  })

  test('every contest lasts so long that the prices can decide it; where none may, none is offered', () => {
    expect(contests.every(({ mode, durationSec }) => durationSec >= 60 * Math.max(20, GROUND_PERIODS[mode as Mode]))).toBe(true)
    const durationsOn = (stepMs: number) => {
      const offers = contestOffers({ mints, stepMs, from: 0, until: 100 * 86_400_000, contestsPerHour: 6, seed: 7 })
      return [...new Set([...offers].map(({ durationSec }) => durationSec))].toSorted((a, b) => a - b)
    }
    expect(durationsOn(1000)).toEqual([60, 120, 300, 600, 900])
    expect(durationsOn(3_600_000)).toEqual([72_000])
    expect(durationsOn(86_400_000)).toEqual([])
  })

  test('contests of sides are listed: a ticket cannot choose its side', () => {
    expect(contests.filter(({ mode, via }) => mode === 'up_down' && via === 'queue')).toEqual([])
  })

  test('every contest can be over before the prices are', () => {
    const end = prices.recordedFrom + 6778 * 60_000
    expect(contests.every(({ at, durationSec }) => at + durationSec * 1000 < end)).toBe(true)
  })

  test('queued contests are duels, and only what is played by swaps has lobbies', () => {
    const lobbies = contests.filter(({ format }) => format === 'lobby')
    expect(lobbies.length).toBeGreaterThan(0)
    expect(lobbies.every(({ via, mode, capacity }: ContestLine) => via === 'list' && isTradingMode(mode) && capacity === 4)).toBe(true)
  })

  test('equal seeds give equal contests, others do not', () => {
    expect(imported().contests).toEqual(contests)
    expect(imported(8).contests).not.toEqual(contests)
  })
})
