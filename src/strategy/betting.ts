import { CornermanError } from '../core/error.ts'
import { show } from '../core/show.ts'
import type { Usdc } from '../core/usdc.ts'

/**
 * The share of a bankroll that makes it grow fastest in the long run: (p × (b + 1) - 1) ÷ b, and 0 where the bet is not worth
 * it. Whoever is not sure of p stakes less than that.
 *
 * @param winShare p: the share of bets that are won, 0 to 1
 * @param odds b: what a won bet brings per unit staked, after fees; 0.9 in a duel that costs 5 % of the pot
 * @throws CornermanError `BET_INVALID` where `winShare` is no share or `odds` is not above 0
 * @see J. L. Kelly, A New Interpretation of Information Rate (1956)
 * @example kellyFraction(0.6, 0.9) // 0.155…
 */
export function kellyFraction(winShare: number, odds: number): number {
  if (!(winShare >= 0 && winShare <= 1)) throw new CornermanError('BET_INVALID', `winShare = ${show(winShare)}: a number from 0 to 1`)
  if (!(odds > 0 && odds < Number.POSITIVE_INFINITY)) throw new CornermanError('BET_INVALID', `odds = ${show(odds)}: a number above 0`)
  return Math.min(1, Math.max(0, (winShare * (odds + 1) - 1) / odds))
}

/**
 * How far the true mean of a choice may lie above what was seen of it, for values between 0 and 1: √(2 ln N ÷ n). The choice
 * with the highest mean and bound together is the one to try next. Infinite for one that was never tried.
 *
 * @param tries n: how often this one was chosen
 * @param total N: how often any was
 * @see P. Auer, N. Cesa-Bianchi, P. Fischer, Finite-time Analysis of the Multiarmed Bandit Problem (2002), UCB1
 */
export const confidenceBound = (tries: number, total: number): number =>
  tries <= 0 ? Number.POSITIVE_INFINITY : Math.sqrt((2 * Math.log(Math.max(total, 1))) / tries)

/**
 * A share of an amount, exact by the decimal that the share is written as, and rounded down to the micro-USDC.
 *
 * @param share 0 to 1
 * @example shareOf(usdc('1000'), 0.02) // 20 USDC
 */
export function shareOf(amount: Usdc, share: number): Usdc {
  if (!(share >= 0 && share <= 1)) throw new CornermanError('BET_INVALID', `share = ${show(share)}: a number from 0 to 1`)
  const [parts, whole] = fractionOf(share)
  return (amount * parts) / whole
}

/** A number from 0 to 1 as it is written, in whole numbers: 0.0157 is 157 of 10,000. So no amount is ever a float. */
function fractionOf(share: number): readonly [parts: bigint, whole: bigint] {
  const [digits = '', exponent = '0'] = String(share).split('e-')
  const [ones = '', decimals = ''] = digits.split('.')
  return [BigInt(ones + decimals), 10n ** BigInt(decimals.length + Number(exponent))]
}
