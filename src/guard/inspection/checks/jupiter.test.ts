import { describe, expect, test } from 'vitest'
import { assembled } from '../../../../test/support/guard/inspection/editing.ts'
import { accountOf, POLICY } from '../../../../test/support/guard/inspection/fixtures.ts'
import { AGENT, PAIRS } from '../../../../test/support/guard/inspection/pairs.ts'
import { USDC_MINT } from '../../../core/tokens.ts'
import type { JupiterSwap } from '../jupiter/swap.ts'
import { readMessage } from '../message.ts'
import { JUPITER_PROGRAM } from '../programs/index.ts'
import type { Check } from './check.ts'
import { jupiterAccounts } from './jupiterAccounts.ts'
import { jupiterAmounts } from './jupiterAmounts.ts'

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263'
const wallet = AGENT.publicKey.toBase58()
const terms = { wallet, from: USDC_MINT, to: BONK, amount: 1_010n, quotedOut: 500n, minOut: 500n, slippageBps: 100 }

/** A swap that takes at most what is given for exactly what is wanted. */
const EXACT_OUT: JupiterSwap = {
  instruction: 'exact_out_route',
  isExactOut: true,
  inAmount: 1_000n,
  quotedOut: 500n,
  slippageBps: 100,
  platformFeeBps: 0,
  positiveSlippageBps: 0,
  authority: wallet,
  source: accountOf(wallet, USDC_MINT).toBase58(),
  destinations: [accountOf(wallet, BONK).toBase58()],
  sourceMint: USDC_MINT,
  destinationMint: BONK,
}

function codeOf(check: Check, swap: Partial<JupiterSwap>): string {
  const [[, pair]] = PAIRS as [(typeof PAIRS)[0]]
  const message = readMessage(assembled(pair).bytes, undefined)
  if ('code' in message) throw new Error(message.message)
  const acts = [{ kind: 'swap', program: JUPITER_PROGRAM, swap: { ...EXACT_OUT, ...swap } }] as const
  return check({ message, acts, terms, policy: POLICY })?.code ?? 'ok'
}

describe('a swap for an exact output', () => {
  test('may slip in what it takes, up to what is given', () => {
    expect(codeOf(jupiterAmounts, {})).toBe('ok')
    expect(codeOf(jupiterAmounts, { inAmount: 999n })).toBe('ok')
    // 1 % of 1,001 is rounded up: 1,012 might go.
    expect(codeOf(jupiterAmounts, { inAmount: 1_001n })).toBe('TX_SWAP_AMOUNT')
  })

  test('does not slip in what comes out', () => {
    expect(codeOf(jupiterAmounts, { quotedOut: 499n })).toBe('TX_SWAP_QUOTED_OUT')
    expect(codeOf(jupiterAmounts, { isExactOut: false, inAmount: 1_010n })).toBe('TX_SWAP_MIN_OUT')
  })
})

describe('accounts in a table that was not read', () => {
  test('are refused where they are the agent’s', () => {
    expect(codeOf(jupiterAccounts, {})).toBe('ok')
    expect(codeOf(jupiterAccounts, { source: undefined })).toBe('TX_TABLE_UNRESOLVED')
    expect(codeOf(jupiterAccounts, { authority: undefined })).toBe('TX_TABLE_UNRESOLVED')
    expect(codeOf(jupiterAccounts, { destinations: [undefined] })).toBe('TX_TABLE_UNRESOLVED')
    expect(codeOf(jupiterAccounts, { destinations: [...EXACT_OUT.destinations, undefined] })).toBe('TX_TABLE_UNRESOLVED')
  })

  test('are let pass where they are mints: the accounts imply them', () => {
    expect(codeOf(jupiterAccounts, { sourceMint: undefined, destinationMint: undefined })).toBe('ok')
  })
})
