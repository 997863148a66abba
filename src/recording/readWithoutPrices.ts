import type { LogLine, PricesLine } from './lines.ts'
import { filesOf, readSegment } from './segments.ts'

const PRICES = '{"kind":"prices"'

/**
 * The lines of logs that are not prices, as fast as that goes: for logs that `compileLog` has just gone through, and found
 * to be in order. Nothing is checked again.
 */
export function* readWithoutPrices(logs: readonly string[]): Generator<Exclude<LogLine, PricesLine>> {
  for (const file of logs.flatMap(filesOf)) {
    const { bytes } = readSegment(file)
    // A character a byte: text is searched far faster than bytes are, and places in it are those of the bytes.
    const text = bytes.toString('latin1')
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const isPrices = text.startsWith(PRICES, start)
      if (!isPrices && end > start) yield JSON.parse(bytes.toString('utf8', start, end)) as Exclude<LogLine, PricesLine>
      start = end + 1
    }
  }
}
