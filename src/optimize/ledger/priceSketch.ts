import { crc32 } from 'node:zlib'
import type { LogData } from '../../backtest/index.ts'
import { countUpTo } from '../../core/countUpTo.ts'

/** Of what was seen, the smallest hashes: two sketches share as large a part as what they are of (Broder, 1997). */
const KEPT = 64
/** Two tokens at an odd price each may meet once more by chance, three hardly. */
const TOGETHER = 3
/** From such a part on, prices repeat: by chance next to none is shared. */
const SAME_SHARE = 0.25
const LEAST_SHARED = 4

/**
 * What prices are known by again at another time: a sample of the moments at which tokens had their prices together.
 *
 * @param from Unix milliseconds, included as `to` is
 */
export function priceSketch({ prices }: Pick<LogData, 'prices'>, from: number, to: number): string[] {
  const mints = prices.mints.toSorted().slice(0, TOGETHER)
  const columns = mints.flatMap((mint) => prices.of(mint) ?? [])
  const [leading, ...others] = columns
  if (leading === undefined) return []
  const [first, last] = [countUpTo(prices.at, from - 1) + 1, countUpTo(prices.at, to)]
  const hashes = new Set<number>()
  for (let row = countUpTo(leading.ticks, first - 1); row < countUpTo(leading.ticks, last); row++) {
    const tick = leading.ticks[row] ?? 0
    const texts = others.map((column) => {
      const place = countUpTo(column.ticks, tick) - 1
      return place < 0 ? '' : column.text(place)
    })
    hashes.add(crc32(`${mints.join(' ')} ${leading.text(row)} ${texts.join(' ')}`))
  }
  return [...hashes]
    .sort((a, b) => a - b)
    .slice(0, KEPT)
    .map((value) => value.toString(16).padStart(8, '0'))
}

/** Whether two sketches are of the same prices, or a good part of them is. */
export function isSamePrices(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || other.length === 0) return false
  const known = new Set(other)
  // Of what both could have kept: beyond the smaller of their ends one of them says nothing.
  const end = [one.at(-1) ?? '', other.at(-1) ?? ''].sort()[0] ?? ''
  const [own, theirs] = [one.filter((value) => value <= end), other.filter((value) => value <= end)]
  const shared = own.filter((value) => known.has(value)).length
  return shared >= LEAST_SHARED && shared >= SAME_SHARE * Math.min(own.length, theirs.length)
}
