import { isKeyRefused } from '../contract/refusals.ts'
import type { ServiceRefusal } from '../contract/wire.ts'

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
  isFinal(refusal: Pick<ServiceRefusal, 'code' | 'status'> | undefined): boolean {
    this.#inARow = isKeyRefused(refusal) ? this.#inARow + 1 : 0
    return this.#inARow >= NEEDED
  }
}
