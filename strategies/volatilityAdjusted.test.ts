import { type DraftWorld, draftContext, expectConformance, line } from 'cornerman/testing'
import { describe, expect, test } from 'vitest'
import volatilityAdjusted from './volatilityAdjusted.ts'

const pick = (world: DraftWorld, params: Parameters<typeof volatilityAdjusted>[0] = {}) =>
  volatilityAdjusted({ lookbackSec: 20, ...params }).pick(draftContext(world))

const steady = line(100, 102, 20)
/** As far up in all, back and forth. */
const wild = line(100, 102, 20).map((price, index) => Number(price) * (index % 2 === 0 ? 1 : 1.01))
/** Further up, in one second. */
const jump = [...line(100, 100, 10), ...line(106, 106, 9)]
const down = line(100, 98, 20)

describe('volatilityAdjusted', () => {
  test('keeps the contract of a strategy', () => expectConformance(volatilityAdjusted()))

  test('drafts a steady climb before a wild one, and before a jump that went further', () => {
    expect(pick({ prices: { wild, steady, down } })).toBe('steady')
    expect(pick({ prices: { jump, steady } })).toBe('steady')
    expect(pick({ prices: { wild, down } })).toBe('wild')
  })

  test('looks back as far as it is told', () => {
    const turned = [...line(100, 90, 15), ...line(90.5, 94, 5)]
    expect(pick({ prices: { turned, steady } })).toBe('steady')
    expect(pick({ prices: { turned, wild } }, { lookbackSec: 5 })).toBe('turned')
  })

  test('what has not moved stands between what rose and what fell', () => {
    const flat = line(5, 5, 20)
    expect(pick({ prices: { flat, down } })).toBe('flat')
    expect(pick({ prices: { flat, wild } })).toBe('wild')
  })

  test('takes what it knows before what it does not, and of nothing nothing', () => {
    expect(pick({ prices: { short: [1, 2, 3], down } })).toBe('down')
    expect(pick({ prices: { short: [1, 2, 3], down } }, { minReturns: 2 })).toBe('short')
    expect(pick({ available: ['b', 'a'] })).toBe('b')
    expect(pick({})).toBeUndefined()
  })
})
