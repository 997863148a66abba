import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Mint, SOL_MINT, TOKENS, tokenOf, USDC_MINT } from '../../core/tokens.ts'
import { usdc } from '../../core/usdc.ts'
import type { Fill } from '../../strategy/view.ts'
import { emptyPortfolio, heldOf, type Portfolio, pnlOf, positionsOf, withFill } from './portfolio.ts'
import { Portfolios } from './portfolios.ts'

const BONK_MINT = tokenOf('BONK')?.mint ?? ''
const MINTS: readonly Mint[] = [USDC_MINT, SOL_MINT, BONK_MINT]
const SOL = 1_000_000_000n

const fillOf = (fields: Partial<Fill>): Fill => ({
  key: 'k',
  contestId: 'c',
  signature: undefined,
  at: 1000,
  from: USDC_MINT,
  to: SOL_MINT,
  given: usdc('10'),
  received: SOL,
  feeLamports: 5000n,
  source: 'chain',
  ...fields,
})

function folded(fills: readonly Fill[]): ReadonlyMap<string, Portfolio> {
  const portfolios = new Portfolios()
  for (const fill of fills) portfolios.fold(fill)
  return portfolios.open
}
const portfolioOf = (...fills: readonly Fill[]): Portfolio => folded(fills).get('c') ?? emptyPortfolio('c')

const units = fc.bigInt({ min: 0n, max: 2n ** 64n })
const anyFill = fc
  .record({
    contestId: fc.constantFrom('c', 'd'),
    pair: fc.shuffledSubarray([...MINTS], { minLength: 2, maxLength: 2 }),
    given: units,
    received: units,
    at: fc.nat(100_000),
  })
  .map(({ pair: [from = '', to = ''], ...fields }) => fillOf({ from, to, ...fields }))

/** What fills of one contest come to, mint by mint, whatever the books say. */
const sumOf = (fills: readonly Fill[], contestId: string, mint: Mint) =>
  fills
    .filter((fill) => fill.contestId === contestId)
    .reduce((sum, { from, to, given, received }) => sum + (to === mint ? received : 0n) - (from === mint ? given : 0n), 0n)

describe('the fold of fills', () => {
  test('is exact where a contest sells what it has bought', () => {
    fc.assert(
      fc.property(fc.array(anyFill, { maxLength: 30 }), (drawn) => {
        // A contest gives what it has; of USDC, anything.
        const fills: Fill[] = []
        for (const fill of drawn) {
          const held = fill.from === USDC_MINT ? 2n ** 64n : heldOf(folded(fills).get(fill.contestId), fill.from)
          fills.push({ ...fill, given: fill.given % (held + 1n) })
        }
        const portfolios = folded(fills)
        for (const contestId of ['c', 'd']) {
          const { cash, holdings, fills: count } = portfolios.get(contestId) ?? emptyPortfolio(contestId)
          expect(cash).toBe(sumOf(fills, contestId, USDC_MINT))
          for (const mint of [SOL_MINT, BONK_MINT]) expect(holdings.get(mint) ?? 0n).toBe(sumOf(fills, contestId, mint))
          expect(count).toBe(fills.filter((fill) => fill.contestId === contestId).length)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('never holds less than nothing of anything, and lists nothing that it does not hold', () => {
    fc.assert(
      fc.property(fc.array(anyFill, { maxLength: 30 }), (fills) => {
        for (const { holdings } of folded(fills).values()) for (const held of holdings.values()) expect(held > 0n).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('leaves what it was made of as it was', () => {
    const before = portfolioOf(fillOf({}))
    const copy = structuredClone(before)
    withFill(before, fillOf({ from: SOL_MINT, to: USDC_MINT, given: SOL, received: usdc('11') }))
    expect(before).toEqual(copy)
  })
})

describe('profit or loss', () => {
  const bought = portfolioOf(fillOf({}), fillOf({ to: BONK_MINT, given: usdc('5'), received: 100_000n }))
  const prices: Readonly<Record<Mint, string>> = { [SOL_MINT]: '12.5', [BONK_MINT]: '4' }

  test('is the cash with what is held at its price', () => {
    // -15 + 12.50 for a SOL + 4 for a BONK
    expect(pnlOf(bought, (mint) => prices[mint])).toBe(usdc('1.5'))
    expect(positionsOf(bought, (mint) => prices[mint])).toEqual({
      holdings: [
        { mint: SOL_MINT, amount: SOL },
        { mint: BONK_MINT, amount: 100_000n },
      ],
      cash: usdc('-15'),
      pnl: usdc('1.5'),
      fills: 2,
    })
  })

  test('is not known while one of its tokens has no price, or no decimals', () => {
    expect(pnlOf(bought, (mint) => (mint === SOL_MINT ? '12.5' : undefined))).toBeUndefined()
    expect(pnlOf(portfolioOf(fillOf({ to: 'nobodys mint' })), () => '1')).toBeUndefined()
  })

  test('needs no price of what is all sold', () => {
    const sold = portfolioOf(fillOf({}), fillOf({ from: SOL_MINT, to: USDC_MINT, given: SOL, received: usdc('9') }))
    expect(pnlOf(sold, () => undefined)).toBe(usdc('-1'))
  })

  test('of any token of the table is what its decimals make of it', () => {
    for (const { mint, decimals } of TOKENS) {
      if (mint === USDC_MINT) continue
      expect(pnlOf(portfolioOf(fillOf({ to: mint, received: 3n * 10n ** BigInt(decimals) })), () => '2')).toBe(usdc('-4'))
    }
  })
})
