import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

test('a pause doubles with each failure, from the first to the longest', () => {
  expect([0, 1, 2, 3, 4, 60].map((failures) => backoffMs(failures, 250, 2000))).toEqual([250, 500, 1000, 2000, 2000, 2000])
})
