import { randomBytes } from 'node:crypto'

/** A fresh salt: 32 random bytes in 43 characters of `A-Z a-z 0-9 _ -`. */
export function freshSalt(): string {
  return randomBytes(32).toString('base64url')
}
