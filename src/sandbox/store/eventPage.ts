/**
 * A page of an agent's events in the text they are stored as. It is sent in that text: to parse a page and write it
 * again takes as long as all the rest of the answer.
 */
export class EventPage {
  readonly #bodies: string
  /** The id to ask after next. */
  readonly cursor: string | null

  /** @param bodies the events' JSON, separated by commas */
  constructor(bodies: string, cursor: string | null) {
    this.#bodies = bodies
    this.cursor = cursor
  }

  get events(): readonly unknown[] {
    return JSON.parse(`[${this.#bodies}]`) as unknown[]
  }

  /** The page as JSON text. */
  toText(): string {
    return `{"events":[${this.#bodies}],"cursor":${JSON.stringify(this.cursor)}}`
  }

  /** For whoever writes it as part of something else. */
  toJSON(): { readonly events: readonly unknown[]; readonly cursor: string | null } {
    const { events, cursor } = this
    return { events, cursor }
  }
}
