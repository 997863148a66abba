import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../../test/support/suite/cases.ts'
import { blockOrder, rungsOf } from './blockOrder.ts'

test('has each block once, and of each fold as many as of the others, however few are played', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 120 }), (seed, blocks) => {
      const order = blockOrder(blocks, seed)
      expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: blocks }, (_, block) => block))
      for (let played = 1; played <= blocks; played++) {
        for (let fold = 0; fold < 5; fold++) {
          const isOfFold = (block: number) => Math.floor((block * 5) / blocks) === fold
          const all = order.filter(isOfFold).length
          expect(Math.abs(order.slice(0, played).filter(isOfFold).length - (all * played) / blocks)).toBeLessThan(2)
        }
      }
    }),
    { numRuns: runsOf(300) },
  )
})

test('is another one with another seed', () => {
  expect(blockOrder(20, 1)).toEqual(blockOrder(20, 1))
  expect(blockOrder(20, 1)).not.toEqual(blockOrder(20, 2))
})

test('rungs are at 256 contests and at twice as many each time, and the last at all', () => {
  const blocks = (count: number, contests = 32) => Array.from({ length: count }, () => contests)
  expect(rungsOf(blocks(56))).toEqual([8, 16, 32, 56])
  expect(rungsOf(blocks(19))).toEqual([8, 16, 19])
  expect(rungsOf(blocks(16))).toEqual([8, 16])
  expect(rungsOf(blocks(6))).toEqual([6])
  expect(rungsOf(blocks(3, 1000))).toEqual([1, 2, 3])
  expect(rungsOf([0, 300, 0, 300])).toEqual([2, 4])
  expect(rungsOf([600, 100, 100, 400])).toEqual([1, 4])
})
