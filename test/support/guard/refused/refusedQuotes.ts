import { SOL_MINT, USDC_MINT } from '../../../../src/core/tokens.ts'
import { usdc } from '../../../../src/core/usdc.ts'
import { feeMoon } from '../../tokens/facts.ts'
import { BONK_MINT, NOW_MS } from '../guardView.ts'
import type { Refused, RefusedQuote } from './refused.ts'

const mismatch = (
  name: string,
  quote: RefusedQuote['quote'],
  [field, is, asked]: readonly [string, string | number | bigint, string | number | bigint],
): RefusedQuote => ({
  name,
  ...(quote === undefined ? {} : { quote }),
  numbers: { field, quoted: is, asked },
  message: `the quote has ${field} ${is} where ${asked} was asked for`,
})

/** What the rules refuse of a quote for a buy of SOL for 10 USDC that was let out. */
export const REFUSED_QUOTES: Refused<RefusedQuote> = {
  KILL_SWITCH: [{ name: 'the operator has acted meanwhile', view: () => ({ stopped: 'all' }), numbers: {}, message: 'swaps nothing' }],
  CONTEST_NOT_LIVE: [
    {
      name: 'the window has closed meanwhile',
      view: () => ({ traded: { c: { phase: 'settled' } } }),
      numbers: { contestId: 'c', phase: 'settled' },
      message: 'contest c is settled: swaps count while it is live',
    },
  ],
  QUOTE_STALE: [
    {
      name: 'a millisecond too old',
      quote: { askedAt: NOW_MS - 5001 },
      numbers: { ageMs: 5001, maxQuoteAgeMs: 5000 },
      message: 'the quote was asked for 5001 ms ago, guard.maxQuoteAgeMs is 5000',
    },
  ],
  SLIPPAGE_OVER_CAP: [
    {
      name: 'a basis point more than the cap',
      quote: { slippageBps: 51, minOut: 66_260_340n },
      numbers: { slippageBps: 51, maxSlippageBps: 50 },
      message: 'a slippage of 51 bps',
    },
    {
      name: 'no number',
      quote: { slippageBps: Number.NaN },
      numbers: { slippageBps: Number.NaN, maxSlippageBps: 50 },
      message: 'of NaN bps',
    },
  ],
  QUOTE_MISMATCH: [
    mismatch('another token given', { from: BONK_MINT }, ['from', BONK_MINT, USDC_MINT]),
    mismatch('another token bought', { to: BONK_MINT }, ['to', BONK_MINT, SOL_MINT]),
    mismatch('a unit more given', { inAmount: usdc('10') + 1n }, ['inAmount', 10_000_001n, 10_000_000n]),
    mismatch('nothing given', { inAmount: 0n }, ['inAmount', 0n, 10_000_000n]),
    mismatch('another slippage', { slippageBps: 40, minOut: 66_333_600n }, ['slippageBps', 40, 50]),
    mismatch('a least outcome of a unit less', { minOut: 66_266_999n }, ['minOut', 66_266_999n, 66_267_000n]),
    mismatch('a least outcome above the outcome', { minOut: 66_600_001n }, ['minOut', 66_600_001n, 66_267_000n]),
    mismatch('a least outcome rounded down', { outAmount: 66_600_001n }, ['minOut', 66_267_000n, 66_267_001n]),
    mismatch('nothing for it', { outAmount: 0n, minOut: 0n }, ['minOut', 0n, 0n]),
  ],
  PRICE_UNKNOWN: [
    {
      name: 'no price any more',
      view: () => ({ prices: { [SOL_MINT]: undefined } }),
      numbers: { token: SOL_MINT },
      message: 'the feed has no price of SOL',
    },
  ],
  PRICE_STALE: [
    {
      name: 'no fresh price any more',
      view: () => ({ prices: { [SOL_MINT]: { price: '150', ageMs: 15_001 } } }),
      numbers: { token: SOL_MINT, ageMs: 15_001, maxPriceAgeMs: 15_000 },
      message: 'the price of SOL is 15001 ms old',
    },
  ],
  QUOTE_IMPACT: [
    {
      name: 'a basis point more than the cap',
      quote: { impactBps: 101 },
      numbers: { impactBps: 101, maxPriceImpactBps: 100 },
      message: 'the swap would move the price by 101 bps, guard.maxPriceImpactBps is 100',
    },
  ],
  QUOTE_BELOW_FEED: [
    {
      name: 'what the mint keeps back of what comes in',
      quote: { outAmount: 66_600_000n, minOut: 66_267_000n },
      view: () => ({
        tokens: [feeMoon({ mint: SOL_MINT, symbol: 'SOL', decimals: 9, maxTransferFeeBps: 100 })],
      }),
      numbers: { given: usdc('10'), certain: 9_840_649n, gapBps: 160, maxFeedGapBps: 150, transferFeeBps: 100 },
      message: 'after a transfer fee of 100 bps',
    },
    {
      // 65,666,667 lamports are worth 9.85000005 USDC: exactly 150 bps under would be 9.85.
      name: 'a hair under the gap',
      quote: { outAmount: 65_996_649n, minOut: 65_666_666n },
      numbers: { given: usdc('10'), certain: 9_849_999n, gapBps: 151, maxFeedGapBps: 150 },
      message: 'for 10.00 USDC by the feed only 9.849999 are certain: 151 bps less, guard.maxFeedGapBps is 150',
    },
    {
      name: 'next to nothing, with an impact the quote does not tell',
      quote: { outAmount: 1n, minOut: 1n, impactBps: undefined },
      numbers: { given: usdc('10'), certain: 0n, gapBps: 10_000, maxFeedGapBps: 150 },
      message: 'only 0.00 are certain',
    },
  ],
}
