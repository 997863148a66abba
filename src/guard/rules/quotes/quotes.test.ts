import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buy, guardView, letOut, NOW_MS, quoted, type ViewChanges } from '../../../../test/support/guard/guardView.ts'
import { type Mint, SOL_MINT, TOKENS, tokenOfMint, USDC_MINT } from '../../../core/tokens.ts'
import { usdc } from '../../../core/usdc.ts'
import { check, checkQuote } from '../../guard.ts'
import type { SwapQuote } from '../../swapQuote.ts'
import type { RefusalCode } from '../../verdict.ts'

const codeOfQuote = (quote: Partial<SwapQuote>, changes: ViewChanges = {}): RefusalCode | 'passed' => {
  const verdict = checkQuote(letOut(buy(), guardView()), quoted(quote), guardView(changes))
  return verdict.ok ? 'passed' : verdict.refusal.code
}

describe('at the limit exactly a quote passes, one unit over it does not', () => {
  const price = (ageMs: number) => ({ prices: { [SOL_MINT]: { price: '150', ageMs } } })
  const boundaries: readonly (readonly [
    name: string,
    code: RefusalCode,
    at: readonly [Partial<SwapQuote>, ViewChanges?],
    over: readonly [Partial<SwapQuote>, ViewChanges?],
  ])[] = [
    ['age', 'QUOTE_STALE', [{ askedAt: NOW_MS - 5000 }], [{ askedAt: NOW_MS - 5001 }]],
    ['impact', 'QUOTE_IMPACT', [{ impactBps: 100 }], [{ impactBps: 100.5 }]],
    ['age of the price', 'PRICE_STALE', [{}, price(15_000)], [{}, price(15_001)]],
    [
      // 9.85 USDC at 150 USD a SOL are 65,666,666⅔ lamports.
      'gap to the feed',
      'QUOTE_BELOW_FEED',
      [{ outAmount: 65_996_650n, minOut: 65_666_667n }],
      [{ outAmount: 65_996_649n, minOut: 65_666_666n }],
    ],
    ['amount given', 'QUOTE_MISMATCH', [{ inAmount: usdc('10') }], [{ inAmount: usdc('10') + 1n }]],
  ]

  test.each(boundaries)('%s', (_name, code, at, over) => {
    expect(codeOfQuote(...at)).toBe('passed')
    expect(codeOfQuote(...over)).toBe(code)
  })

  test('an impact the quote does not tell is judged by the gap alone', () => {
    expect(codeOfQuote({ impactBps: undefined })).toBe('passed')
    expect(codeOfQuote({ impactBps: undefined, outAmount: 60_000_000n, minOut: 59_700_000n })).toBe('QUOTE_BELOW_FEED')
  })

  test('a quote for less than was asked passes', () => {
    expect(codeOfQuote({ inAmount: usdc('5'), outAmount: 33_300_000n, minOut: 33_133_500n })).toBe('passed')
  })

  test('nothing else but what was asked for is needed: over caps on losses and in a drain a quote passes', () => {
    const trouble: ViewChanges = { swapLoss: undefined, lostToday: usdc('99'), inPlay: undefined, runMode: 'draining', stopped: 'entries' }
    expect(codeOfQuote({}, trouble)).toBe('passed')
  })
})

// The same questions in fractions of whole numbers, as one would ask them on paper.

interface Fraction {
  readonly over: bigint
  readonly under: bigint
}
const times = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.over, under: a.under * b.under })
const minus = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.under - b.over * a.under, under: a.under * b.under })
const isAtLeast = (a: Fraction, b: Fraction): boolean => a.over * b.under >= b.over * a.under
const decimal = (text: string): Fraction => {
  const [whole = '', fraction = ''] = text.split('.')
  return { over: BigInt(whole + fraction), under: 10n ** BigInt(fraction.length) }
}
const tokens = (amount: bigint, mint: Mint): Fraction => ({ over: amount, under: 10n ** BigInt(tokenOfMint(mint)?.decimals ?? 0) })

const mint = fc.constantFrom(...TOKENS.map((token) => token.mint))
const priceText = fc.oneof(
  fc.tuple(fc.bigInt(0n, 10n ** 6n), fc.stringMatching(/^\d{1,12}$/)).map(([whole, fraction]) => `${whole}.${fraction}`),
  fc.constantFrom('1', '0.000000000000000001', '150', '0.00002', '187.250'),
)
const basisPoints = fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 300 }))

