import './provided.ts'
import { inject } from 'vitest'

/** `npm test` looks at one in so many. */
const ONE_IN = 10

/** Of a property that costs much: all its runs in the system suite, a tenth of them in `npm test`. */
export function runsOf(all: number): number {
  return inject('suite') === 'system' ? all : Math.ceil(all / ONE_IN)
}

/** Of cases that cost much: all of them in the system suite, those that are named in `npm test`. */
export function casesOf<T>(all: readonly T[], isQuick: (item: T, index: number) => boolean): readonly T[] {
  const quick = all.filter(isQuick)
  if (quick.length === 0) throw new Error('no case is left for npm test: none passes')
  return inject('suite') === 'system' ? all : quick
}
