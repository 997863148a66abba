import { crc32 } from 'node:zlib'

// Every line of a segment ends `,"crc":"xxxxxxxx"}`: the CRC-32 of its text before that, begun from the CRC of the line
// before (0 at the header). So a line that was altered, left out or moved shows at the line itself or at the next.

export const FIELD = ',"crc":"'
export const CHECKSUM_DIGITS = 8
export const END = '"}'
const SEAL_LENGTH = FIELD.length + CHECKSUM_DIGITS + END.length

/** The checksum of a segment's lines up to one, given that of the lines before it. */
export const checksumAfter = (previous: number, body: string | Uint8Array): number => crc32(body, previous)

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
