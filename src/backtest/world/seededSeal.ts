import { commitmentOf } from '../../contract/commitment.ts'
import { keyedUuid } from '../../core/ids.ts'
import type { Ports } from '../../pipeline/index.ts'

/** Seals predictions of a simulated world, with salts that depend on the seed and the entry alone. */
export const seededSeal =
  (seed: number): Ports['seal'] =>
  (price, entryId) => {
    const salt = keyedUuid(seed, 'salt', entryId)
    return { salt, commitment: commitmentOf(price, salt, entryId) }
  }
