import { randomBytes } from 'node:crypto'
import { commitmentOf } from '../contract/commitment.ts'
import type { Price } from '../core/price.ts'
import type { Seal } from '../pipeline/index.ts'

/** Seals a prediction with a fresh salt: 32 random bytes in 43 characters of `A-Z a-z 0-9 _ -`. */
export function seal(price: Price, entryId: string): Seal {
  const salt = randomBytes(32).toString('base64url')
  return { salt, commitment: commitmentOf(price, salt, entryId) }
}
