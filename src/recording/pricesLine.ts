import type { Price } from '../core/price.ts'
import { CHECKSUM_DIGITS, FIELD } from './checksum.ts'
import type { PricesLine } from './lines.ts'

const WORD_BYTES = 4

/** A text of a word or more, as it is looked for: the last word overlaps the one before it where the length is no multiple of a word's. */
interface Expected {
  readonly length: number
  readonly words: Int32Array
  readonly offsets: Int32Array
}

function expected(text: string): Expected {
  const bytes = new TextEncoder().encode(text)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const { length } = bytes
  const offsets = Int32Array.from({ length: Math.ceil(length / WORD_BYTES) }, (_, index) =>
    Math.min(index * WORD_BYTES, length - WORD_BYTES),
  )
  return { length, offsets, words: offsets.map((offset) => view.getInt32(offset, true)) }
}

const codeOf = (character: string): number => character.charCodeAt(0)

const BEGINNING = expected('{"kind":"prices",')
const N = expected('"n":')
const AT = expected('"at":')
const TICK = expected('"tick":')
const KNOWN = expected('"known":')
const PRICES = expected('"prices":[')
const NULL = expected('null')
const CHECKSUM = expected(FIELD)
const [ZERO, NINE, SMALL_A, SMALL_F] = [codeOf('0'), codeOf('9'), codeOf('a'), codeOf('f')]
const [BRACE, NEWLINE] = [codeOf('}'), codeOf('\n')]
const [POINT, QUOTE, COMMA, CLOSING] = [codeOf('.'), codeOf('"'), codeOf(','), codeOf(']')]

/** A whole number of so many digits is exact, whatever they are. */
const MOST_DIGITS = 15
/** Of a price, before its point and after it. */
const MOST_WHOLE = 30
const MOST_FRACTION = 18
/** Exact, all of them: so the quotient of an exact number and one of them is the number nearest to the true one. */
const POWERS_OF_TEN = Float64Array.from({ length: MOST_FRACTION + 1 }, (_, exponent) => 10 ** exponent)
/** Numbers below it are put into words with an exponent. */
const LEAST_PLAIN = 1e-6

/** In place of what was looked for. */
const NONE = -1

/** What a line of prices says, for whoever needs numbers more than texts. */
export interface ReadPrices {
  /** As in `PricesLine`. */
  readonly at: number
  readonly known?: number | undefined
  /** How many columns the line goes up to. */
  readonly count: number
  /** The price of a column as the number whose text it is. NaN where that is not known, or there is no price: ask for the text. */
  value(column: number): number
  /** As it stands there; null: the line has no price of that column. */
  text(column: number): Price | null
}

/** Of a line that was read in any other way. */
export function readPricesOf({ prices, ...placed }: PricesLine): ReadPrices {
  return { ...placed, count: prices.length, value: () => Number.NaN, text: (column) => prices[column] ?? null }
}

/**
 * Reads lines of prices as this program writes them, byte by byte, since nearly all lines of a log are these: no text is made of
 * them that nobody asks for. It holds what the newest of them says, until it reads the next.
 */
export class PricesReader implements ReadPrices {
  at = 0
  tick = 0
  n: number | undefined
  known: number | undefined
  count = 0
  /** What the line states, and the bytes that it is of: `bytes.subarray(start, bodyEnd)`. */
  checksum = 0
  bytes: Buffer = Buffer.alloc(0)
  start = 0
  bodyEnd = 0
  readonly #values: number[] = []
  /** By column, where the text of the price begins and ends, from the start of the line on. */
  readonly #begins: number[] = []
  readonly #ends: number[] = []
  /** Behind what was read. */
  #place = 0
  #view = new DataView(this.bytes.buffer)

