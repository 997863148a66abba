import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalPrice } from '../../core/price.ts'
import { keyedRandom } from '../../core/random.ts'
import { tokenOf, USDC_MINT } from '../../core/tokens.ts'
import { createPriceReplay } from './priceReplay.ts'
import { DEFAULT_PRICE_FILE, readPriceFile } from './readPriceFile.ts'

const file = readPriceFile(DEFAULT_PRICE_FILE)
const MINUTE_MS = 60_000
const ROWS = 6779
const LOOP_MS = (ROWS - 1) * MINUTE_MS
const SOL = tokenOf('SOL')?.mint ?? ''
const priced = file.series.map(({ mint }) => mint)
const numberAt = (replay: ReturnType<typeof createPriceReplay>, mint: string, ms: number) => Number(replay.at(mint, ms))

describe('createPriceReplay', () => {
  const replay = createPriceReplay(file, 7)

  test('touches every recorded close exactly', () => {
    for (const { mint, closes } of file.series) {
      for (let row = 0; row < closes.length; row += 97) expect(replay.at(mint, row * MINUTE_MS)).toBe(closes[row])
      expect(replay.at(mint, LOOP_MS)).toBe(closes[ROWS - 1])
    }
  })

  test('keeps every digit of a recorded close, though between them prices have nine', () => {
    const values = Float64Array.of(123_456.789012345, 123_457)
    const series = [{ mint: SOL, closes: ['123456.789012345', '123457'], values }]
    const long = createPriceReplay({ fingerprint: '', recordedFrom: 0, series }, 7)
    expect([long.at(SOL, 0), long.at(SOL, MINUTE_MS)]).toEqual(['123456.789012345', '123457'])
    expect(long.at(SOL, 30_000)).toMatch(/^12345\d(\.\d{1,3})?$/)
  })

  test('depends on file, seed and time alone, in whatever order it is asked', () => {
    const times = fc.array(fc.integer({ min: -3 * LOOP_MS, max: 3 * LOOP_MS }), { maxLength: 8 })
    const other = createPriceReplay(file, 7)
    fc.assert(
      fc.property(times, fc.constantFrom(...priced), (asked, mint) => {
        const forwards = asked.map((ms) => replay.at(mint, ms))
        const backwards = asked.toReversed().map((ms) => other.at(mint, ms))
        expect(backwards.toReversed()).toEqual(forwards)
        for (const price of forwards) expect(price).toBe(canonicalPrice(price ?? ''))
      }),
      { numRuns: 100 },
    )
  })

  test('another seed walks elsewhere between the same closes', () => {
    const other = createPriceReplay(file, 8)
    expect(other.at(SOL, 5 * MINUTE_MS)).toBe(replay.at(SOL, 5 * MINUTE_MS))
    expect(other.at(SOL, 5 * MINUTE_MS + 30_000)).not.toBe(replay.at(SOL, 5 * MINUTE_MS + 30_000))
  })

  test('holds for a second and moves with the next', () => {
    const at = (ms: number) => replay.at(SOL, 10 * MINUTE_MS + ms)
    expect(at(7999)).toBe(at(7000))
    expect(at(8000)).not.toBe(at(7000))
  })

  test('starts again at the end of the file, rescaled to join, and does so before its start', () => {
    for (const mint of priced) {
      const last = numberAt(replay, mint, LOOP_MS)
      const growth = last / numberAt(replay, mint, 0)
      expect(numberAt(replay, mint, LOOP_MS + 40 * MINUTE_MS) / (numberAt(replay, mint, 40 * MINUTE_MS) * growth)).toBeCloseTo(1, 6)
      expect(numberAt(replay, mint, -MINUTE_MS) / (numberAt(replay, mint, LOOP_MS - MINUTE_MS) / growth)).toBeCloseTo(1, 6)
      for (const joint of [0, LOOP_MS, 2 * LOOP_MS]) {
        const step = Math.abs(Math.log(numberAt(replay, mint, joint + 1000) / numberAt(replay, mint, joint - 1000)))
        expect(step).toBeLessThan(12 * (replay.volatilityPerSecond(mint) ?? 0))
      }
    }
  })

  test('has no price for a token without a column, and one dollar for USDC', () => {
    expect(replay.at('11111111111111111111111111111111', 0)).toBeNull()
    expect(replay.volatilityPerSecond('11111111111111111111111111111111')).toBeNull()
    expect(replay.at(USDC_MINT, 12_345)).toBe('1')
    expect(replay.mints).not.toContain(USDC_MINT)
  })

  // Contests of 15 to 20 s must not be won by looking at the last seconds. The last three look back over a minute or more.
  test.each([
    [1, 1],
    [5, 5],
    [15, 15],
    [20, 20],
    [30, 15],
    [30, 30],
    [60, 20],
    [120, 15],
    [300, 20],
  ])('the trend of %i s says little about the next %i s', (backSec, aheadSec) => {
    const samples = 6000
    const random = keyedRandom('trend', backSec, aheadSec)
    let right = 0
    let moved = 0
    for (let sample = 0; sample < samples; sample++) {
      const mint = random.pick(priced) ?? ''
      const nowMs = random.integer(0, LOOP_MS / 1000) * 1000
      const [before, now, after] = [nowMs - backSec * 1000, nowMs, nowMs + aheadSec * 1000].map((ms) => numberAt(replay, mint, ms))
      const trend = Math.sign((now ?? 0) - (before ?? 0))
      const outcome = Math.sign((after ?? 0) - (now ?? 0))
      if (trend === 0 || outcome === 0) continue
      moved++
      if (trend === outcome) right++
    }
    expect(moved).toBeGreaterThan(0.95 * samples)
    expect(right / moved).toBeGreaterThan(0.46)
    expect(right / moved).toBeLessThan(0.54)
  })
})
