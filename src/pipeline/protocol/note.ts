/** One line for the bot's log. The core writes none itself: it has no I/O. */
export interface Note {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A note that is put into words only for whoever reads it. */
export class UnwordedNote implements Note {
  readonly level: Note['level']
  readonly fields: Note['fields']
  readonly #words: () => string

  constructor(level: Note['level'], words: () => string, fields: Note['fields']) {
    this.level = level
    this.fields = fields
    this.#words = words
  }

  get message(): string {
    return this.#words()
  }
}
