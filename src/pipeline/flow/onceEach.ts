import { filter, type MonoTypeOperatorFunction } from 'rxjs'
import { isOrderedByTime } from '../../core/ids.ts'
import type { InputBody } from '../protocol/input.ts'
import type { PastFacts } from '../protocol/pastFacts.ts'

/** A service that delivers an event again does so within pages of each other: far fewer events than this. */
const REMEMBERED = 10_000

export interface OnceEachOptions {
  /** Events of before by their ids: the newest, and of those before them the highest. What a journal gives back of them passes. */
  readonly seen?: PastFacts['seen'] | undefined
  readonly remembered?: number
}

/**
 * Lets each event of the stream through once, however often the service delivers it: a settlement
 * counted twice is money that is not there. The newest 10,000 are remembered, those read back from
 * the journal included, and at most as many more. Of those before them the newest is, where ids are ordered by time: a stream that
 * begins again from its first event tells nothing new until it is past that. All that is no event passes.
 */
export function onceEach<T extends InputBody>({ seen, remembered = REMEMBERED }: OnceEachOptions = {}): MonoTypeOperatorFunction<T> {
  return (source) => {
    let forgotten = seen?.before ?? ''
    // Two generations: to forget one at a time, the oldest first, a Set looks through all the places of those forgotten before.
    let [older, newer] = [new Set<string>(), new Set(seen?.ids)]
    return source.pipe(
      filter((body) => {
        if (body.type !== 'event') return true
        const id = identityOf(body.raw)
        if (newer.has(id) || older.has(id)) return body.recorded && seen?.ids.includes(id) === true
        if (!body.recorded && id <= forgotten && isOrderedByTime(id)) return false
        if (newer.size >= remembered) {
          for (const old of older) if (old > forgotten && isOrderedByTime(old)) forgotten = old
          ;[older, newer] = [newer, new Set()]
        }
        newer.add(id)
        return true
      }),
    )
  }
}

/** An event is its id; one without an id, which cannot be read anyway, is its whole text. */
function identityOf(raw: unknown): string {
  if (typeof raw === 'object' && raw !== null && 'id' in raw && typeof raw.id === 'string') return raw.id
  return `text:${JSON.stringify(raw)}`
}
