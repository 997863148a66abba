import { commitmentOf } from '../../src/contract/commitment.ts'
import type { Seal } from '../../src/pipeline/index.ts'

/** Seals predictions with salts of the test's own making. */
export const sealWith =
  (nextSalt: () => string) =>
  (price: string, entryId: string): Seal => {
    const salt = nextSalt()
    return { salt, commitment: commitmentOf(price, salt, entryId) }
  }
