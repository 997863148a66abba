import { keyedRandom } from '../core/random.ts'
import type { Block } from './runBlock.ts'

/** The incumbent plays about so many contests in a block: enough that setting one up costs nothing beside it. */
const CONTESTS_A_BLOCK = 32

export interface BlocksOptions {
  /** Unix milliseconds at which the incumbent entered, rising: its contests of the range. */
  readonly enteredAt: readonly number[]
  readonly from: number
  readonly until: number
  /** What an entry may last, in milliseconds: a block plays on for so long, and none is shorter. */
  readonly tailMs: number
  readonly seed: number
}

/** Cuts a range into blocks, in the order of time: together they are the range, and each has about as many of the incumbent's contests. */
export function blocksOf({ enteredAt, from, until, tailMs, seed }: BlocksOptions): Block[] {
  const bounds = [from]
  for (let place = CONTESTS_A_BLOCK; place < enteredAt.length; place += CONTESTS_A_BLOCK) {
    const bound = enteredAt[place] ?? until
    if (bound - (bounds.at(-1) ?? from) >= tailMs && until - bound >= tailMs) bounds.push(bound)
  }
  return bounds.map((start, index) => ({ from: start, until: bounds[index + 1] ?? until, tailMs, seed: seedOf(seed, index) }))
}

/** Of one seed for all, contests of different days would have the same ids. */
const seedOf = (seed: number, index: number): number => keyedRandom('block', seed, index).integer(0, 0xffff_ffff)
