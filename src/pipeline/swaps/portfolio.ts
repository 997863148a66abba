import type { Price } from '../../core/price.ts'
import { type Mint, tokenOfMint, USDC_MINT } from '../../core/tokens.ts'
import { tokenValue } from '../../core/tokenValue.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Fill, Positions } from '../../strategy/view.ts'

/** What the executed swaps of one contest have made. Never changed in place. */
export interface Portfolio {
  readonly contestId: string
  /** Base units by mint, USDC apart; a mint of which nothing is left is left out. */
  readonly holdings: ReadonlyMap<Mint, bigint>
  /** USDC received less USDC given. */
  readonly cash: Usdc
  readonly fills: number
  /** Unix milliseconds of the first fill and of the newest. */
  readonly firstAt: number
  readonly lastAt: number
}

/** Looks up a price to mark at; undefined where none is known, or none that is fresh enough. */
export type PriceOf = (mint: Mint) => Price | undefined

const NOTHING: Portfolio['holdings'] = new Map()

export const emptyPortfolio = (contestId: string): Portfolio => ({
  contestId,
  holdings: NOTHING,
  cash: 0n,
  fills: 0,
  firstAt: 0,
  lastAt: 0,
})

export const heldOf = (portfolio: Portfolio | undefined, mint: Mint): bigint => portfolio?.holdings.get(mint) ?? 0n

/** The portfolio after one more executed swap of its contest. */
export function withFill(before: Portfolio, fill: Fill): Portfolio {
  const { contestId, from, to, given, received, at } = fill
  let { holdings, cash } = before
  if (from === USDC_MINT) cash -= given
  else holdings = withUnits(holdings, from, -given)
  if (to === USDC_MINT) cash += received
  else holdings = withUnits(holdings, to, received)
  return { contestId, holdings, cash, fills: before.fills + 1, firstAt: before.fills === 0 ? at : before.firstAt, lastAt: at }
}

/** The chain can give more than the books hold, what was in the wallet before: the books never go below nothing. */
function withUnits(before: Portfolio['holdings'], mint: Mint, units: bigint): Portfolio['holdings'] {
  const left = (before.get(mint) ?? 0n) + units
  if (left > 0n && before.size === 0) return new Map().set(mint, left)
  if (left <= 0n && (before.size === 0 || (before.size === 1 && before.has(mint)))) return NOTHING
  const holdings = new Map(before)
  if (left > 0n) holdings.set(mint, left)
  else holdings.delete(mint)
  return holdings
}

/** Profit or loss with the holdings at these prices; undefined where one has none. */
export function pnlOf({ cash, holdings }: Portfolio, priceOf: PriceOf): Usdc | undefined {
  let worth = cash
  for (const [mint, units] of holdings) {
    const [token, price] = [tokenOfMint(mint), priceOf(mint)]
    if (token === undefined || price === undefined) return undefined
    worth += tokenValue(token, units, price)
  }
  return worth
}

export function positionsOf(portfolio: Portfolio, priceOf: PriceOf): Positions {
  const { cash, fills } = portfolio
  const holdings: Positions['holdings'][number][] = []
  for (const [mint, amount] of portfolio.holdings) holdings.push({ mint, amount })
  return { holdings, cash, fills, pnl: pnlOf(portfolio, priceOf) }
}
