import { isDeepStrictEqual } from 'node:util'
import type { Form, TimeForm } from './form.ts'

type Json = Readonly<Record<string, unknown>>

/** A record as it is filled in, and what stands beside it in its wrapper. */
export class Sheet {
  readonly #form: Form
  readonly #record: Record<string, unknown> = {}
  readonly #beside: Record<string, unknown> = {}

  constructor(form: Form) {
    this.#form = form
  }

  /**
   * Puts a value where the form has it; undefined is nothing.
   *
   * @param path in camel case; `^` first is beside the record
   * @param options.isNullKept null says something here that no key does not
   */
  put(path: string, value: unknown, { isNullKept = false } = {}): void {
    if (value === undefined || (value === null && this.#form.nulls === 'absent' && !isNullKept)) return
    const keys = this.#form.style(path).split('.')
    const isBeside = keys[0] === '^'
    let into = isBeside ? this.#beside : this.#record
    const [last = '', ...before] = (isBeside ? keys.slice(1) : keys).toReversed()
    for (const key of before.toReversed()) {
      const next = into[key] ?? {}
      if (typeof next !== 'object' || Array.isArray(next)) throw new Error(`${path} is in a value`)
      into[key] = next
      into = next as Record<string, unknown>
    }
    if (Object.hasOwn(into, last) && !isDeepStrictEqual(into[last], value))
      throw new Error(`${path} is there: ${JSON.stringify(into[last])}, ${JSON.stringify(value)}`)
    into[last] = value
  }

  /** Every field of a record that is not put elsewhere, keys as the service writes them. */
  putRest(record: Json, known: ReadonlySet<string>): void {
    for (const [key, value] of Object.entries(record)) if (!known.has(key)) this.put(key, restyled(value, this.#form))
  }

  get bare(): Json {
    return this.#record
  }

  /** In its wrapper. */
  within(wrapper: string): unknown {
    if (wrapper === '') return this.#record
    const [last = '', ...before] = this.#form.style(wrapper).split('.').toReversed()
    const { meta } = this.#form.decoys
    const around: Json = { ...this.#beside, ...(meta === '' ? {} : { [meta]: { requestId: 'r-1', ok: true } }), [last]: this.#record }
    return before.reduce<unknown>((inner, key) => ({ [key]: inner }), around)
  }
}

/** Keys of tables are mints or ids, and longer than any name. */
const LONGEST_KEY = 24

export function restyled(value: unknown, form: Form): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => restyled(item, form))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.length > LONGEST_KEY ? key : form.style(key), restyled(inner, form)]),
  )
}

/** A time of the sandbox as the service says it. */
export function timeIn(form: TimeForm, iso: unknown, now: number): unknown {
  if (typeof iso !== 'string') return iso
  const at = Date.parse(iso)
  switch (form) {
    case 'iso':
      return iso
    case 'ms':
      return at
    case 's':
      return Math.floor(at / 1000)
    case 'leftMs':
      return Math.max(0, at - now)
    case 'leftSec':
      return Math.max(0, Math.ceil((at - now) / 1000))
  }
}
