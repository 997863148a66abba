import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mintOf, SOL } from '../../../test/support/contests/testWorld.ts'
import { unscalePrice } from '../../core/price.ts'
import { type Mint, TOKENS, USDC_MINT } from '../../core/tokens.ts'
import { type PriceOf, type Quote, type QuoteRequest, quoteSwap } from './quote.ts'

const BONK = mintOf('BONK')
const PRICES: Readonly<Record<Mint, string>> = { [SOL]: '200', [BONK]: '0.000025' }
const priceOf: PriceOf = (mint) => PRICES[mint] ?? null
const SOL_TO_USDC = { inputMint: SOL, outputMint: USDC_MINT, swapMode: 'ExactIn', slippageBps: 50 } as const

function quoted(request: QuoteRequest, prices: PriceOf = priceOf): Quote {
  const answer = quoteSwap(request, prices)
  if (!answer.ok) throw new Error(`refused: ${answer.code}, ${answer.message}`)
  return answer.quote
}

function codeOf(request: Partial<QuoteRequest>, prices: PriceOf = priceOf): string {
  const answer = quoteSwap({ ...SOL_TO_USDC, amount: 1_000_000_000n, ...request }, prices)
  return answer.ok ? 'accepted' : answer.code
}

describe('quoteSwap', () => {
  test('one SOL for USDC: the fee, half the spread and the depth come off the mid price', () => {
    // By hand: 200 USD × 0.9995 × 0.9999 = 199.88001; in a pool of 40,000,000 that moves out 199.87901…
    expect(quoted({ ...SOL_TO_USDC, amount: 1_000_000_000n })).toEqual({
      inputMint: SOL,
      outputMint: USDC_MINT,
      swapMode: 'ExactIn',
      slippageBps: 50,
      inAmount: 1_000_000_000n,
      outAmount: 199_879_011n,
      otherAmountThreshold: 198_879_616n, // ceil(199,879,011 × 0.995)
      priceImpactPct: expect.stringMatching(/^0\.00000499/),
      feeAmount: 500_000n,
      feeMint: SOL,
    })
  })

  test('ExactOut: the most that may go in is the input and the slippage, cut', () => {
    const { inAmount, outAmount, otherAmountThreshold } = quoted({ ...SOL_TO_USDC, swapMode: 'ExactOut', amount: 199_879_011n })
    expect(outAmount).toBe(199_879_011n)
    expect(inAmount).toBeGreaterThan(999_999_990n)
    expect(inAmount).toBeLessThanOrEqual(1_000_000_000n)
    expect(otherAmountThreshold).toBe((inAmount * 10_050n) / 10_000n)
  })

  test.each<[string, Partial<QuoteRequest>]>([
    ['SAME_TOKEN', { outputMint: SOL }],
    ['UNKNOWN_TOKEN', { outputMint: 'Unknown1111111111111111111111111111111111111' }],
    ['NO_PRICE', { outputMint: mintOf('JUP') }],
    ['AMOUNT_INVALID', { amount: 0n }],
    ['AMOUNT_INVALID', { amount: 2n ** 64n }],
    ['SLIPPAGE_INVALID', { slippageBps: -1 }],
    ['SLIPPAGE_INVALID', { slippageBps: 10_001 }],
    ['SLIPPAGE_INVALID', { slippageBps: 0.5 }],
    ['TOO_SMALL', { amount: 1n }],
    ['TOO_LARGE', { amount: 200_001n * 10n ** 9n }],
    ['TOO_LARGE', { swapMode: 'ExactOut', amount: 20_000_001n * 10n ** 6n }],
    ['accepted', { amount: 200_000n * 10n ** 9n }],
  ])('%s', (code, request) => {
    expect(codeOf(request)).toBe(code)
  })

  test('another venue: its fee, its spread and its depth, to the hundredth of a basis point', () => {
    const venue = { feeBps: 12.34, marketOf: () => ({ spreadBps: 10.5, depthUsd: 1_000_000n }) }
    const answer = quoteSwap({ ...SOL_TO_USDC, amount: 1_000_000_000n }, priceOf, venue)
    // By hand: 200 USD × 0.998766 × 0.999475 = 199.64833…; in a pool of 1,000,000 that moves out 199.60847…
    expect(answer).toMatchObject({ ok: true, quote: { outAmount: 199_608_478n, feeAmount: 1_234_000n } })
  })

  test('a price of 0 is none', () => {
    expect(codeOf({}, () => '0')).toBe('NO_PRICE')
  })
})

