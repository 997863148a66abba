import type { Price } from '../../core/price.ts'
import { type Mint, USDC_MINT } from '../../core/tokens.ts'
import { unitValue } from '../money/usdValue.ts'
import type { CountedFill } from './contestMode.ts'

/**
 * What a seat has made of the swaps it made for a contest. What comes out of one, USDC included, stays
 * in the portfolio and is what the next one uses first; only what it lacks is brought in from the
 * wallet, at its price of that moment. So a portfolio is never short, and what was brought in is the
 * most that was ever deployed.
 */
export interface Portfolio {
  fills: number
  /** Peak capital deployed: all that was brought in, as a value (`usdValue.ts`). */
  deployed: bigint
  /** Base units by mint; a mint with none is left out. */
  holdings: Record<Mint, bigint>
}

export const emptyPortfolio = (): Portfolio => ({ fills: 0, deployed: 0n, holdings: {} })

export function bookFill(portfolio: Portfolio, { changes, priceOf }: Pick<CountedFill, 'changes' | 'priceOf'>): void {
  const { holdings } = portfolio
  portfolio.fills += 1
  for (const { mint, delta } of changes) {
    const before = holdings[mint]
    const held = (before ?? 0n) + delta
    if (held < 0n) portfolio.deployed -= held * unitValue(mint, priceOf)
    if (held > 0n) holdings[mint] = held
    else if (before !== undefined) delete holdings[mint]
  }
}

/** Tokens held whose price decides what a portfolio is worth. */
export function mintsHeld(portfolios: readonly Portfolio[]): Mint[] {
  const mints: Mint[] = []
  for (const { holdings } of portfolios) {
    for (const mint in holdings) if (mint !== USDC_MINT && !mints.includes(mint)) mints.push(mint)
  }
  return mints
}

/** Whether there is any such token. */
export function holdsToken(portfolios: readonly Portfolio[]): boolean {
  for (const { holdings } of portfolios) for (const mint in holdings) if (mint !== USDC_MINT) return true
  return false
}

/** Profit or loss with open positions at these prices, as a value. */
export function profitOf({ deployed, holdings }: Portfolio, priceOf: (mint: Mint) => Price): bigint {
  let profit = -deployed
  for (const mint in holdings) profit += (holdings[mint] ?? 0n) * unitValue(mint, priceOf)
  return profit
}
