import { expect, test } from 'vitest'
import { parseVary } from './vary.ts'

test.each([
  ['a.b=5..600', { low: 5, high: 600, scale: undefined }],
  ['a.b=5..600:log', { low: 5, high: 600, scale: 'log' }],
  ['a.b=-0.5..0.5:linear', { low: -0.5, high: 0.5, scale: 'linear' }],
  ['a.b=1e-3..1e2:log', { low: 0.001, high: 100, scale: 'log' }],
  ['a.b=0.1..5.', { low: 0.1, high: 5, scale: undefined }],
  ['a.b=fast,slow', { values: ['fast', 'slow'] }],
  ['a.b=1, 2,2,3', { values: ['1', '2', '3'] }],
  ['a.b=["x","y"],["z"]', { values: ['["x","y"]', '["z"]'] }],
])('%s is read', (text, over) => {
  expect(parseVary(text)).toEqual({ strategy: 'a', parameter: 'b', text, over })
})

test.each([
  ['a.b', 'NAME.PARAMETER=LOW..HIGH'],
  ['b=1..2', 'NAME.PARAMETER=LOW..HIGH'],
  ['a.b=', 'NAME.PARAMETER=LOW..HIGH'],
  ['a.b=2..1', '2 is not below 1'],
  ['a.b=1..1', '1 is not below 1'],
  ['a.b=0..9:log', 'a log scale needs bounds above 0'],
  ['a.b=1..9:lin', 'two numbers'],
  ['a.b=x..9', 'two numbers'],
  ['a.b=7', '--set a.b=7 fixes it'],
  ['guard.maxStake=1..9', 'caps of a guard are not tuned'],
])('%s is refused: %s', (text, says) => {
  expect(() => parseVary(text)).toThrow(says)
  expect(() => parseVary(text)).toThrow(expect.objectContaining({ code: 'USAGE' }))
})
