import { type Mint, USDC_MINT } from '../core/tokens.ts'
import { type Usdc, usdc } from '../core/usdc.ts'
import { type SwapIntent, swap } from './action.ts'
import type { TradeContext } from './define.ts'
import type { Positions } from './view.ts'

/** What is left in a wallet after the last purchase is not worth another one: its fee would be most of it. */
const LEAST: Usdc = usdc('0.1')

/**
 * How much of a token the contest's swaps have bought and not sold, in base units; 0n where there is none.
 *
 * @example positions$.pipe(map((positions) => heldOf(positions, SOL_MINT))) // 50_000_000n is 0.05 SOL
 */
export function heldOf({ holdings }: Pick<Positions, 'holdings'>, mint: Mint): bigint {
  return holdings.reduce((sum, holding) => (holding.mint === mint ? sum + holding.amount : sum), 0n)
}

/**
 * Buys `token` for `amount` micro-USDC, or for all that the bot can spend now where that is less.
 *
 * @returns undefined where that would be under 0.10 USDC, or what can be spent is not known yet
 * @example buy(context, SOL_MINT, usdc('10'))
 */
export function buy({ available }: Pick<TradeContext<unknown>, 'available'>, token: Mint, amount: Usdc): SwapIntent | undefined {
  const spendable = available() ?? 0n
  const spent = amount < spendable ? amount : spendable
  return spent < LEAST ? undefined : swap({ from: USDC_MINT, to: token, amount: spent })
}

/**
 * Sells all of `token` that the contest's swaps have bought, to the base unit.
 *
 * @returns undefined where nothing of it is held
 * @example positions$.pipe(map((positions) => sellAll(positions, SOL_MINT)))
 */
export function sellAll(positions: Pick<Positions, 'holdings'>, token: Mint): SwapIntent | undefined {
  const amount = heldOf(positions, token)
  return amount > 0n ? swap({ from: token, to: USDC_MINT, amount }) : undefined
}
