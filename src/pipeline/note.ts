/** One line for the bot's log. The core writes none itself: it has no I/O. */
export interface Note {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}
