import { describe, expect, test } from 'vitest'
import { buy, guardView, letOut, NOW_MS, type ViewChanges } from '../../test/support/guard/guardView.ts'
import { assembled } from '../../test/support/guard/inspection/editing.ts'
import { AGENT, AMOUNT, OUT, pairOf } from '../../test/support/guard/inspection/pairs.ts'
import { type Mint, SOL_MINT, USDC_MINT } from '../core/tokens.ts'
import type { SwapAction } from '../strategy/action.ts'
import { approveTransaction, isApproved } from './guard.ts'
import type { SwapQuote } from './swapQuote.ts'
import type { BuiltTransaction } from './transaction.ts'
import type { Approved, SendSwap } from './verdict.ts'

// A buy of SOL for 5 USDC as the sandbox's exchange builds it: at 208 USD a SOL its least outcome is 65 bps under the feed.

const KEY = '7:holder:0'
const wallet = AGENT.publicKey.toBase58()
const PRICES: ViewChanges = { prices: { [SOL_MINT]: { price: '208', ageMs: 0 } } }
const BOUGHT = buy({ amount: AMOUNT })
const QUOTE: SwapQuote = {
  ...{ from: USDC_MINT, to: SOL_MINT, inAmount: AMOUNT, outAmount: OUT, minOut: 23_880_000n },
  ...{ slippageBps: 50, impactBps: 2, askedAt: NOW_MS - 200 },
}
const BUILT = built(USDC_MINT, SOL_MINT)
const { transaction: TRANSACTION } = BUILT

function built(from: Mint, to: Mint): BuiltTransaction {
  const { bytes, tables } = assembled(pairOf(from, to))
  return { transaction: Buffer.from(bytes).toString('base64'), tables, simulated: undefined }
}

interface Changes {
  readonly action?: SwapAction
  readonly view?: ViewChanges
  readonly quote?: Partial<SwapQuote>
  readonly built?: Partial<BuiltTransaction>
  readonly wallet?: string
}

/** Lets the swap out, and asks for its transaction in a view of the same ledger. */
function approve({ action = BOUGHT, view = {}, quote, built: changed, ...other }: Changes = {}) {
  const before = guardView({ ...PRICES, traded: { c: { held: { [SOL_MINT]: 10n ** 9n } } } })
  const { reservations } = before
  const proposal = { action: letOut(action, before, KEY), quote: { ...QUOTE, ...quote }, built: { ...BUILT, ...changed }, wallet, ...other }
  return { proposal, reservations, verdict: approveTransaction(KEY, proposal, guardView({ ...PRICES, ...view, reservations })) }
}

