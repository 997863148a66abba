import { expect, test } from 'vitest'
import { keyedRandom } from '../core/random.ts'
import { bestOfCoins, chanceBelow, expectedMaximum } from './coins.ts'

// H. Leon Harter (1961), Expected Values of Normal Order Statistics, Biometrika 48, table 1: the largest of n.
test.each([
  [1, 0],
  [2, 0.56419],
  [5, 1.16296],
  [10, 1.53875],
  [20, 1.86748],
  [50, 2.24907],
  [100, 2.50759],
  [200, 2.74604],
])('the largest of %d is expected where the table has it', (count, expected) => {
  expect(expectedMaximum(count)).toBeCloseTo(expected, 4)
})

test('half of all lie below 0, and a fortieth below −1.96', () => {
  expect(chanceBelow(0)).toBeCloseTo(0.5, 6)
  expect(chanceBelow(-1.959964)).toBeCloseTo(0.025, 6)
  expect(chanceBelow(1.959964)).toBeCloseTo(0.975, 6)
})

test('two hundred coins over 304 contests show 14.8 points more than they have', () => {
  const coins = { trials: 200, deviation: 0.94, contests: 304 }
  expect(bestOfCoins(coins)).toBeCloseTo(0.148, 3)
  const random = keyedRandom(1, 'coins')
  const bestShown = () => {
    const sums = Array.from({ length: 200 }, () => {
      let sum = 0
      for (let contest = 0; contest < 304; contest++) sum += random.next() < 0.5 ? 0.94 : -0.94
      return sum / 304
    })
    return Math.max(...sums)
  }
  const shown = Array.from({ length: 40 }, bestShown)
  const meanShown = shown.reduce((sum, each) => sum + each, 0) / shown.length
  // The best one varies by 2 points: the mean of forty by a third of one.
  expect(meanShown).toBeGreaterThan(0.137)
  expect(meanShown).toBeLessThan(0.159)
  expect(bestOfCoins({ ...coins, trials: 1 })).toBeCloseTo(0, 6)
})