/** Two tokens, their prices, and an amount that is neither dust nor over the depth most of the time. */
const market = fc.record({
  mints: fc.shuffledSubarray(
    TOKENS.map(({ mint }) => mint),
    { minLength: 2, maxLength: 2 },
  ),
  prices: fc.tuple(fc.bigInt({ min: 10n ** 13n, max: 10n ** 22n }), fc.bigInt({ min: 10n ** 13n, max: 10n ** 22n })),
  amount: fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 6n }), fc.nat(8)).map(([digits, zeros]) => digits * 10n ** BigInt(zeros)),
  slippageBps: fc.integer({ min: 0, max: 10_000 }),
})

type Market = typeof market extends fc.Arbitrary<infer T> ? T : never

function pairOf({ mints: [inputMint = '', outputMint = ''], prices: [inPrice, outPrice], slippageBps }: Market) {
  const priceOfPair: PriceOf = (mint) => unscalePrice(mint === inputMint ? inPrice : outPrice)
  return { priceOf: priceOfPair, form: { inputMint, outputMint, slippageBps } }
}

/** Runs the property, and counts how often it came to a quote: properties of refusals alone prove nothing. */
function holds(property: (market: Market) => boolean): void {
  let quotes = 0
  fc.assert(
    fc.property(market, (given) => {
      if (property(given)) quotes += 1
    }),
    { numRuns: 300, seed: 20250721 },
  )
  expect(quotes).toBeGreaterThan(100)
}

describe('properties of quoteSwap', () => {
  test('more in never gives less out, and never a better price', () => {
    holds((given) => {
      const { priceOf: prices, form } = pairOf(given)
      const [small, large] = [given.amount, given.amount * 2n].map((amount) => quoteSwap({ ...form, swapMode: 'ExactIn', amount }, prices))
      if (!small?.ok || !large?.ok) return false
      expect(large.quote.outAmount).toBeGreaterThanOrEqual(small.quote.outAmount)
      expect(Number(large.quote.priceImpactPct)).toBeGreaterThanOrEqual(Number(small.quote.priceImpactPct))
      return true
    })
  })

  test('there and back never gives more than went in', () => {
    holds((given) => {
      const { priceOf: prices, form } = pairOf(given)
      const there = quoteSwap({ ...form, swapMode: 'ExactIn', amount: given.amount }, prices)
      if (!there.ok) return false
      const { inputMint: outputMint, outputMint: inputMint, slippageBps } = form
      const back = quoteSwap({ inputMint, outputMint, slippageBps, swapMode: 'ExactIn', amount: there.quote.outAmount }, prices)
      if (back.ok) expect(back.quote.outAmount).toBeLessThan(given.amount)
      return back.ok
    })
  })

  test('ExactOut is the smallest input whose ExactIn gives enough', () => {
    holds((given) => {
      const { priceOf: prices, form } = pairOf(given)
      const answer = quoteSwap({ ...form, swapMode: 'ExactOut', amount: given.amount }, prices)
      if (!answer.ok) return false
      const { inAmount } = answer.quote
      const exactIn = (amount: bigint) => {
        const forward = quoteSwap({ ...form, swapMode: 'ExactIn', amount }, prices)
        return forward.ok ? forward.quote.outAmount : 0n
      }
      expect(exactIn(inAmount)).toBeGreaterThanOrEqual(given.amount)
      expect(exactIn(inAmount - 1n)).toBeLessThan(given.amount)
      return true
    })
  })

  test('the threshold is the output less the slippage, rounded up', () => {
    holds((given) => {
      const { priceOf: prices, form } = pairOf(given)
      const answer = quoteSwap({ ...form, swapMode: 'ExactIn', amount: given.amount }, prices)
      if (!answer.ok) return false
      const { outAmount, otherAmountThreshold } = answer.quote
      const exact = outAmount * BigInt(10_000 - given.slippageBps)
      expect(otherAmountThreshold * 10_000n).toBeGreaterThanOrEqual(exact)
      expect((otherAmountThreshold - 1n) * 10_000n).toBeLessThan(exact)
      return true
    })
  })
})
