import { expect, test } from 'vitest'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import type { Decision } from '../../recording/index.ts'
import { Samples } from './samples.ts'

const AT_MS = Date.UTC(2025, 6, 21, 12)

test('a swap counts as it was last quoted, once it was filled', () => {
  const samples = new Samples()
  let n = 0
  const decide = (decision: Decision) => samples.onOutput({ kind: 'output', n: ++n, at: AT_MS + n, decisions: [decision] })
  const approve = (key: string) => decide({ type: 'approved', key, strategy: 'trader', action: { type: 'swap' }, stake: '0', risk: '0' })
  const end = (key: string, status: string) => decide({ type: 'outcome', key, status })
  const quote = (key: string, outAmount: bigint | null) => {
    const pair = { from: USDC_MINT, to: SOL_MINT, inAmount: 10_000_000n, slippageBps: 50, impactBps: 1, askedAt: AT_MS }
    const result =
      outAmount === null
        ? ({ ok: false, reason: 'no route', retryable: true } as const)
        : ({ ok: true, quote: { ...pair, outAmount, minOut: outAmount }, raw: null } as const)
    samples.onInput({ n: ++n, at: AT_MS + n, type: 'quoted', key, result })
  }
  for (const key of ['filled', 'reverted', 'expired', 'unquoted']) approve(key)
  quote('filled', 50n)
  quote('filled', 55n)
  quote('reverted', 60n)
  quote('expired', 65n)
  quote('unquoted', null)
  for (const key of ['filled', 'reverted', 'expired']) end(key, key)
  end('unquoted', 'filled')
  expect(samples.filled).toEqual([expect.objectContaining({ at: AT_MS + 6, inAmount: 10_000_000n, outAmount: 55n })])
  expect([samples.swapsFilled, samples.swapsFailed]).toEqual([2, 2])
})
