import { expect, test } from 'vitest'
import { agoText, leftText } from './timeText.ts'
import { sumOf, toneOf, usdcText } from './usdcText.ts'

test.each([
  ['0', '0.00'],
  ['4999', '0.00'],
  ['5000', '0.01'],
  ['-4999', '0.00'],
  ['-5000', '−0.01'],
  ['1234567890', '1,234.57'],
  ['-1000000000000', '−1,000,000.00'],
  ['9007199254740993000000', '9,007,199,254,740,993.00'],
  [undefined, '–'],
])('%s micro-USDC are %s', (micro, text) => {
  expect(usdcText(micro)).toBe(text)
})

test('a gain has its sign where that is asked for, and nothing has none', () => {
  expect([usdcText('5000', { isSigned: true }), usdcText('1', { isSigned: true })]).toEqual(['+0.01', '0.00'])
  expect([toneOf('1'), toneOf('-1'), toneOf('0'), toneOf(undefined)]).toEqual(['up', 'down', 'even', 'even'])
  expect(sumOf(['1', undefined, '-3'])).toBe('-2')
})

test.each([
  [-5, '0:00', '0 s'],
  [1, '0:01', '0 s'],
  [59_001, '1:00', '59 s'],
  [3_599_000, '59:59', '59 min'],
  [3_600_000, '1:00:00', '1 h'],
  [172_800_000, '2 d 0 h', '2 d'],
])('%i ms', (ms, left, ago) => {
  expect([leftText(ms), agoText(ms)]).toEqual([left, ago])
})
