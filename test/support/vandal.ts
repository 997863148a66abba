import * as rxjs from 'rxjs'

// Does to what a strategy is given whatever the language lets it do.

type Key = string | symbol

/** Prototypes of the language and of RxJS, which everything in the process shares: no strategy in it can be kept from those. */
const shared = new Set<object>(
  [...Object.getOwnPropertyNames(globalThis).map((name) => Reflect.get(globalThis, name) as unknown), ...Object.values(rxjs)].flatMap(
    (made) => (typeof made === 'function' && typeof made.prototype === 'object' ? prototypesOf(made.prototype as object) : []),
  ),
)
// Of a function the prototype is one itself.
shared.add(Function.prototype)
for (const made of [[].values(), new Map().values(), new Set().values(), (function* () {})(), async () => {}, function* () {}])
  for (const prototype of prototypesOf(made)) shared.add(prototype)

function prototypesOf(object: object): object[] {
  const prototype: unknown = Object.getPrototypeOf(object)
  return [object, ...(typeof prototype === 'object' && prototype !== null ? prototypesOf(prototype) : [])]
}

export interface Damage {
  /** Objects that were got at. */
  readonly reached: number
  /** Of the writes, those that the language let through: to what is the strategy's own. */
  readonly written: number
}

/**
 * Walks everything that can be reached from here, by own properties of any kind and by prototypes that are the framework's, and
 * tries to set, define, delete and add properties, to change prototypes, and to call whatever changes a collection.
 *
 * @param junk what is written
 */
export function vandalise(given: unknown, junk: unknown): Damage {
  const seen = new Set<object>()
  let written = 0
  const attempt = (write: () => unknown) => {
    try {
      if (write() !== false) written += 1
    } catch {}
  }
  const visit = (value: unknown) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || shared.has(value) || seen.has(value)) return
    seen.add(value)
    const object = value as Record<Key, unknown>
    for (const key of Reflect.ownKeys(object)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(object, key)
      for (const part of [descriptor?.value, descriptor?.get, descriptor?.set]) visit(part)
    }
    visit(Object.getPrototypeOf(object))
  }
  visit(given)
  for (const value of seen) {
    const object = value as Record<Key, unknown>
    for (const method of ['push', 'pop', 'shift', 'reverse', 'sort', 'fill', 'set', 'add', 'delete', 'clear', 'copyWithin', 'setTime']) {
      const built = (Array.isArray(object) ? Reflect.get(Array.prototype, method) : Reflect.get(object, method)) as unknown
      if (typeof built === 'function') attempt(() => void built.call(object, junk, junk))
    }
    for (const collection of [Map, Set]) attempt(() => void collection.prototype.clear.call(object as never))
    for (const key of Reflect.ownKeys(object)) {
      attempt(() => Reflect.set(object, key, junk))
      attempt(() => Reflect.defineProperty(object, key, { get: () => junk, configurable: true }))
      attempt(() => Reflect.deleteProperty(object, key))
    }
    attempt(() => Reflect.set(object, 'planted', junk))
    attempt(() => Reflect.set(object, '0', junk))
    attempt(() => Reflect.set(object, 'length', 0))
    attempt(() => Reflect.setPrototypeOf(object, { stake: 1n }))
  }
  return { reached: seen.size, written }
}
