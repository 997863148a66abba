import { refuse } from '../refuse.ts'
import type { Refused } from '../types.ts'

/** What a read comes to: refused with NOT_FOUND or INVALID_INPUT, or a wire-shaped value. */
export type Answer<T> = { readonly ok: true; readonly value: T } | Refused

export interface Page<T> {
  readonly items: readonly T[]
  /** Null on the last page. */
  readonly nextCursor: string | number | null
}

export const DEFAULT_LIMIT = 20

export const answer = <T>(value: T): Answer<T> => ({ ok: true, value })

export function badCursor(cursor: string | number): Refused {
  return refuse(
    'INVALID_INPUT',
    `cursor ${JSON.stringify(cursor)} is not one this list gave: pass nextCursor as it came, or none to start over`,
    { cursor },
  )
}

export const isOneOf = <T extends string>(allowed: readonly T[], value: string): value is T => allowed.some((one) => one === value)

export function badChoice(field: string, value: string, allowed: readonly string[]): Refused {
  return refuse('INVALID_INPUT', `${field}: ${JSON.stringify(value.slice(0, 100))} is none of ${allowed.join(', ')}`, { path: field })
}
