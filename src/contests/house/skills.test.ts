import { describe, expect, test } from 'vitest'
import { keyedRandom } from '../../core/random.ts'
import { knownAt, type PriceSource, SKILLS } from './skills.ts'

const NOW_MS = 600_000
/** Rises by 1 every second, and never says later than it was asked. */
const rising: PriceSource = { at: (_mint, atMs) => String(1000 + atMs / 1000), volatilityPerSecond: () => 0.001 }
const unknown: PriceSource = { at: () => null, volatilityPerSecond: () => null }
const look = (source: PriceSource, stream: string) => ({
  mint: 'm',
  aheadSec: 15,
  prices: knownAt(source, NOW_MS),
  random: keyedRandom(stream),
})

describe('knownAt', () => {
  test('knows the present and the past, and refuses the future', () => {
    const prices = knownAt(rising, NOW_MS)
    expect([prices.ago('m', 0), prices.ago('m', 60)]).toEqual(['1600', '1540'])
    expect(() => prices.ago('m', -1)).toThrow(/the house asked for the price 1 s ahead/)
  })
})

describe('skills', () => {
  test('momentum expects the last minute to go on', () => {
    expect(SKILLS.momentum(look(rising, 'a'))).toBeCloseTo(Math.log(1600 / 1540) / 4, 12)
    expect(SKILLS.momentum(look(rising, 'b'))).toBe(SKILLS.momentum(look(rising, 'a')))
  })

  test('random sees nothing in prices', () => {
    const falling: PriceSource = { ...rising, at: (_mint, atMs) => String(5000 - atMs / 1000) }
    expect(SKILLS.random(look(rising, 'a'))).toBe(SKILLS.random(look(falling, 'a')))
    expect(SKILLS.random(look(rising, 'a'))).not.toBe(SKILLS.random(look(rising, 'b')))
  })

  test('noisy is between the two', () => {
    const noisy = SKILLS.noisy(look(rising, 'a'))
    expect(noisy).toBeCloseTo(SKILLS.momentum(look(rising, 'a')) / 2 + SKILLS.random(look(rising, 'a')) / 4, 12)
  })

  test('without prices, nobody expects anything', () => {
    expect(Object.values(SKILLS).map((skill) => Math.abs(skill(look(unknown, 'a'))))).toEqual([0, 0, 0])
  })

  test('look at what they are shown alone, over one period of a feed that is slower than a minute', () => {
    const hourly: PriceSource = { ...rising, feed: { at: (_mint, atMs) => (atMs < NOW_MS ? '100' : '110'), periodSec: 3600 } }
    const { prices } = look(hourly, 'a')
    expect([prices.lookBackSec, prices.ago('m', 0), prices.ago('m', 3600)]).toEqual([3600, '110', '100'])
    expect(SKILLS.momentum(look(hourly, 'a'))).toBeCloseTo(Math.log(1.1) * (15 / 3600), 12)
  })
})
