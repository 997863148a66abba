/** How a time is written. */
export type TimeUnit =
  | 'seconds'
  | 'milliseconds'
  | 'microseconds'
  | 'nanoseconds'
  | 'ISO 8601'
  /** It is taken for UTC. */
  | 'ISO 8601 without a zone'

export interface FileTime {
  /** Unix milliseconds. */
  readonly ms: number
  readonly unit: TimeUnit
}

/** Of a number below it the unit is the one beside it. Each spans what the one before it says of 1973 to 5138. */
const UNITS: readonly { readonly below: bigint; readonly unit: TimeUnit; readonly perMs: bigint }[] = [
  { below: 10n ** 14n, unit: 'milliseconds', perMs: 1n },
  { below: 10n ** 17n, unit: 'microseconds', perMs: 1000n },
  { below: 10n ** 20n, unit: 'nanoseconds', perMs: 1_000_000n },
]
const FIRST_MS = 10 ** 11
const LAST_PLAIN = 10 ** 14
const INTEGER = /^\d{1,20}$/
/** What pandas writes of whole numbers in a column of floats, or of parts of a second. */
const WITH_FRACTION = /^(\d{1,19})\.(\d{1,9})$/
/** Of numbers, a fraction that says nothing. */
const ZEROS = /^0+$/
const ISO = /^(\d{4})([-/])(\d{2})\2(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i
const MINUTE_MS = 60_000

/** The time of a cell; undefined where it is none. A unit is told from the size of the number. */
export function fileTime(text: string): FileTime | undefined {
  if (INTEGER.test(text)) return ofInteger(text)
  const match = WITH_FRACTION.exec(text)
  if (match === null) return ofIso(text)
  const [, whole = '', fraction = ''] = match
  const time = ofInteger(whole)
  if (time === undefined || ZEROS.test(fraction)) return time
  return time.unit === 'seconds' ? { ...time, ms: time.ms + Math.floor(Number(`0.${fraction}`) * 1000) } : undefined
}

function ofInteger(text: string): FileTime | undefined {
  const number = Number(text)
  if (number < FIRST_MS) return { ms: number * 1000, unit: 'seconds' }
  if (number < LAST_PLAIN) return { ms: number, unit: 'milliseconds' }
  const exact = BigInt(text)
  const found = UNITS.find(({ below }) => exact < below)
  return found && { ms: Number(exact / found.perMs), unit: found.unit }
}

function ofIso(text: string): FileTime | undefined {
  const match = ISO.exec(text)
  if (match === null) return undefined
  const [, year, , month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] = match
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const whole = Date.parse(`${written}Z`)
  // A day that its month does not have is taken for one of the next month.
  if (Number.isNaN(whole) || !new Date(whole).toISOString().startsWith(written)) return undefined
  const ms = whole + Number(fraction.padEnd(3, '0').slice(0, 3)) - offsetOf(zone)
  return { ms, unit: zone === undefined ? 'ISO 8601 without a zone' : 'ISO 8601' }
}

/** Of a zone, in milliseconds. */
function offsetOf(zone: string | undefined): number {
  if (zone === undefined || /^[a-z]/i.test(zone)) return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(3).replace(':', '') || 0)
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS
}
