import type { ServiceEvent } from '../../contract/events.ts'
import { isOrderedByTime } from '../../core/ids.ts'
import type { InputOf } from '../protocol/input.ts'

/** Tells events of before the journal, which go into the books, from news: by their place in the stream, whatever their dates say. */
export class StreamHistory {
  /** The cursor at which news begin; undefined where they have begun. */
  #until: string | undefined
  /** Fallback for a journal without such a cursor. */
  #madeAt = Number.NEGATIVE_INFINITY

  start({ newsAfter, madeAt }: InputOf<'started'>): void {
    this.#until = newsAfter ?? undefined
    if (newsAfter === undefined) this.#madeAt = madeAt ?? Number.NEGATIVE_INFINITY
  }

  /** @param cursor the one past the event, where one is known */
  holds({ id, createdAt }: ServiceEvent, cursor: string | undefined): boolean {
    const until = this.#until
    if (until === undefined) return createdAt < this.#madeAt
    if (isOrderedByTime(id) && isOrderedByTime(until) && id > until) {
      this.#until = undefined
      return false
    }
    if (id === until || cursor === until) this.#until = undefined
    return true
  }

  /** The stream was read to its end. */
  end(): void {
    this.#until = undefined
  }
}

/** Cursor at which news begin, for a run that resumes at `cursor`. Null: every event is news. */
export function newsAfterOf({
  cursor,
  newsAfter,
}: {
  readonly cursor: string | undefined
  readonly newsAfter?: string | null
}): string | null | undefined {
  if (newsAfter === undefined || newsAfter === null || cursor === undefined) return newsAfter
  const isBefore = isOrderedByTime(cursor) && isOrderedByTime(newsAfter) && cursor < newsAfter
  return isBefore ? newsAfter : null
}
