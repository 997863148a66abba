import type { OwnedBooks, Pen } from '../books/ownedBooks.ts'
import type { SiblingEntry } from '../protocol/input.ts'

/** The state of the run itself: whether the books can be trusted, what the operator has stopped, and where siblings have money. */
export class Session {
  readonly #books: OwnedBooks
  readonly #write: Pen<'caughtUp' | 'runMode' | 'stopped' | 'siblings'>

  constructor(books: OwnedBooks) {
    this.#books = books
    this.#write = books.penFor('caughtUp', 'runMode', 'stopped', 'siblings')
  }

  /** The stream and the lists were read, or one of them has to be again. */
  caughtUp(caughtUp: boolean): void {
    this.#write({ caughtUp })
  }

  /** For good. */
  drain(): void {
    this.#write({ runMode: 'draining' })
  }

  stop(stopped: 'nothing' | 'entries' | 'all'): void {
    this.#write({ stopped })
  }

  siblingEntered(entry: SiblingEntry): void {
    this.#write({ siblings: new Map(this.#books.present.siblings).set(keyOf(entry), entry) })
  }

  /** @returns the entry that is there no more; undefined where none was */
  siblingLeft(left: Pick<SiblingEntry, 'bot' | 'key'>): SiblingEntry | undefined {
    const siblings = new Map(this.#books.present.siblings)
    const entry = siblings.get(keyOf(left))
    siblings.delete(keyOf(left))
    this.#write({ siblings })
    return entry
  }
}

const keyOf = ({ bot, key }: Pick<SiblingEntry, 'bot' | 'key'>): string => `${bot}:${key}`
