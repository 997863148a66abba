import { describe, expect, test } from 'vitest'
import { FeedMotion } from './feedMotion.ts'

const START_MS = 1_785_000_000_000
const HOUR_MS = 3_600_000
const NEW_MS = 15_000

/** A feed that has moved with this longest gap, and its end. */
function movedFor(ms: number, gapMs: number, { hasTimes = true } = {}) {
  const motion = new FeedMotion({ newMs: NEW_MS })
  let [now, n] = [START_MS, 0]
  const answer = () => ({ time: hasTimes ? n : undefined, body: hasTimes ? 'any' : `body ${n}` })
  for (; now <= START_MS + ms; now += gapMs, n++) expect(motion.take(answer(), now)).toBeUndefined()
  const [lastAt, last] = [now - gapMs, { ...answer(), time: hasTimes ? n - 1 : undefined, body: hasTimes ? 'any' : `body ${n - 1}` }]
  return { motion, lastAt, last, next: (by = 1) => ({ time: hasTimes ? n + by : undefined, body: hasTimes ? 'any' : `body ${n + by}` }) }
}

describe('a price feed stands still', () => {
  test.each([
    ['guard.maxPriceAgeMs with less than an hour of past', 10 * 60_000, 1000, NEW_MS],
    ['a minute where it moves often', 2 * HOUR_MS, 1000, 60_000],
    ['three times the longest gap where that is more', 2 * HOUR_MS, 30_000, 90_000],
  ])('after %s', (_, pastMs, gapMs, limitMs) => {
    for (const hasTimes of [true, false]) {
      const { motion, lastAt, last } = movedFor(pastMs, gapMs, { hasTimes })
      expect(motion.take(last, lastAt + limitMs)).toBeUndefined()
      expect(motion.take(last, lastAt + limitMs + 1)).toBe(limitMs + 1)
    }
  })

  test('by its newest time, whatever its prices do, and by an older one as well', () => {
    const { motion, lastAt, last } = movedFor(60_000, 1000)
    expect(motion.take({ ...last, body: 'another' }, lastAt + 20_000)).toBe(20_000)
    expect(motion.take({ time: 1, body: 'older' }, lastAt + 21_000)).toBe(21_000)
  })

  test('no longer once it moves', () => {
    const { motion, lastAt, last, next } = movedFor(60_000, 1000)
    expect(motion.take(last, lastAt + 20_000)).toBe(20_000)
    expect(motion.take(next(), lastAt + 21_000)).toBeUndefined()
    expect(motion.take(next(), lastAt + 22_000)).toBeUndefined()
  })

  test('and learns no gap from a standstill that was found, nor from answers that did not come', () => {
    const { motion, lastAt, last, next } = movedFor(2 * HOUR_MS, 1000)
    motion.take(last, lastAt + 600_000)
    motion.take(next(1), lastAt + 601_000)
    motion.missed()
    motion.take(next(2), lastAt + 640_000)
    expect(motion.take(next(2), lastAt + 640_000 + 60_001)).toBe(60_001)
  })

  test('and forgets a gap after a day', () => {
    const { motion, lastAt, last, next } = movedFor(2 * HOUR_MS, 30_000)
    const seconds = 24 * 3600
    for (let n = 1; n <= seconds; n++) expect(motion.take(next(n), lastAt + n * 1000)).toBeUndefined()
    expect(last).not.toEqual(next(seconds))
    expect(motion.take(next(seconds), lastAt + seconds * 1000 + 60_001)).toBe(60_001)
  })
})
