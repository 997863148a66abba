import { CornermanError } from '../core/error.ts'
import { show } from '../core/show.ts'
import type { Usdc } from '../core/usdc.ts'

/**
 * Kelly's criterion: the share of a bankroll to stake, so that it grows fastest in the long run: (p × (b + 1) - 1) ÷ b, or 0 where
 * that is negative. Stake less than that where p is only an estimate.
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
 * The upper confidence bound of UCB1, for choosing among options whose results lie between 0 and 1: √(2 ln N ÷ n). The option whose
 * mean result and bound add up to the most is the one to try next. Infinite for an option that was never tried.
 *
 * @param tries n: how often this one was chosen
 * @param total N: how often any was
 * @see P. Auer, N. Cesa-Bianchi, P. Fischer, Finite-time Analysis of the Multiarmed Bandit Problem (2002), UCB1
 * @example confidenceBound(4, 100) // 1.517…
 */
export const confidenceBound = (tries: number, total: number): number =>
  tries <= 0 ? Number.POSITIVE_INFINITY : Math.sqrt((2 * Math.log(Math.max(total, 1))) / tries)

/**
 * A share of an amount, rounded down to the micro-USDC. The share counts as the decimal that it is written as, so that no amount is
 * ever a float.
 *
 * @param share 0 to 1
 * @throws CornermanError `BET_INVALID` outside of that
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
