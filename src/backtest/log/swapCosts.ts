import { countUpTo } from '../../core/countUpTo.ts'
import { type Mint, tokenOfMint, USDC_MINT } from '../../core/tokens.ts'
import type { CompiledPrices } from '../../recording/tables.ts'
import type { QuotedSwap } from './samples.ts'

/** A mid price older than this says too little of the one a swap was quoted at. */
const MOST_AGE_MS = 5000

/** What a swap cost against the mid prices that the log has of its moment. */
export interface SwapCost {
  readonly from: Mint
  readonly to: Mint
  /** USD that went in. */
  readonly sizeUsd: number
  /** What went in for what came out, both in USD: 1.0007 where 7 basis points of what came out were paid. */
  readonly inPerOut: number
}

/** The costs of swaps, of those whose tokens both had a price then. */
export function swapCosts(swaps: readonly QuotedSwap[], prices: CompiledPrices): SwapCost[] {
  return swaps.flatMap(({ at, from, to, inAmount, outAmount }) => {
    const sizeUsd = usdOf(prices, from, inAmount, at)
    const inPerOut = sizeUsd / usdOf(prices, to, outAmount, at)
    return sizeUsd > 0 && inPerOut > 0 && Number.isFinite(inPerOut) ? [{ from, to, sizeUsd, inPerOut }] : []
  })
}

/** NaN where the log has no price of that moment. */
function usdOf(prices: CompiledPrices, mint: Mint, units: bigint, at: number): number {
  const decimals = tokenOfMint(mint)?.decimals ?? Number.NaN
  return (Number(units) / 10 ** decimals) * (mint === USDC_MINT ? 1 : midAt(prices, mint, at))
}

function midAt(prices: CompiledPrices, mint: Mint, at: number): number {
  const column = prices.of(mint)
  if (column === undefined) return Number.NaN
  const row = countUpTo(column.ticks, countUpTo(prices.known, at)) - 1
  const knownAt = prices.known[(column.ticks[row] ?? 0) - 1] ?? Number.NEGATIVE_INFINITY
  return at - knownAt <= MOST_AGE_MS ? (column.values[row] ?? Number.NaN) : Number.NaN
}