describe('a transaction is approved', () => {
  test('when it is the swap that was let out, with the contest it counts for and what was read in it', () => {
    const { verdict } = approve()
    if (!verdict.ok) throw new Error(verdict.refusal.message)
    expect(verdict.action).toEqual({ type: 'sendSwap', contestId: 'c', transaction: TRANSACTION })
    expect(verdict.facts).toMatchObject({ payer: wallet, version: 0 })
  })

  test('as the guard’s own object, which nobody can change and no copy passes for', () => {
    const { verdict } = approve()
    if (!verdict.ok) throw new Error(verdict.refusal.message)
    const order: Approved<SendSwap> = verdict.action
    expect(isApproved(order)).toBe(true)
    expect(isApproved({ ...order })).toBe(false)
    expect(Object.isFrozen(order)).toBe(true)
    // @ts-expect-error: what is made by hand carries no approval.
    const forged: Approved<SendSwap> = { type: 'sendSwap', contestId: 'c', transaction: TRANSACTION }
    expect(isApproved(forged)).toBe(false)
  })

  test('in the very bytes that were looked at: whatever else its text held is gone', () => {
    const dirty = `  ${TRANSACTION.slice(0, 40)}\n@${TRANSACTION.slice(40)}`
    expect(approve({ built: { transaction: dirty } }).verdict).toMatchObject({ ok: true, action: { transaction: TRANSACTION } })
  })

  test('for a sweep without a contest', () => {
    const view = { traded: { c: { phase: 'settled' as const, held: { [SOL_MINT]: AMOUNT } } } }
    const before = guardView({ ...PRICES, ...view })
    const action = letOut({ type: 'sweep', contestId: 'c', from: SOL_MINT, to: USDC_MINT, amount: AMOUNT }, before, KEY)
    const quote = { ...QUOTE, from: SOL_MINT, to: USDC_MINT }
    const proposal = { action, quote, built: built(SOL_MINT, USDC_MINT), wallet }
    expect(approveTransaction(KEY, proposal, before)).toMatchObject({
      ok: true,
      action: { type: 'sendSwap', contestId: undefined },
    })
  })

  test('with a simulation that shows the swap and no more', () => {
    const changes = [{ mint: USDC_MINT, delta: -AMOUNT }]
    const simulated = { error: undefined, changes, lamports: 23_880_000n - 5000n, rentLamports: 0n, feeLamports: 5000n }
    expect(approve({ built: { simulated } }).verdict.ok).toBe(true)
    expect(approve({ built: { simulated: { ...simulated, lamports: 23_879_999n - 5000n } } }).verdict).toMatchObject({
      refusal: { code: 'SIMULATION_MISMATCH' },
    })
    expect(approve({ built: { simulated: { ...simulated, error: 'InsufficientFunds' } } }).verdict).toMatchObject({
      refusal: { code: 'SIMULATION_FAILED', numbers: { error: 'InsufficientFunds' } },
    })
  })
})

describe('a transaction is refused', () => {
  const refused: readonly (readonly [name: string, code: string, changes: Changes])[] = [
    ['once the operator has stopped everything', 'KILL_SWITCH', { view: { stopped: 'all' } }],
    ['when its quote has grown old meanwhile', 'QUOTE_STALE', { view: { now: NOW_MS + 4801 } }],
    ['when the price has run away meanwhile', 'QUOTE_BELOW_FEED', { view: { prices: { [SOL_MINT]: { price: '206', ageMs: 0 } } } }],
    ['when it is of more than was quoted', 'TX_TOKEN_TRANSFER', { quote: { inAmount: AMOUNT - 1n } }],
    ['when less comes back than was quoted', 'TX_SWAP_MIN_OUT', { quote: { outAmount: OUT + 200_000n, minOut: 24_079_000n } }],
    ['when another wallet pays for it', 'TX_FEE_PAYER', { wallet: pairOf(USDC_MINT, SOL_MINT).signers[0]?.publicKey.toBase58() ?? '' }],
    ['when a table of it could not be read', 'TX_TABLE_UNRESOLVED', { built: { tables: undefined } }],
    ['when it is none', 'TX_MALFORMED', { built: { transaction: 'AAAA' } }],
    ['when it is not even base64', 'TX_MALFORMED', { built: { transaction: '%' } }],
    ['when the config caps what a compute unit may cost', 'TX_COMPUTE_PRICE', { view: { config: { maxComputePriceMicroLamports: 999n } } }],
  ]

  test.each(refused)('%s: %s', (_name, code, changes) => {
    const { verdict, reservations } = approve(changes)
    expect(verdict).toMatchObject({ ok: false, refusal: { code } })
    expect(reservations.isPending(KEY), 'what is held for it stays until the pipeline says what became of it').toBe(true)
  })

  test('by a broken invariant when its swap was never let out, or nothing is held for it any more', () => {
    const { proposal, reservations } = approve()
    const view = guardView({ ...PRICES, reservations })
    const copy = { ...proposal, action: { ...proposal.action } }
    expect(() => approveTransaction(KEY, copy, view)).toThrow(expect.objectContaining({ code: 'INVARIANT', details: { key: KEY } }))
    expect(() => approveTransaction('other', proposal, view)).toThrow(expect.objectContaining({ code: 'INVARIANT' }))
    reservations.release(KEY)
    expect(() => approveTransaction(KEY, proposal, view)).toThrow(expect.objectContaining({ code: 'INVARIANT' }))
  })
})
