import { ceilDivide } from '../../../core/ceilDivide.ts'
import { refusal } from '../codes.ts'
import type { JupiterSwap } from '../jupiter/swap.ts'
import type { SwapTerms } from '../terms.ts'
import { actsOf, type Check, firstRefusal } from './check.ts'

const ALL_BPS = 10_000n

/** A swap of Jupiter's says what was quoted: what goes in, what comes out, how far that may slip, and what is kept back. */
export const jupiterAmounts: Check = (subject) =>
  firstRefusal(actsOf(subject, 'swap'), ({ swap }) => ofIn(swap, subject.terms) ?? ofOut(swap, subject.terms) ?? ofFee(swap, subject.terms))

function ofIn({ inAmount, isExactOut, slippageBps }: JupiterSwap, { amount, slippageBps: quotedBps }: SwapTerms) {
  if (inAmount === undefined) return refusal('TX_SWAP_AMOUNT', 'what goes in is read from an account on the chain', { amount })
  if (slippageBps !== quotedBps) return refusal('TX_SWAP_SLIPPAGE', `it lets ${slippageBps} bps slip`, { slippageBps, quotedBps })
  if (isExactOut) {
    const mostIn = ceilDivide(inAmount * (ALL_BPS + BigInt(slippageBps)), ALL_BPS)
    return mostIn <= amount ? undefined : refusal('TX_SWAP_AMOUNT', `it takes up to ${mostIn} to give ${amount}`, { mostIn, amount })
  }
  return inAmount === amount ? undefined : refusal('TX_SWAP_AMOUNT', `it takes ${inAmount} to give ${amount}`, { inAmount, amount })
}

function ofOut({ quotedOut, isExactOut, slippageBps }: JupiterSwap, terms: SwapTerms) {
  if (quotedOut !== terms.quotedOut)
    return refusal('TX_SWAP_QUOTED_OUT', `it expects ${quotedOut}`, { quotedOut, expected: terms.quotedOut })
  // Jupiter's own quotes round the threshold up, in every one that is at hand.
  const minOut = isExactOut ? quotedOut : ceilDivide(quotedOut * (ALL_BPS - BigInt(slippageBps)), ALL_BPS)
  if (minOut >= terms.minOut) return undefined
  return refusal('TX_SWAP_MIN_OUT', `it is content with ${minOut}, and ${terms.minOut} must come in`, { minOut, expected: terms.minOut })
}

function ofFee({ platformFeeBps, positiveSlippageBps }: JupiterSwap, { platformFeeBps: quotedFeeBps = 0 }: SwapTerms) {
  // A fee account may be named where there is no fee; nothing goes there then. No quote states a share of what comes out above it.
  if (platformFeeBps === quotedFeeBps && positiveSlippageBps === 0) return undefined
  return refusal('TX_SWAP_FEE', `it keeps back ${platformFeeBps} bps, and ${positiveSlippageBps} bps of what is above the quote`, {
    platformFeeBps,
    quotedFeeBps,
    positiveSlippageBps,
  })
}
