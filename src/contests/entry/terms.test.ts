import { describe, expect, test } from 'vitest'
import { chainProblem, termsProblem } from './terms.ts'

describe('terms', () => {
  test('a mode that needs swaps is not played on a chain without a DEX', () => {
    const swaps = { name: 'pnl_usd', chains: ['solana'] } as const
    expect(chainProblem(swaps, 'solana')).toBeNull()
    expect(chainProblem(swaps, 'robinhood')).toMatchObject({ code: 'CHAIN_NOT_TRADABLE', details: { mode: 'pnl_usd', chain: 'robinhood' } })
  })

  test.each(['up_down', 'draft_basket', 'price_prediction'] as const)('%s is played on both chains', (mode) => {
    for (const chain of ['solana', 'robinhood'] as const) expect(termsProblem({ mode, chain, stake: 1n, durationSec: 15 })).toBeNull()
  })
})
