import type { LogLine, PricesLine } from './lines.ts'
import { filesOf, readSegment } from './segments.ts'

const NEWLINE = 0x0a
const PRICES = Buffer.from('{"kind":"prices"')

/**
 * The lines of logs that are not prices, as fast as that goes: for logs that `compileLog` has just gone through, and found
 * to be in order. Nothing is checked again.
 */
export function* readWithoutPrices(logs: readonly string[]): Generator<Exclude<LogLine, PricesLine>> {
  for (const file of logs.flatMap(filesOf)) {
    const { bytes } = readSegment(file)
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      const isPrices = bytes.compare(PRICES, 0, PRICES.length, start, Math.min(start + PRICES.length, end)) === 0
      if (!isPrices && end > start) yield JSON.parse(bytes.toString('utf8', start, end)) as Exclude<LogLine, PricesLine>
      start = end + 1
    }
  }
}
