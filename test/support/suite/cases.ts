import './provided.ts'
import { inject } from 'vitest'

// What costs much is looked at whole in the system suite, and in small in `npm test`.

const isWhole = inject('suite') === 'system'

/** Of a property: all its runs, or a tenth of them and ten at least. */
export function runsOf(all: number): number {
  return sizeOf(all, Math.min(all, Math.max(10, Math.ceil(all / 10))))
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
