import { keyedRandom } from '../../core/random.ts'

const FOLDS = 5
/** Contests of the incumbent in the first rung; each further one has twice as many. With 64 the good points are noise. */
const FIRST_RUNG = 256

/**
 * The blocks in the order in which they are played: shuffled by the seed, and stratified over five folds in time, so that however few are
 * played come from the whole of it.
 *
 * @param blocks how many, numbered in order of time
 */
export function blockOrder(blocks: number, seed: number): number[] {
  const random = keyedRandom(seed, 'blocks')
  const foldOf = (block: number) => Math.floor((block * FOLDS) / blocks)
  const drawn = Array.from({ length: blocks }, (_, block) => ({ block, fold: foldOf(block), draw: random.next() }))
  return drawn
    .map(({ block, fold, draw }) => {
      const own = drawn.filter((other) => other.fold === fold)
      const rank = own.filter((other) => other.draw < draw).length
      return { block, place: (rank + random.next()) / own.length }
    })
    .toSorted((a, b) => a.place - b.place)
    .map(({ block }) => block)
}

/**
 * How many blocks each rung comes to: as many as the incumbent plays 256 contests in, then twice as many contests, and so on; the last has all.
 *
 * @param contests the incumbent's, block by block as they are played
 */
export function rungsOf(contests: readonly number[]): number[] {
  const rungs: number[] = []
  let [played, bar] = [0, FIRST_RUNG]
  for (const [index, own] of contests.entries()) {
    played += own
    if (played < bar) continue
    rungs.push(index + 1)
    while (bar <= played) bar *= 2
  }
  if (rungs.at(-1) !== contests.length) rungs.push(contests.length)
  return rungs
}
