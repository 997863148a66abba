import { expect, test } from 'vitest'
import { studentBeyond, studentBound, studentWithin } from './student.ts'

// Abramowitz and Stegun (1964), table 26.10: what |T| stays within in 90, 95, 99 and 99.9 % of cases.
test.each([
  [2, 2.92, 4.303, 9.925, 31.598],
  [3, 2.353, 3.182, 5.841, 12.924],
  [9, 1.833, 2.262, 3.25, 4.781],
  [10, 1.812, 2.228, 3.169, 4.587],
  [19, 1.729, 2.093, 2.861, 3.883],
  [29, 1.699, 2.045, 2.756, 3.659],
  [120, 1.658, 1.98, 2.617, 3.373],
])('with %d degrees of freedom the quantiles are those of the table', (degrees, ...quantiles) => {
  for (const [index, within] of [0.9, 0.95, 0.99, 0.999].entries())
    expect(studentBound(within, degrees)).toBeCloseTo(quantiles[index] ?? Number.NaN, 2)
})

test('bound and probability are each other’s inverse, and the two sides together are all', () => {
  for (const degrees of [1, 2, 7, 12, 29]) {
    expect(studentWithin(studentBound(0.8, degrees), degrees)).toBeCloseTo(0.8, 12)
    expect(studentWithin(0, degrees)).toBe(0)
    expect(studentWithin(Number.POSITIVE_INFINITY, degrees)).toBe(1)
    expect(studentBeyond(-1.5, degrees)).toBeCloseTo(1 - studentWithin(1.5, degrees), 15)
  }
  // One degree of freedom is Cauchy's: half of it lies within 1.
  expect(studentWithin(1, 1)).toBeCloseTo(0.5, 15)
})
