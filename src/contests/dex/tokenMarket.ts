import { type Mint, tokenOfMint } from '../../core/tokens.ts'

/** What it costs to trade a token against USD. */
export interface TokenMarket {
  /** USD on each side of a constant-product pool at the mid price: trading this much moves the price by half. */
  readonly depthUsd: bigint
  /** From the best bid to the best ask: a trade pays half of it. In basis points, to the hundredth. */
  readonly spreadBps: number
}

/** A place to swap at: what it takes, and what its markets are like. */
export interface Venue {
  /** Off the input of every swap, in basis points, to the hundredth. */
  readonly feeBps: number
  /** `null` for a token it does not trade; not asked of USDC. */
  readonly marketOf: (mint: Mint) => TokenMarket | null
}

// Orders of magnitude of what such tokens trade at, not measurements of any one day.
const DEEP: TokenMarket = { depthUsd: 40_000_000n, spreadBps: 2 }
const USUAL: TokenMarket = { depthUsd: 5_000_000n, spreadBps: 6 }
const THIN: TokenMarket = { depthUsd: 1_000_000n, spreadBps: 12 }

const TIERS: readonly (readonly [TokenMarket, readonly string[]])[] = [
  [DEEP, ['SOL', 'ETH', 'CBBTC']],
  [USUAL, ['JUP', 'BONK', 'WIF', 'JTO', 'PYTH', 'RENDER', 'W', 'POPCAT', 'PNUT', 'FARTCOIN', 'PENGU', 'TRUMP', 'PUMP']],
]

const bySymbol = new Map(TIERS.flatMap(([market, symbols]) => symbols.map((symbol) => [symbol, market] as const)))

/** The market of a token against USD; `null` for a token that is not known. Not for USDC, which is the dollar itself. */
export function tokenMarket(mint: Mint): TokenMarket | null {
  const symbol = tokenOfMint(mint)?.symbol
  return symbol === undefined ? null : (bySymbol.get(symbol) ?? THIN)
}

/** Where the sandbox trades, and a backtest whose log says nothing else. */
export const SANDBOX_VENUE: Venue = { feeBps: 5, marketOf: tokenMarket }
