import { expect, test } from 'vitest'
import { computeBudgetOf } from './computeBudget.ts'
import { COMPUTE_BUDGET_PROGRAM, JUPITER_PROGRAM, SYSTEM_PROGRAM } from './programs/index.ts'

const price = { kind: 'computePrice', microLamports: 1_000_000n, program: COMPUTE_BUDGET_PROGRAM } as const
const limit = (units: number) => ({ kind: 'computeLimit', units, program: COMPUTE_BUDGET_PROGRAM }) as const
const other = { kind: 'harmless', program: JUPITER_PROGRAM } as const
const system = { kind: 'harmless', program: SYSTEM_PROGRAM } as const

test('without a price nothing is bid', () => {
  expect(computeBudgetOf([other, limit(5)])).toEqual({ priceMicroLamports: 0n, unitLimit: 5, feeLamports: 0n, isRepeated: false })
})

test('the fee is price by units, rounded up', () => {
  expect(computeBudgetOf([price, limit(123_456)]).feeLamports).toBe(123_456n)
  expect(computeBudgetOf([{ ...price, microLamports: 3n }, limit(333_334)]).feeLamports).toBe(2n)
})

test('without a limit the chain takes 200,000 units an instruction, 3,000 of its own programs, and no more than 1,400,000', () => {
  expect(computeBudgetOf([price, other, other, system])).toMatchObject({ unitLimit: undefined, feeLamports: 406_000n })
  expect(computeBudgetOf([price, ...Array.from({ length: 8 }, () => other)]).feeLamports).toBe(1_400_000n)
  expect(computeBudgetOf([price, limit(4_000_000_000)]).feeLamports).toBe(1_400_000n)
})

test('a second price or limit is told', () => {
  expect(computeBudgetOf([price, price]).isRepeated).toBe(true)
  expect(computeBudgetOf([limit(1), limit(1)]).isRepeated).toBe(true)
})
