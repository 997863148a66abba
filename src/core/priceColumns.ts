import { invariant } from './error.ts'
import { type Mint, TOKENS, tokenOf, USDC_MINT } from './tokens.ts'

/** What a column of a price file is the price of. */
export interface PriceColumn {
  readonly mint: Mint
  /** Whole tokens the recorded price is for: 1,000 in `kBONK`. */
  readonly tokens: bigint
}

/** Columns named by the coin where the token on Solana has another name, or is counted in thousands. */
const NAMED_OTHERWISE: Readonly<Record<string, { readonly symbol: string; readonly tokens: bigint }>> = {
  kBONK: { symbol: 'BONK', tokens: 1000n },
  BTC: { symbol: 'CBBTC', tokens: 1n },
}

function mintOf(symbol: string): Mint {
  const token = tokenOf(symbol)
  invariant(token !== undefined, `${symbol} is not in the token table`)
  return token.mint
}

/** Every column name a price file may have, with what it prices. Prices are in USDC, so it has no column. */
export const PRICE_COLUMNS: ReadonlyMap<string, PriceColumn> = new Map([
  ...TOKENS.filter(({ mint }) => mint !== USDC_MINT).map(({ symbol, mint }): [string, PriceColumn] => [symbol, { mint, tokens: 1n }]),
  ...Object.entries(NAMED_OTHERWISE).map(([name, { symbol, tokens }]): [string, PriceColumn] => [name, { mint: mintOf(symbol), tokens }]),
])
