import './provided.ts'
import { inject } from 'vitest'
import { inLong } from './long.ts'

// What costs much is looked at whole in the system suite, and in small in `npm test`.

const isWhole = inject('suite') === 'system'

/** Of a property: half of its runs, all of them with `LONG_TESTS=yes`; or, in `npm test`, a tenth of them and ten at least. */
export function runsOf(all: number): number {
  return sizeOf(inLong(all, Math.max(Math.min(all, 10), Math.ceil(all / 2))), Math.min(all, Math.max(10, Math.ceil(all / 10))))
}

export function sizeOf(whole: number, small: number): number {
  return isWhole ? whole : small
}

/** All the cases, or those of them that are told apart here. */
export function casesOf<T>(all: readonly T[], isOfSmall: (item: T, index: number) => boolean): readonly T[] {
  const small = all.filter(isOfSmall)
  if (small.length === 0) throw new Error('no case is left for npm test')
  return isWhole ? all : small
}
