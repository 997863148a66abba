import { ceilDivide } from '../../../core/ceilDivide.ts'
import { afterTransferFee } from '../../../core/tokenFacts.ts'
import { formatUsdc } from '../../../core/usdc.ts'
import { feedValue, toMicro, toMicroUp } from '../../feedValue.ts'
import type { QuoteRule } from '../../rule.ts'

/** What comes back for certain, less what the mint keeps of it, is worth, by the feed, nearly what is given: the one bound on what a swap can cost. */
export const aboveFeed: QuoteRule = ({ quote: { from, to, inAmount, minOut } }, view) => {
  const { maxFeedGapBps } = view.config
  const given = feedValue(inAmount, from, view)
  const transferFee = view.token(to)?.transferFee
  const certain = feedValue(afterTransferFee(minOut, transferFee), to, view)
  // `pricesFresh` has refused what cannot be compared.
  if (given === undefined || certain === undefined || certain * 10_000n >= given * BigInt(10_000 - maxFeedGapBps)) return undefined
  const kept = transferFee === undefined ? '' : `, after a transfer fee of ${transferFee.feeBps} bps`
  const gapBps = Number(ceilDivide((given - certain) * 10_000n, given))
  return {
    code: 'QUOTE_BELOW_FEED',
    message: `for ${formatUsdc(toMicroUp(given))} USDC by the feed only ${formatUsdc(toMicro(certain))} are certain${kept}: ${gapBps} bps less, guard.maxFeedGapBps is ${maxFeedGapBps}`,
    numbers: {
      ...{ given: toMicroUp(given), certain: toMicro(certain), gapBps, maxFeedGapBps },
      ...(transferFee === undefined ? {} : { transferFeeBps: transferFee.feeBps }),
    },
  }
}
