import type { Price } from '../core/price.ts'
import type { PricesLine } from './lines.ts'

const BEGINNING = '{"kind":"prices",'
/** A whole number of so many digits is exact, whatever they are. */
const MOST_DIGITS = 15
/** Of a price, before its point and after it. */
const MOST_WHOLE = 30
const MOST_FRACTION = 18

const [ZERO, NINE, POINT, QUOTE, COMMA] = [...'09.",'].map((character) => character.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
]

/**
 * A line of prices as this program writes it, read by hand, since nearly all lines of a log are these: a third of what
 * `JSON.parse` and the checks after it take. Undefined of any other, and of one in which anything is not as it should be:
 * what that is, is for them to say.
 *
 * @param body the JSON of the line without its closing brace
 */
export function pricesLineOf(body: string): PricesLine | undefined {
  if (!body.startsWith(BEGINNING)) return undefined
  const reader = new Reader(body)
  const n = reader.count('"n":')
  const at = reader.count('"at":')
  const tick = reader.count('"tick":')
  const known = reader.count('"known":')
  const prices = reader.prices()
  if (at === undefined || tick === undefined || prices === undefined) return undefined
  const line = { kind: 'prices', at, tick, prices } as const
  return n === undefined && known === undefined
    ? line
    : { ...line, ...(n === undefined ? {} : { n }), ...(known === undefined ? {} : { known }) }
}

class Reader {
  readonly #text: string
  #place = BEGINNING.length

  constructor(text: string) {
    this.#text = text
  }

  /** A field that is a whole number, with the comma after it; undefined where there is none, and then nothing is read. */
  count(name: string): number | undefined {
    const text = this.#text
    if (!text.startsWith(name, this.#place)) return undefined
    const start = this.#place + name.length
    let [place, value] = [start, 0]
    for (let code = text.charCodeAt(place); code >= ZERO && code <= NINE; code = text.charCodeAt(++place)) value = value * 10 + code - ZERO
    const digits = place - start
    const isPlain = digits === 1 || (digits > 1 && digits <= MOST_DIGITS && text.charCodeAt(start) !== ZERO)
    if (!isPlain || text.charCodeAt(place) !== COMMA) return undefined
    this.#place = place + 1
    return value
  }

  /** The prices, to the end of the text. */
  prices(): (Price | null)[] | undefined {
    const text = this.#text
    const name = '"prices":['
    if (!text.startsWith(name, this.#place)) return undefined
    const prices: (Price | null)[] = []
    const end = text.length - 1
    if (text[end] !== ']') return undefined
    let place = this.#place + name.length
    while (place < end) {
      const start = place
      if (text.charCodeAt(place) === QUOTE) {
        place = endOfPrice(text, place + 1)
        if (place < 0) return undefined
        prices.push(text.slice(start + 1, place - 1))
      } else if (text.startsWith('null', place)) {
        place += 4
        prices.push(null)
      } else return undefined
      if (place === end) return prices
      if (text.charCodeAt(place) !== COMMA) return undefined
      place += 1
    }
    return prices.length === 0 ? prices : undefined
  }
}

/** The place after the closing quote of decimal text above 0 (`isPriceAboveZero`); -1 where it is none. */
function endOfPrice(text: string, start: number): number {
  let place = start
  let point = -1
  let isZero = true
  for (let code = text.charCodeAt(place); code !== QUOTE; code = text.charCodeAt(++place)) {
    if (code === POINT && point < 0) point = place
    else if (!(code >= ZERO && code <= NINE)) return -1
    else if (code !== ZERO) isZero = false
  }
  const whole = (point < 0 ? place : point) - start
  const fraction = point < 0 ? 1 : place - point - 1
  return isZero || whole < 1 || whole > MOST_WHOLE || fraction < 1 || fraction > MOST_FRACTION ? -1 : place + 1
}
