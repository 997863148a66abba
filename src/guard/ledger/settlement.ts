import type { ServiceEvent } from '../../contract/events.ts'
import { minUsdc, type Usdc } from '../../core/usdc.ts'
import type { Credit } from './witness.ts'

type Settled = Extract<ServiceEvent, { type: 'contest.settled' }>['data']

/** Stake and payout of a settlement. Where its figures contradict each other: the larger stake and the smaller payout. */
export function costOf({ result, stake: told, payout, profit }: Settled, held: Usdc): { readonly stake: Usdc; readonly credit: Usdc } {
  const implied = result === 'LOSS' ? -profit : payout === undefined ? 0n : payout - profit
  const stake = [told, implied].reduce((most, each) => (each > most ? each : most), held)
  const back = told + profit
  const credit = payout === undefined ? back : result === 'REFUND' ? (payout > back ? payout : back) : minUsdc(payout, back)
  return { stake, credit: credit > 0n ? credit : 0n }
}

/** Part of a stake that no reading shows as returned. */
export const heldFor = ({ isRead, stake, missing }: Credit): Usdc => (isRead ? minUsdc(stake, missing) : stake)

/** Part of a profit that no reading shows. */
export function withheldProfit(credit: Credit): Usdc {
  if (!credit.isRead) return credit.profit
  return minUsdc(credit.profit, credit.missing - heldFor(credit))
}
