import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blocksOf } from './blocks.ts'

const entries = fc
  .array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 400 })
  .map((times) => times.sort((a, b) => a - b))

test('blocks follow one another without a gap, none is shorter than a contest lasts, and each has a seed of its own', () => {
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 200_000 }), fc.nat(), (enteredAt, tailMs, seed) => {
      const blocks = blocksOf({ enteredAt, from: -5, until: 1_000_001, tailMs, seed })
      expect(blocks[0]?.from).toBe(-5)
      expect(blocks.at(-1)?.until).toBe(1_000_001)
      for (const [index, { from, until }] of blocks.entries()) {
        expect(blocks[index + 1]?.from ?? until).toBe(until)
        expect(until - from).toBeGreaterThanOrEqual(tailMs)
      }
      expect(new Set(blocks.map((block) => block.seed)).size).toBe(blocks.length)
      expect(blocks.every((block) => block.tailMs === tailMs)).toBe(true)
    }),
  )
})

test('where contests are short a block has about 32 of the incumbent', () => {
  const enteredAt = Array.from({ length: 960 }, (_, index) => index * 1000)
  const blocks = blocksOf({ enteredAt, from: 0, until: 960_000, tailMs: 10_000, seed: 1 })
  const counts = blocks.map(({ from, until }) => enteredAt.filter((at) => at >= from && at < until).length)
  expect(counts).toEqual(Array.from({ length: 30 }, () => 32))
})
