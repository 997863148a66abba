import { filter, type MonoTypeOperatorFunction } from 'rxjs'
import type { InputBody } from './input.ts'

/** A service that delivers an event again does so within pages of each other: far fewer events than this. */
const REMEMBERED = 10_000

/**
 * Lets each event of the stream through once, however often the service delivers it: a settlement
 * counted twice is money that is not there. The newest 10,000 are remembered, those read back from
 * the journal included, and at most as many more. All that is no event passes.
 */
export function onceEach<T extends InputBody>(remembered = REMEMBERED): MonoTypeOperatorFunction<T> {
  return (source) => {
    // Two generations: to forget one at a time, the oldest first, a Set looks through all the places of those forgotten before.
    let [older, newer] = [new Set<string>(), new Set<string>()]
    return source.pipe(
      filter((body) => {
        if (body.type !== 'event') return true
        const id = identityOf(body.raw)
        if (newer.has(id) || older.has(id)) return false
        if (newer.size >= remembered) [older, newer] = [newer, new Set()]
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
