import { hash } from 'node:crypto'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** A UUID (version 8 of RFC 9562: custom) that depends on its keys alone. */
export function keyedUuid(...keys: readonly (string | number)[]): string {
  const hex = hash('sha256', JSON.stringify(keys))
  return format(`${hex.slice(0, 12)}8${hex.slice(13, 16)}${variant(hex.slice(16, 20))}${hex.slice(20, 32)}`)
}

/**
 * A UUIDv7 (RFC 9562, part 5.7, method 1) whose order is (time, counter): ids made in the same
 * millisecond sort by their counter, of which the last 42 bits are kept. The last 32 bits depend on `key`.
 */
export function uuidv7(atMs: number, counter: number, key: string): string {
  const low = (counter & 0xffff).toString(16).padStart(4, '0')
  const tail = mixed(counter ^ keyBits(key))
    .toString(16)
    .padStart(8, '0')
  return `${prefixOf(atMs, Math.floor(counter / 2 ** 16))}-${low}${tail}`
}

let lastPrefix = { atMs: Number.NaN, upper: Number.NaN, text: '' }

/** All but the last group. Ids made in one millisecond share it: an engine makes many, and this is half their cost. */
function prefixOf(atMs: number, upper: number): string {
  if (lastPrefix.atMs === atMs && lastPrefix.upper === upper) return lastPrefix.text
  const time = atMs.toString(16).padStart(12, '0')
  const high = (Math.floor(upper / 2 ** 14) & 0xfff).toString(16).padStart(3, '0')
  const middle = ((upper & 0x3fff) | 0x8000).toString(16)
  lastPrefix = { atMs, upper, text: `${time.slice(0, 8)}-${time.slice(8)}-7${high}-${middle}` }
  return lastPrefix.text
}

let lastKey = { key: '', bits: hash('sha256', '', 'buffer').readInt32LE(0) }

/** 32 bits of a key. Ids of a run share theirs, and a digest for each would cost more than all the rest of it. */
function keyBits(key: string): number {
  if (lastKey.key !== key) lastKey = { key, bits: hash('sha256', key, 'buffer').readInt32LE(0) }
  return lastKey.bits
}

/** The finaliser of MurmurHash3 (Appleby): one to one on 32 bits, every bit of which depends on every bit given. */
function mixed(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}

function variant(hex: string): string {
  return ((Number.parseInt(hex, 16) & 0x3fff) | 0x8000).toString(16)
}

function format(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
