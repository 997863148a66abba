import { crc32 } from 'node:zlib'

// Every line of a segment ends `,"crc":"xxxxxxxx"}`: the CRC-32 of its text before that, begun from the CRC of the line
// before (0 at the header). So a line that was altered, left out or moved shows at the line itself or at the next.

export const FIELD = ',"crc":"'
export const CHECKSUM_DIGITS = 8
const END = '"}'
const SEAL_LENGTH = FIELD.length + CHECKSUM_DIGITS + END.length

/** The checksum of a segment's lines up to one, given that of the lines before it. */
export const checksumAfter = (previous: number, body: string | Uint8Array): number => crc32(body, previous)

const BYTES_AT_ONCE = 8
const POLYNOMIAL = 0xedb88320
/** By how many bytes follow one among those taken at once, and its value: what it comes to. */
const TABLES = tables()
const entry = (following: number, byte: number): number => TABLES[(following << 8) | (byte & 0xff)] ?? 0
const wordAt = (bytes: Uint8Array, place: number): number =>
  (bytes[place] ?? 0) | ((bytes[place + 1] ?? 0) << 8) | ((bytes[place + 2] ?? 0) << 16) | ((bytes[place + 3] ?? 0) << 24)

/**
 * The same of a body that stands among others. By hand, eight bytes at a time (Kounavis and Berry, 2005): a body is short, and to cut it out
 * and hand it to zlib takes four times as long.
 */
export function checksumWithin(previous: number, bytes: Uint8Array, start: number, end: number): number {
  let crc = ~previous
  let place = start
  for (; place + BYTES_AT_ONCE <= end; place += BYTES_AT_ONCE) {
    const first = crc ^ wordAt(bytes, place)
    const second = wordAt(bytes, place + 4)
    crc =
      entry(7, first) ^
      entry(6, first >>> 8) ^
      entry(5, first >>> 16) ^
      entry(4, first >>> 24) ^
      entry(3, second) ^
      entry(2, second >>> 8) ^
      entry(1, second >>> 16) ^
      entry(0, second >>> 24)
  }
  for (; place < end; place++) crc = (crc >>> 8) ^ entry(0, crc ^ (bytes[place] ?? 0))
  return ~crc >>> 0
}

function tables(): Int32Array {
  const found = new Int32Array(BYTES_AT_ONCE << 8)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) * POLYNOMIAL)
    found[byte] = crc
  }
  for (let place = 256; place < found.length; place++) {
    const before = found[place - 256] ?? 0
    found[place] = (before >>> 8) ^ (found[before & 0xff] ?? 0)
  }
  return found
}

/** A line as it stands in a segment. @param body the JSON of the line without its closing brace */
export function sealed(body: string, checksum: number): string {
  return `${body}${FIELD}${checksum.toString(16).padStart(CHECKSUM_DIGITS, '0')}${END}`
}

/** A line's JSON without its closing brace, and the checksum it states, NaN where that is no number. */
export interface Seal {
  readonly body: string
  readonly checksum: number
}

/** The seal of a line; undefined of one that has none as it is written here: a log from elsewhere may leave it out. */
export function sealOf(line: string): Seal | undefined {
  // What a tool that ends lines with CR LF puts behind it is none of the line's.
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  const start = text.length - SEAL_LENGTH
  if (start < 0 || !text.startsWith(FIELD, start) || !text.endsWith(END)) return undefined
  return { body: text.slice(0, start), checksum: Number(`0x${text.slice(start + FIELD.length, -END.length)}`) }
}
