import { invariant } from '../../core/error.ts'
import { type Books, emptyBooks } from './books.ts'

/** Writes the parts of the books that it was given for, and leaves the others as they are. */
export type Pen<K extends keyof Books> = (change: Partial<Pick<Books, K>>) => void

/** The books of a bot. Everybody reads them; each part has one pen, and whoever holds it is its only writer. */
export class OwnedBooks {
  #present = emptyBooks
  readonly #owned = new Set<keyof Books | 'ended'>()
  readonly #ended = new Set<string>()

  get present(): Books {
    return this.#present
  }

  /** Ids of tickets and contests that are over: an answer that comes late must not open one again. No part of the books, which do not grow with it. */
  get ended(): ReadonlySet<string> {
    return this.#ended
  }

  /** @throws an invariant where somebody has it already */
  penForEnded(): Set<string> {
    this.#own('ended')
    return this.#ended
  }

  /** @throws an invariant where one of the parts has a pen already */
  penFor<K extends keyof Books>(...parts: readonly K[]): Pen<K> {
    for (const part of parts) this.#own(part)
    return (change) => {
      let next: { -readonly [P in K]: Books[P] } & Books = this.#present
      for (const part of parts) {
        if (!(part in change) || change[part] === next[part]) continue
        if (next === this.#present) next = { ...next }
        next[part] = change[part] as Books[K]
      }
      this.#present = next
    }
  }

  #own(part: keyof Books | 'ended'): void {
    invariant(!this.#owned.has(part), 'a part of the books has one owner', { part })
    this.#owned.add(part)
  }
}
