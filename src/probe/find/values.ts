// What kind of value stands somewhere, and every path of a record.

export type Values = ReadonlyMap<string, unknown>
export type Row = Readonly<Record<string, unknown>>

const MOST_DEPTH = 6
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

export const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
/** A base58 address: of a token, or of a wallet. */
export const isMint = (value: unknown): value is string => typeof value === 'string' && BASE58.test(value)
export const isIso = (value: unknown): value is string => typeof value === 'string' && ISO.test(value)

/** Text of the form of an id: a UUID, or a longer word with digits in it, and no address, time or number. */
export const isId = (value: unknown): value is string =>
  typeof value === 'string' && (UUID.test(value) || (/^(?=.*\d)(?=.*[a-z])[\w:-]{8,64}$/i.test(value) && !isIso(value) && !isMint(value)))

/** A word of a state: text without digits at its start, such as `STATUS_2`; no UUID and no address. */
export const isWord = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z][\w .:-]{0,39}$/i.test(value) && !UUID.test(value) && !isMint(value)

/** Keys that are data, such as mints or ids: of a map, and no part of any path. */
export const isMap = (row: Row): boolean => {
  const keys = Object.keys(row)
  return keys.length > 0 && keys.every((key) => isMint(key) || UUID.test(key))
}

/** Whether a key can be a step of a path. */
const isStep = (key: string): boolean => key !== '' && !/[.[\]^]/.test(key) && key !== '$key' && !/^\d+$/.test(key)

/** Every value of a record by its path, objects and lists included; lists and maps are not gone into. */
export function pathsIn(record: unknown, prefix = ''): Map<string, unknown> {
  const found = new Map<string, unknown>()
  walk(record, prefix, 0, found)
  return found
}

function walk(value: unknown, prefix: string, depth: number, found: Map<string, unknown>): void {
  if (!isRow(value) || depth > MOST_DEPTH || isMap(value)) return
  for (const key of Object.keys(value).sort()) {
    if (!isStep(key)) continue
    const path = prefix === '' ? key : `${prefix}.${key}`
    found.set(path, value[key])
    walk(value[key], path, depth + 1, found)
  }
}

/** The lists of objects among them. */
export const rowsAt = (value: unknown): readonly Row[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every(isRow) ? value : undefined

/** Whether a text stands anywhere in a value. */
export function holds(value: unknown, wanted: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return wanted.has(value)
  if (Array.isArray(value)) return value.some((item) => holds(item, wanted))
  return isRow(value) && Object.values(value).some((item) => holds(item, wanted))
}

/** How many keys there are in it, at whatever depth; lists are not gone into. */
export const sizeOf = (value: unknown): number =>
  isRow(value) ? Object.values(value).reduce<number>((sum, item) => sum + 1 + sizeOf(item), 0) : 0

export const show = (value: unknown): string => JSON.stringify(value) ?? 'undefined'
