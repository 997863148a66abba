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
  const time = atMs.toString(16).padStart(12, '0')
  const high = (Math.floor(counter / 2 ** 30) & 0xfff).toString(16).padStart(3, '0')
  const middle = ((Math.floor(counter / 2 ** 16) & 0x3fff) | 0x8000).toString(16)
  const low = (counter & 0xffff).toString(16).padStart(4, '0')
  const tail = hash('sha256', `${key}:${counter}`).slice(0, 8)
  return format(`${time}7${high}${middle}${low}${tail}`)
}

function variant(hex: string): string {
  return ((Number.parseInt(hex, 16) & 0x3fff) | 0x8000).toString(16)
}

function format(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