  /**
   * Reads the line that begins at `start`.
   *
   * @returns where the next line begins; -1 where it is another line, has no checksum or no end, or anything in it is not as it
   *   should be: what that is, is for others to say
   */
  read(bytes: Buffer, start: number): number {
    if (this.bytes !== bytes) {
      this.bytes = bytes
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
    this.start = start
    this.#place = start
    if (!this.#skip(BEGINNING)) return NONE
    const n = this.#readCount(N)
    const at = this.#readCount(AT)
    if (at === NONE) return NONE
    const tick = this.#readCount(TICK)
    if (tick === NONE) return NONE
    const known = this.#readCount(KNOWN)
    if (!this.#skip(PRICES) || !this.#readPrices()) return NONE
    this.bodyEnd = this.#place
    if (!this.#skip(CHECKSUM) || !this.#readChecksum() || !this.#skipEnd()) return NONE
    this.at = at
    this.tick = tick
    this.n = n === NONE ? undefined : n
    this.known = known === NONE ? undefined : known
    return this.#place
  }

  value(column: number): number {
    return this.#values[column] ?? Number.NaN
  }

  text(column: number): Price | null {
    const [begin, end] = [this.#begins[column] ?? 0, this.#ends[column] ?? 0]
    return begin === end ? null : this.bytes.toString('latin1', this.start + begin, this.start + end)
  }

  /** All that the line says. @param line its text, of which every character is one byte */
  line(line: string): PricesLine {
    const { at, tick, n, known } = this
    const prices: (Price | null)[] = []
    for (let column = 0; column < this.count; column++) {
      const [begin, end] = [this.#begins[column] ?? 0, this.#ends[column] ?? 0]
      prices.push(begin === end ? null : line.slice(begin, end))
    }
    return { kind: 'prices', ...(n === undefined ? {} : { n }), at, tick, ...(known === undefined ? {} : { known }), prices }
  }

  /** Passes over a text; false where another one stands there, and then nothing is passed over. */
  #skip({ length, words, offsets }: Expected): boolean {
    const view = this.#view
    const place = this.#place
    if (place + length > view.byteLength) return false
    for (let index = 0; index < words.length; index++) if (view.getInt32(place + (offsets[index] ?? 0), true) !== words[index]) return false
    this.#place = place + length
    return true
  }

  /** A field that is a whole number, with the comma after it; `NONE` where there is none, and then nothing is passed over. */
  #readCount(name: Expected): number {
    const { bytes } = this
    const before = this.#place
    if (!this.#skip(name)) return NONE
    const begin = this.#place
    let [place, value] = [begin, 0]
    for (let code = bytes[place] ?? 0; code >= ZERO && code <= NINE; code = bytes[++place] ?? 0) value = value * 10 + code - ZERO
    const digits = place - begin
    const isPlain = digits === 1 || (digits > 1 && digits <= MOST_DIGITS && bytes[begin] !== ZERO)
    this.#place = isPlain && bytes[place] === COMMA ? place + 1 : before
    return this.#place === before ? NONE : value
  }

  /** The prices, and the bracket that closes them; whether they are as they should be. */
  #readPrices(): boolean {
    const { bytes } = this
    this.count = 0
    if (bytes[this.#place] === CLOSING) {
      this.#place += 1
      return true
    }
    for (;;) {
      if (bytes[this.#place] === QUOTE ? !this.#readPrice() : !this.#readNull()) return false
      this.count += 1
      const code = bytes[this.#place++]
      if (code === CLOSING) return true
      if (code !== COMMA) return false
    }
  }

  #readNull(): boolean {
    this.#values[this.count] = Number.NaN
    this.#begins[this.count] = this.#ends[this.count] = 0
    return this.#skip(NULL)
  }

  /** Decimal text above 0, as `isPriceAboveZero`. */
  #readPrice(): boolean {
    const { bytes } = this
    const begin = this.#place + 1
    let place = begin
    let point = NONE
    let digits = 0
    let value = 0
    for (let code = bytes[place]; code !== QUOTE; code = bytes[++place]) {
      if (code === POINT && point === NONE) {
        point = place
      } else if (code !== undefined && code >= ZERO && code <= NINE) {
        // Zeros before the first other digit are none of its digits.
        if (digits > 0 || code !== ZERO) digits += 1
        if (digits <= MOST_DIGITS) value = value * 10 + code - ZERO
      } else return false
    }
    const whole = (point === NONE ? place : point) - begin
    const fraction = point === NONE ? 0 : place - point - 1
    if (digits === 0 || whole < 1 || whole > MOST_WHOLE || fraction > MOST_FRACTION || (point !== NONE && fraction < 1)) return false
    const isCanonical = (whole === 1 || bytes[begin] !== ZERO) && (fraction === 0 || bytes[place - 1] !== ZERO)
    const number = value / (POWERS_OF_TEN[fraction] ?? Number.NaN)
    this.#values[this.count] = isCanonical && digits <= MOST_DIGITS && number >= LEAST_PLAIN ? number : Number.NaN
    this.#begins[this.count] = begin - this.start
    this.#ends[this.count] = place - this.start
    this.#place = place + 1
    return true
  }

  /** What stands behind the checksum. */
  #skipEnd(): boolean {
    const { bytes } = this
    const place = this.#place
    this.#place = place + 3
    return bytes[place] === QUOTE && bytes[place + 1] === BRACE && bytes[place + 2] === NEWLINE
  }

  #readChecksum(): boolean {
    let value = 0
    for (const end = this.#place + CHECKSUM_DIGITS; this.#place < end; this.#place++) {
      const code = this.bytes[this.#place] ?? 0
      const digit = code >= ZERO && code <= NINE ? code - ZERO : code >= SMALL_A && code <= SMALL_F ? code - SMALL_A + 10 : NONE
      if (digit === NONE) return false
      value = value * 16 + digit
    }
    this.checksum = value
    return true
  }
}
