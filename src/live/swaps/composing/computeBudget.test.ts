import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../../../test/support/suite/cases.ts'
import { computeBudget, MOST_COMPUTE_UNITS, unitsFor } from './computeBudget.ts'

const LIMIT = 2
const PRICE = 3

/** What the two instructions say, by their bytes. */
function saidBy(instructions: ReturnType<typeof computeBudget>) {
  const byTag = new Map(instructions.map(({ data }) => [data[0], Buffer.from(data)]))
  return { units: byTag.get(LIMIT)?.readUInt32LE(1), price: byTag.get(PRICE)?.readBigUInt64LE(1) ?? 0n, length: instructions.length }
}

describe('a compute budget', () => {
  test('pays what is asked, under the caps of a unit and of all of them', () => {
    const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: MOST_COMPUTE_UNITS }),
        u64,
        fc.bigInt({ min: 0n, max: 10_000_000n }),
        fc.bigInt({ min: 0n, max: 10_000_000n }),
        (units, asked, most, mostOfUnit) => {
          const fees = { priorityLevel: 'high', maxPriorityFeeLamports: most, maxComputePriceMicroLamports: mostOfUnit } as const
          const said = saidBy(computeBudget({ units, priceMicroLamports: asked }, fees))
          expect(said.units).toBe(units)
          expect(said.price <= asked && said.price <= mostOfUnit).toBe(true)
          expect(said.price * BigInt(units)).toBeLessThanOrEqual(most * 1_000_000n)
          // One more would be over one of them.
          const isMost = said.price === asked || said.price === mostOfUnit || (said.price + 1n) * BigInt(units) > most * 1_000_000n
          expect(isMost).toBe(true)
        },
      ),
      { numRuns: runsOf(300) },
    )
  })

  test('names no price where nothing is paid', () => {
    const fees = { priorityLevel: 'high', maxPriorityFeeLamports: 5_000n } as const
    expect(saidBy(computeBudget({ units: 5, priceMicroLamports: 0n }, fees))).toEqual({ units: 5, price: 0n, length: 1 })
    expect(saidBy(computeBudget({ units: 5, priceMicroLamports: 1n }, fees))).toEqual({ units: 5, price: 1n, length: 2 })
  })

  test('asks for a fifth more than was used, and never for more than there is', () => {
    expect([1, 5, 100_001, 1_166_666, 1_166_667, 5_000_000].map(unitsFor)).toEqual([2, 6, 120_002, 1_400_000, 1_400_000, 1_400_000])
  })
})
