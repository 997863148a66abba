import { hash } from 'node:crypto'
import { CornermanError } from '../core/error.ts'
import { canonicalPrice, type Price } from '../core/price.ts'
import { SALT_PATTERN } from './procedures.ts'

/**
 * The commitment to a price prediction: lowercase hex SHA-256 of `<price>:<salt>:<entryId>`
 * (specification, part 4, prediction rules).
 *
 * @param price decimal text, put in canonical form here
 * @param salt 16 to 128 characters of `A-Z a-z 0-9 _ -`; the reveal needs the same one
 * @param entryId the agent's entry in the contest
 * @throws CornermanError `PRICE_INVALID` or `SALT_INVALID`
 */
export function commitmentOf(price: Price, salt: string, entryId: string): string {
  if (!SALT_PATTERN.test(salt)) {
    // The salt itself stays out of the message: it may be one in use.
    throw new CornermanError('SALT_INVALID', `a salt is 16 to 128 characters of A-Z a-z 0-9 _ -, this one has ${salt.length}`)
  }
  return hash('sha256', `${canonicalPrice(price)}:${salt}:${entryId}`)
}
