import { expect, test } from 'vitest'
import { textTable } from './textTable.ts'

test('names stand to the left, figures to the right, and nothing trails', () => {
  const rows = [['mode', 'won', 'profit'], ['up_down', '3', '-12.50'], ['x', '1,204'], []]
  expect(textTable(rows)).toEqual(['mode       won  profit', 'up_down      3  -12.50', 'x        1,204', ''])
  expect(textTable([])).toEqual([])
})