/** A swap that would be let out, its prices, and an outcome near the edge of what the feed allows. */
const offer = fc
  .record({
    from: mint,
    to: mint,
    prices: fc.tuple(priceText, priceText),
    amount: fc.bigInt(1n, 10n ** 12n),
    gapBps: basisPoints,
    slippageBps: fc.integer({ min: 0, max: 9_999 }),
    off: fc.bigInt(-3n, 3n),
  })
  .filter(({ from, to, prices: [a, b] }) => from !== to && /[1-9]/.test(a) && /[1-9]/.test(b))
  .map(({ prices: [fromPrice, toPrice], ...rest }) => {
    const { from, to, amount, gapBps, slippageBps, off } = rest
    const price = { from: from === USDC_MINT ? '1' : fromPrice, to: to === USDC_MINT ? '1' : toPrice }
    const given = times(tokens(amount, from), decimal(price.from))
    // The outcome whose least part is worth what the gap leaves of it, or some units more or less.
    const fair = times(given, { over: BigInt(10_000 - gapBps), under: 10_000n })
    const perUnit = times(tokens(1n, to), decimal(price.to))
    const least = (fair.over * perUnit.under) / (fair.under * perUnit.over)
    const outAmount = (least * 10_000n) / BigInt(10_000 - slippageBps) + off
    return { ...rest, price, given, outAmount, minOut: roundUp(outAmount * BigInt(10_000 - slippageBps)) }
  })
  .filter(({ outAmount }) => outAmount > 0n)

/** The least whole number that is not under these ten-thousandths, found by looking. */
function roundUp(tenThousandths: bigint): bigint {
  for (let value = tenThousandths / 10_000n - 1n; ; value += 1n) if (value * 10_000n >= tenThousandths) return value
}

describe('a quote against exact arithmetic', () => {
  const view = ({ from, to, price, gapBps, slippageBps }: Pick<Offer, 'from' | 'to' | 'price' | 'gapBps' | 'slippageBps'>) =>
    guardView({
      config: { maxFeedGapBps: gapBps, maxSlippageBps: slippageBps, maxSwap: 10n ** 40n, dailyLoss: 10n ** 40n },
      prices: { [from]: { price: price.from, ageMs: 0 }, [to]: { price: price.to, ageMs: 0 } },
      available: { value: 10n ** 40n, begunAt: NOW_MS },
      traded: { c: { held: { [from]: 10n ** 40n } } },
    })
  type Offer = typeof offer extends fc.Arbitrary<infer T> ? T : never
  const tally = { passed: 0, refused: 0 }

  test('passes if and only if its least outcome is worth what the gap leaves, and then loses no more than was held for it', () => {
    fc.assert(
      fc.property(offer, (one) => {
        const { from, to, amount, gapBps, slippageBps, outAmount, minOut, given, price } = one
        const shown = view(one)
        const verdict = check('key', { type: 'swap', contestId: 'c', from, to, amount }, shown)
        if (!verdict.ok) throw new Error(verdict.refusal.message)
        const quote = { from, to, inAmount: amount, outAmount, minOut, slippageBps, impactBps: undefined, askedAt: NOW_MS }
        const judged = checkQuote(verdict.action, quote, shown)

        const certain = times(tokens(minOut, to), decimal(price.to))
        const fair = times(given, { over: BigInt(10_000 - gapBps), under: 10_000n })
        expect(judged.ok ? 'passed' : judged.refusal.code).toBe(isAtLeast(certain, fair) ? 'passed' : 'QUOTE_BELOW_FEED')
        const risk = { over: verdict.hold.risk, under: 10n ** 6n }
        if (judged.ok) {
          tally.passed += 1
          expect(isAtLeast(risk, minus(given, certain))).toBe(true)
        } else {
          tally.refused += 1
          const { gapBps: toldBps = 0, given: toldGiven = 0, certain: toldCertain = 0 } = judged.refusal.numbers
          // What is told is rounded against the swap, and says by itself that it is over.
          expect(Number(toldBps)).toBeGreaterThan(gapBps)
          expect(isAtLeast({ over: BigInt(toldGiven), under: 10n ** 6n }, given)).toBe(true)
          expect(isAtLeast(certain, { over: BigInt(toldCertain), under: 10n ** 6n })).toBe(true)
        }
        // Held is no more than what rounding up takes: under a micro-USDC too much.
        const most = times(given, { over: BigInt(gapBps), under: 10_000n })
        expect(isAtLeast({ over: 1n, under: 10n ** 6n }, minus(risk, most))).toBe(true)
      }),
      { numRuns: 2000 },
    )
    expect(Math.min(tally.passed, tally.refused)).toBeGreaterThan(300)
  })

  test('passes with one least outcome only, the one the slippage leaves of it, rounded up', () => {
    fc.assert(
      fc.property(offer, fc.bigInt(-2n, 2n), (one, off) => {
        const { from, to, amount, slippageBps, outAmount, minOut } = one
        const shown = view({ ...one, gapBps: 10_000 })
        const action = letOut({ type: 'swap', contestId: 'c', from, to, amount }, shown)
        const quote = { from, to, inAmount: amount, outAmount, minOut: minOut + off, slippageBps, impactBps: 0, askedAt: NOW_MS }
        const judged = checkQuote(action, quote, shown)
        expect(judged.ok ? 'passed' : judged.refusal.code).toBe(off === 0n ? 'passed' : 'QUOTE_MISMATCH')
      }),
      { numRuns: 1000 },
    )
  })
})
