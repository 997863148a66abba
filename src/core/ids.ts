import { digestOf } from './digest.ts'
import { memoize } from './memoize.ts'
import { mixed } from './mixed.ts'

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

/** Unix milliseconds of a UUIDv7; undefined for a UUID of another version. */
export function timeOfUuidv7(id: string): number | undefined {
  return id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined
}

/** 32 bits of a key. Kept, since ids of a run share theirs, and a digest for each would cost more than all the rest of it. */
const keyBits = memoize((key: string) => wordsOf(key)[0], 64)

/** The first 128 bits of a digest of the text. */
function wordsOf(text: string): readonly [number, number, number, number] {
  const digest = digestOf(text)
  return [digest.readInt32BE(0), digest.readInt32BE(4), digest.readInt32BE(8), digest.readInt32BE(12)]
}

const DIGITS = Buffer.from('0123456789abcdef')

/** The last 4 bits, as the character code of their digit. */
const digit = (bits: number): number => DIGITS[bits & 15] ?? 0

const DASH = 45

/**
 * 128 bits as text, the version and the variant of RFC 9562 put in. It is made of character codes at once, since text put
 * together from pieces is put together anew by whatever takes it for a key, at twice the cost of all this.
 */
function uuidText(version: number, a: number, b: number, c: number, d: number): string {
  // biome-ignore format: four digits a line
  return String.fromCharCode(
    digit(a >>> 28), digit(a >>> 24), digit(a >>> 20), digit(a >>> 16),
    digit(a >>> 12), digit(a >>> 8), digit(a >>> 4), digit(a), DASH,
    digit(b >>> 28), digit(b >>> 24), digit(b >>> 20), digit(b >>> 16), DASH,
    digit(version), digit(b >>> 8), digit(b >>> 4), digit(b), DASH,
    digit(((c >>> 28) & 3) | 8), digit(c >>> 24), digit(c >>> 20), digit(c >>> 16), DASH,
    digit(c >>> 12), digit(c >>> 8), digit(c >>> 4), digit(c),
    digit(d >>> 28), digit(d >>> 24), digit(d >>> 20), digit(d >>> 16),
    digit(d >>> 12), digit(d >>> 8), digit(d >>> 4), digit(d),
  )
}

/** UUIDv7 (RFC 9562, section 5.7): such ids sort as they were made. */
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Whether an id says by itself what it came before. */
export const isOrderedByTime = (id: string): boolean => UUID_V7.test(id)
