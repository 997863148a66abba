import type { Mint } from '../../../src/core/tokens.ts'
import type { CompiledPrices } from '../../../src/recording/tables.ts'

/** 12:00 UTC of a day: when the first tick is known. */
export const FIRST_TICK_MS = Date.UTC(2025, 6, 21, 12)

/** A log's prices for tests: a tick a second, or every so many, as these numbers of USD are. */
export function testPrices(byMint: Readonly<Record<Mint, readonly number[]>>, everySec = 1): CompiledPrices {
  const mints = Object.keys(byMint)
  const tickCount = Math.max(0, ...Object.values(byMint).map(({ length }) => length))
  const at = Float64Array.from({ length: tickCount }, (_, tick) => FIRST_TICK_MS + tick * everySec * 1000)
  const columns = new Map(
    Object.entries(byMint).map(([mint, prices]) => {
      const values = Float64Array.from(prices)
      return [mint, { ticks: Int32Array.from(prices, (_, row) => row + 1), values, text: (row: number) => String(values[row]) }]
    }),
  )
  return { mints, tickCount, at, known: at, of: (mint) => columns.get(mint) }
}
