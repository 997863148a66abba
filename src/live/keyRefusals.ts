import type { ServiceRefusal } from '../contract/wire.ts'

type Refusal = Pick<ServiceRefusal, 'code' | 'status'>

/** So often in a row, over some seconds, the key is refused before it counts: what is open would be left alone for one odd answer. */
const NEEDED = 5

/** The one rule by which a key counts as refused, when a bot starts and while it plays. */
export class KeyRefusals {
  #inARow = 0

  /**
   * Takes note of an answer.
   *
   * @param refusal undefined of an answer that is none
   * @returns whether the key counts as refused
   */
  isFinal(refusal: Refusal | undefined): boolean {
    this.#inARow = isKeyRefused(refusal) ? this.#inARow + 1 : 0
    return this.#inARow >= NEEDED
  }
}

/**
 * Whether the service does not know this key: nothing will change that but its owner. A 403 that names no code is not the service's
 * word on the key, but that of something on the way, which may let the next request pass.
 */
export function isKeyRefused(refusal: Refusal | undefined): boolean {
  if (refusal === undefined) return false
  const { code, status } = refusal
  return status === 401 || (status === 403 && code !== 'HTTP_403') || code.startsWith('AGENT_KEY_')
}
