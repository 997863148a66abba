import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { checkSimulation, type SimulatedChanges } from './simulation.ts'
import type { SwapTerms } from './terms.ts'

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'
const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm'
const RENT = 2_039_280n
const FEE = 7_000n

const terms = (from: string, to: string): SwapTerms => ({
  wallet: 'wallet',
  from,
  to,
  amount: 1_000_000n,
  quotedOut: 500n,
  minOut: 498n,
  slippageBps: 50,
})

/** A swap that opens the account of what comes in; only what is said differs. */
function simulated(deltas: Readonly<Record<string, bigint>>, changes: Partial<SimulatedChanges> = {}): SimulatedChanges {
  return {
    error: undefined,
    changes: Object.entries(deltas).map(([mint, delta]) => ({ mint, delta })),
    lamports: -(RENT + FEE),
    rentLamports: RENT,
    feeLamports: FEE,
    ...changes,
  }
}

const codeOf = (changes: SimulatedChanges, swap: SwapTerms) => checkSimulation(changes, swap)?.code ?? 'ok'

describe('between two tokens', () => {
  const swap = terms(USDC_MINT, BONK)

  test.each([
    ['the terms to the unit', { [USDC_MINT]: -1_000_000n, [BONK]: 498n }, 'ok'],
    ['less given and more received', { [USDC_MINT]: -1n, [BONK]: 5_000n }, 'ok'],
    ['a unit too much given', { [USDC_MINT]: -1_000_001n, [BONK]: 500n }, 'SIMULATION_MISMATCH'],
    ['a unit too little received', { [USDC_MINT]: -1_000_000n, [BONK]: 497n }, 'SIMULATION_MISMATCH'],
    ['nothing received', { [USDC_MINT]: -1_000_000n }, 'SIMULATION_MISMATCH'],
    ['a unit of another token gone', { [USDC_MINT]: -1_000_000n, [BONK]: 500n, [WIF]: -1n }, 'SIMULATION_MISMATCH'],
    ['another token come in besides', { [USDC_MINT]: -1_000_000n, [BONK]: 500n, [WIF]: 1n }, 'ok'],
  ] as const)('%s: %s', (_, deltas, code) => {
    expect(codeOf(simulated(deltas), swap)).toBe(code)
  })

  test('SOL gone beyond fee and rent is a mismatch, told with its numbers', () => {
    const gone = simulated({ [USDC_MINT]: -1_000_000n, [BONK]: 500n }, { lamports: -(RENT + FEE) - 1n })
    expect(checkSimulation(gone, swap)).toMatchObject({
      code: 'SIMULATION_MISMATCH',
      numbers: { mint: SOL_MINT, delta: -1n, least: 0n },
    })
  })

  test('what the chain would not execute has failed, whatever would change', () => {
    const failed = simulated({ [USDC_MINT]: -1_000_000n, [BONK]: 500n }, { error: 'SlippageToleranceExceeded' })
    expect(checkSimulation(failed, swap)).toMatchObject({ code: 'SIMULATION_FAILED', numbers: { error: 'SlippageToleranceExceeded' } })
  })
})

describe('of SOL', () => {
  test('given from the wallet and wrapped counts as one', () => {
    const swap = terms(SOL_MINT, BONK)
    const given = (lamports: bigint, wrapped: bigint) =>
      codeOf(simulated({ [BONK]: 500n, [SOL_MINT]: wrapped }, { lamports: lamports - RENT - FEE }), swap)
    expect(given(-1_000_000n, 0n)).toBe('ok')
    expect(given(-400_000n, -600_000n)).toBe('ok')
    expect(given(-1_000_001n, 0n)).toBe('SIMULATION_MISMATCH')
    expect(given(-400_000n, -600_001n)).toBe('SIMULATION_MISMATCH')
  })

  test('received must reach the minimum before fee and rent', () => {
    const swap = terms(USDC_MINT, SOL_MINT)
    const received = (lamports: bigint) => codeOf(simulated({ [USDC_MINT]: -1_000_000n }, { lamports: lamports - RENT - FEE }), swap)
    expect(received(498n)).toBe('ok')
    expect(received(497n)).toBe('SIMULATION_MISMATCH')
  })
})

test('no changes pass that cost more than the amount or bring less than the minimum', () => {
  const delta = fc.bigInt({ min: -2_000_000n, max: 2_000_000n })
  fc.assert(
    fc.property(fc.constantFrom(USDC_MINT, SOL_MINT), fc.constantFrom(BONK, WIF), delta, delta, delta, (from, to, sol, given, received) => {
      const swap = terms(from, to)
      const changes = simulated({ [from]: given, [to]: received }, { lamports: sol, rentLamports: 0n, feeLamports: 0n })
      const out = from === SOL_MINT ? given + sol : given
      const isWithin = out >= -swap.amount && received >= swap.minOut && (from === SOL_MINT || sol >= 0n)
      expect(checkSimulation(changes, swap) === undefined).toBe(isWithin)
    }),
  )
})
