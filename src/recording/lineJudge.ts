import { checksumAfter, checksumWithin, type Seal, sealOf } from './checksum.ts'
import { LineOrder } from './lineOrder.ts'
import type { LogLine } from './lines.ts'
import type { Fault } from './logError.ts'
import type { PricesReader } from './pricesLine.ts'
import { type ReadLine, readLine } from './readLine.ts'

const NO_HEADER: Fault = { code: 'LOG_UNREADABLE', what: 'a segment begins with a header line, this is none' }
const NO_JSON: Fault = { code: 'LOG_UNREADABLE', what: 'the line is not JSON' }
const CUT: Fault = { code: 'LOG_CUT', what: 'the line is cut off' }
const ALTERED: Fault = {
  code: 'LOG_ALTERED',
  what: 'the line does not match its checksum: it was altered or written anew, or a line before it was taken out or moved',
}
/** What some languages write for numbers that JSON does not have. */
const NOT_FINITE = /-?\b(?:NaN|Infinity)\b/g

/** Judges the lines of one log in their order: by their checksums, what they say, and what came before. */
export class LineJudge {
  readonly #order = new LineOrder()
  /** Stated by the newest line that states one. */
  #checksum = 0
  #isFirst = true
  #isAltered = false
  /** Whether the header that the lines stand under could be read: without it, what they mean is not known. */
  #hasHeader = false

  /**
   * A file begins.
   *
   * @param segment.isAltered what was unpacked may not be what was written: only lines that a checksum vouches for are
   */
  begin({ isAltered }: { readonly isAltered: boolean }): void {
    this.#isAltered = isAltered
    this.#isFirst = true
    this.#hasHeader = false
  }

  /** @returns undefined of a line under a header that cannot be read */
  judge(text: string): ReadLine | undefined {
    const seal = sealOf(text)
    const json = parsed(seal === undefined ? text : `${seal.body}}`)
    const isHeader = isHeaderJson(json)
    // A checksum that stands anywhere else than at the end is of a line that was written anew: nothing is left to check it by.
    const isSound = seal === undefined ? !this.#isAltered && !statesChecksum(json) : this.#isSound(seal, isHeader)
    const isFirst = this.#isFirst
    this.#isFirst = false
    if (isHeader) this.#hasHeader = false
    else if (!this.#hasHeader) return isFirst ? { fault: NO_HEADER } : undefined
    if (json === undefined) return { fault: isSound ? NO_JSON : ALTERED }

    const read = readLine(json)
    const misplaced = read.line && this.#order.follow(read.line)
    if (!isSound)
      return misplaced === undefined ? altered(read.line) : { fault: { ...misplaced, what: `${misplaced.what}; ${ALTERED.what}` } }
    if (isHeader) this.#hasHeader = read.line !== undefined && misplaced?.code !== 'LOG_MIXED'
    return misplaced === undefined || read.line === undefined ? read : { line: read.line, fault: misplaced }
  }

  /** Takes a line of prices with which nothing is wrong. Of any other nothing is taken, and `judge` says what is wrong with it. */
  take(prices: PricesReader): boolean {
    const { bytes, start, bodyEnd, checksum } = prices
    const isSound = this.#hasHeader && checksumWithin(this.#checksum, bytes, start, bodyEnd) === checksum
    if (!isSound || !this.#order.take(prices)) return false
    this.#checksum = checksum
    return true
  }

  #isSound({ body, checksum }: Seal, isHeader: boolean): boolean {
    const computed = checksumAfter(isHeader ? 0 : this.#checksum, body)
    // What follows is measured by what this line states, so that an alteration shows once.
    this.#checksum = Number.isNaN(checksum) ? computed : checksum
    return computed === checksum
  }

  /** As `judge`, of a last line without its newline: whole if it is JSON, since the beginning of an object never is. */
  judgeRest(text: string): ReadLine | undefined {
    if (parsed(text) !== undefined) return this.judge(text)
    if (this.#isFirst) return { fault: text.startsWith('{') ? CUT : NO_HEADER }
    return { fault: CUT }
  }
}

/** It still says something; what an altered header says of the lines under it is not to be believed. */
const altered = (line: LogLine | undefined): ReadLine =>
  line === undefined || line.kind === 'header' ? { fault: ALTERED } : { line, fault: ALTERED }

const isHeaderJson = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && (json as { readonly kind?: unknown }).kind === 'header'

const statesChecksum = (json: unknown): boolean => typeof json === 'object' && json !== null && Object.hasOwn(json, 'crc')

/** Undefined: it is not JSON. Numbers that JSON does not have become text, which no price is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return parsedWithoutNumbers(text)
  }
}

function parsedWithoutNumbers(text: string): unknown {
  try {
    return JSON.parse(text.replace(NOT_FINITE, '"$&"'))
  } catch {
    return undefined
  }
}
