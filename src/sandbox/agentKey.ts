import { createHash, randomBytes } from 'node:crypto'

const KEY_PREFIX = 'ck_'
const KEY_BYTES = 32
/** Characters of a key that its owner may be shown again. */
const SHOWN_CHARACTERS = 9

export interface IssuedKey {
  /** The key itself: handed out once, never stored. */
  readonly key: string
  readonly hash: string
  readonly prefix: string
}

export function issueAgentKey(): IssuedKey {
  const key = `${KEY_PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`
  return { key, hash: hashAgentKey(key), prefix: key.slice(0, SHOWN_CHARACTERS) }
}

/** The hash a key is stored and looked up by. A key has 256 random bits, so it needs no salt and no slow hash. */
export function hashAgentKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
