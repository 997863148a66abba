import { CornermanError } from './error.ts'

// Values as they are handed to code that must not change them.

/** Objects of which everything inside is known to be unchangeable, so that no record is walked through twice. */
const known = new WeakSet<object>()
/** What a copy was made of, where one had to be. */
const originals = new WeakMap<object, object>()

/**
 * The value, unchangeable throughout. Plain objects and lists are frozen where they are: that costs once, and a record that is shown
 * again and again is shown as it is. Where something inside cannot be frozen (a `Map`, a `Set`, a typed array, a `Date`), it is a copy.
 */
export function readOnly<T>(value: T): T {
  if (typeof value !== 'object' || value === null || known.has(value)) return value
  const inside = new Set<object>()
  if (!isFreezable(value, inside)) return readOnlyCopy(value)
  for (const object of inside) {
    Object.freeze(object)
    known.add(object)
  }
  return value
}

/**
 * The same of a copy, for what somebody else still holds: that stays as it is. `Map` and `Set` become read-only views, a typed array a
 * frozen list of its numbers; an instance of any other class is passed on as it is.
 */
export const readOnlyCopy = <T>(value: T): T => copied(value, new Map()) as T

/** What `readOnly` was given, for who sends it elsewhere: a view would not arrive as what it shows. */
export const originalOf = <T extends object>(value: T): T => (originals.get(value) as T | undefined) ?? value

/** @param inside takes every object found */
function isFreezable(value: object, inside: Set<object>): boolean {
  if (inside.has(value) || known.has(value)) return true
  if (!isPlain(value)) return false
  inside.add(value)
  for (const item of Object.values(value)) if (typeof item === 'object' && item !== null && !isFreezable(item, inside)) return false
  return true
}

function copied(value: unknown, copies: Map<object, object>): unknown {
  if (typeof value !== 'object' || value === null || known.has(value)) return value
  const made = copies.get(value)
  if (made !== undefined) return made
  const read = (item: unknown) => copied(item, copies)
  if (value instanceof Map) return keep(value, new MapView(new Map([...value].map(([key, item]) => [read(key), read(item)]))), copies)
  if (value instanceof Set) return keep(value, new SetView(new Set([...value].map(read))), copies)
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return Object.freeze(Array.from(value as Uint8Array))
  if (value instanceof Date) return new Date(value)
  if (!isPlain(value)) return value
  const copy: object = Array.isArray(value) ? [] : {}
  keep(value, copy, copies)
  for (const [key, item] of Object.entries(value)) Object.defineProperty(copy, key, { value: read(item), enumerable: true })
  return Object.freeze(copy)
}

function keep(value: object, copy: object, copies: Map<object, object>): object {
  copies.set(value, copy)
  originals.set(copy, value)
  known.add(copy)
  return copy
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const refuse = (): never => {
  throw new CornermanError('STRATEGY_WROTE', 'it wrote to a Map or a Set that it was given, which cannot be changed: copy it first')
}

/** Reads a `Map` that nobody else holds. */
class MapView<K, V> {
  readonly #map: ReadonlyMap<K, V>
  readonly set = refuse
  readonly delete = refuse
  readonly clear = refuse

  constructor(map: ReadonlyMap<K, V>) {
    this.#map = map
    Object.freeze(this)
  }

  get size(): number {
    return this.#map.size
  }

  get(key: K): V | undefined {
    return this.#map.get(key)
  }

  has(key: K): boolean {
    return this.#map.has(key)
  }

  forEach(told: (value: V, key: K, view: this) => void): void {
    for (const [key, value] of this.#map) told(value, key, this)
  }

  keys() {
    return this.#map.keys()
  }

  values() {
    return this.#map.values()
  }

  entries() {
    return this.#map.entries()
  }

  [Symbol.iterator]() {
    return this.#map.entries()
  }
}

/** Reads a `Set` that nobody else holds. */
class SetView<T> {
  readonly #set: ReadonlySet<T>
  readonly add = refuse
  readonly delete = refuse
  readonly clear = refuse

  constructor(set: ReadonlySet<T>) {
    this.#set = set
    Object.freeze(this)
  }

  get size(): number {
    return this.#set.size
  }

  has(item: T): boolean {
    return this.#set.has(item)
  }

  forEach(told: (item: T, again: T, view: this) => void): void {
    for (const item of this.#set) told(item, item, this)
  }

  keys() {
    return this.#set.keys()
  }

  values() {
    return this.#set.values()
  }

  entries() {
    return this.#set.entries()
  }

  [Symbol.iterator]() {
    return this.#set.values()
  }
}

for (const view of [MapView, SetView]) Object.freeze(Object.freeze(view).prototype)
Object.freeze(refuse)
