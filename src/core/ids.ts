import { digestOf } from './digest.ts'
import { memoize } from './memoize.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** A UUID (version 8 of RFC 9562: custom) that depends on its keys alone. */
export function keyedUuid(...keys: readonly (string | number)[]): string {
  const [a, b, c, d] = wordsOf(JSON.stringify(keys))
  return uuidText(8, a, b, c, d)
}

/** The ids of one kind: the n-th is a function of n alone. */
export type IdSeries = (n: number) => string

/**
 * A series of UUIDs (version 8) that depends on its keys alone, distinct for whole numbers below 2³². One digest
 * serves the whole series, where `keyedUuid` makes one for every id.
 *
 * @example const ticketId = idSeries(7, 'ticket'); ticketId(1)
 */
export function idSeries(...keys: readonly (string | number)[]): IdSeries {
  const [a, b, c, d] = wordsOf(JSON.stringify(keys))
  return (n) => {
    // One to one in n, and in the id whole: what version and variant cut from the others cannot make two ids alike.
    const first = mixed(n ^ a)
    const second = mixed(first ^ b)
    const third = mixed(second ^ c)
    return uuidText(8, first, second, third, mixed(third ^ d))
  }
}

/**
 * A UUIDv7 (RFC 9562, part 5.7, method 1) whose order is (time, counter): ids made in the same
 * millisecond sort by their counter, of which the last 42 bits are kept. The last 32 bits depend on `key`.
 */
export function uuidv7(atMs: number, counter: number, key: string): string {
  const upper = Math.floor(counter / 2 ** 16)
  const high = Math.floor(upper / 2 ** 14)
  return uuidText(
    7,
    Math.floor(atMs / 2 ** 16),
    ((atMs % 2 ** 16) << 16) | high,
    (upper << 16) | (counter & 0xffff),
    mixed(counter ^ keyBits(key)),
  )
}

/** 32 bits of a key. Kept, since ids of a run share theirs, and a digest for each would cost more than all the rest of it. */
const keyBits = memoize((key: string) => wordsOf(key)[0], 64)

/** The first 128 bits of a digest of the text. */
function wordsOf(text: string): readonly [number, number, number, number] {
  const digest = digestOf(text)
  return [digest.readInt32BE(0), digest.readInt32BE(4), digest.readInt32BE(8), digest.readInt32BE(12)]
}

/** The finaliser of MurmurHash3 (Appleby): one to one on 32 bits, every bit of which depends on every bit given. */
function mixed(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return twice ^ (twice >>> 16)
}

const DIGITS = Buffer.from('0123456789abcdef')
const text = Buffer.alloc(36, '-')

/**
 * 128 bits as text, the version and the variant of RFC 9562 put in. It is written into a buffer, since text put
 * together from pieces is put together anew by whatever takes it for a key, at twice the cost of all this.
 */
function uuidText(version: number, a: number, b: number, c: number, d: number): string {
  write16(0, a >>> 16)
  write16(4, a)
  write16(9, b >>> 16)
  write16(14, (b & 0x0fff) | (version << 12))
  write16(19, ((c >>> 16) & 0x3fff) | 0x8000)
  write16(24, c)
  write16(28, d >>> 16)
  write16(32, d)
  return text.toString()
}

/** The last 16 bits, as four digits. */
function write16(at: number, bits: number): void {
  text[at] = DIGITS[(bits >>> 12) & 15] ?? 0
  text[at + 1] = DIGITS[(bits >>> 8) & 15] ?? 0
  text[at + 2] = DIGITS[(bits >>> 4) & 15] ?? 0
  text[at + 3] = DIGITS[bits & 15] ?? 0
}
