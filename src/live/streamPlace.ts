import { eventEnvelopeSchema } from '../contract/events.ts'
import { saysNo } from '../contract/refusals.ts'
import type { Clock } from '../core/clock.ts'
import { isOrderedByTime, timeOfUuidv7 } from '../core/ids.ts'
import type { ReadResult, RemoteService } from '../pipeline/index.ts'

// A service that was restored from a backup does not know the newest events any more; one with a short retention does not know the oldest.
// What it says to a cursor that it does not know is not specified: an error, nothing for ever, or the stream from its first event. The bot
// must not wait for ever in any of them.

/** Reads of one search, at most. */
const MOST_READS = 20
/**
 * Without an event for so long, it is asked whether the place is still one. With the longest pause between polls (4 s), the lag below and the
 * search, a service that went back is found within 10 s.
 */
const CHECK_MS = 3000
/** So many refusals in a row, some eight seconds of them, begin a search, and each so many times as many another one. */
const REFUSALS = 5
const AGAIN_AFTER = 4
/** A copy of the service that lags behind the one that was read last knows the place by then. */
const LAG_MS = 5250
const LOOK_AGAIN_MS = 1000
/** A service that keeps its events for longer has deleted none that came since the place was known to be one. */
const KEPT_MS = 60_000
/** How much further back the next look is. */
const FURTHER = 4

/** Ids of the events that are known, the newest first: 0 is the newest. Undefined where there is none so far back. */
export type KnownEvents = (back: number) => string | undefined

/** Where the stream goes on instead. */
export interface NewPlace {
  readonly after: string | null
  /** Why, in words; undefined where the service has lost nothing. */
  readonly reason: string | undefined
  /** The service has not gone back: it has deleted events that it does not keep any longer. */
  readonly cause?: 'retention'
  /** How long to wait before it is asked for. */
  readonly waitMs?: number
}

/** What the service makes of an event's id: it knows it; it shows the very place that was in doubt; it tells all from the first event; it does not know it. */
type Look = 'knows' | 'shows' | 'begins' | 'nothing' | 'silent'

/** Whether the service still knows the place in the stream, and which it knows where it does not. */
export class StreamPlace {
  readonly #service: RemoteService
  readonly #clock: Clock
  readonly #known: KnownEvents
  /** The place is the service's own word of this session, or was looked after, at this time. */
  #soundAt = Number.NEGATIVE_INFINITY
  /** When the place was last known to be one, however the service has failed since. */
  #knownAt = Number.NEGATIVE_INFINITY
  /** Since when it has nothing after the place, and newer events. */
  #doubtedAt: number | undefined
  #refusals = 0
  #searchAt = REFUSALS
  /** Whether `latest` gives the cursor that the newest page had. */
  #tellsNewest = true
  /** A service that begins anew whatever it is asked for was reported once. */
  #begins = false

  constructor(service: RemoteService, clock: Clock, known: KnownEvents) {
    this.#service = service
    this.#clock = clock
    this.#known = known
  }

  /**
   * Looks at what a poll has brought.
   *
   * @param after what was asked for
   * @returns another place; undefined where the stream goes on from what the answer says
   */
  async check(after: string, result: ReadResult<'agent.events'>): Promise<NewPlace | undefined> {
    if (!result.ok) return this.#onFailure(after, result)
    this.#refusals = 0
    this.#searchAt = REFUSALS
    const { events } = result.output
    if (events.length > 0) return this.#onEvents(after, events)
    if (!this.#tellsNewest || this.#clock.now() - this.#soundAt < CHECK_MS) return undefined
    if (await this.#isAtEnd(after)) return this.sound()
    if (this.#doubtedAt === undefined) {
      // An expired place needs no wait: a copy that lags behind has the old events too.
      const expired = await this.#expired(after)
      if (expired !== undefined) return expired
      this.#doubtedAt = this.#clock.now()
    }
    const lagMs = this.#doubtedAt + LAG_MS - this.#clock.now()
    if (lagMs > 0) return { after, reason: undefined, waitMs: Math.min(LOOK_AGAIN_MS, lagMs) }
    this.#doubtedAt = undefined
    const found = await this.#search(after, 'it has nothing after it, and another newest event')
    return found?.reason === undefined ? undefined : found
  }

  /** The service has told what comes from here on. */
  sound(): undefined {
    this.#soundAt = this.#clock.now()
    this.#knownAt = this.#soundAt
    this.#doubtedAt = undefined
    return undefined
  }

  async #onFailure(after: string, { refusal }: Extract<ReadResult, { ok: false }>): Promise<NewPlace | undefined> {
    // A service that is down may be being restored.
    this.#soundAt = Number.NEGATIVE_INFINITY
    if (!saysNo(refusal)) return undefined
    this.#refusals += 1
    if (this.#refusals < this.#searchAt) return undefined
    const found = await this.#search(after, `it refuses it (${refusal?.code})`)
    this.#searchAt *= AGAIN_AFTER
    return found
  }

  async #onEvents(after: string, events: readonly unknown[]): Promise<NewPlace | undefined> {
    const first = idOf(events[0])
    if (!isBefore(first, after)) {
      this.#begins = false
      const expired = this.#clock.now() - this.#knownAt < KEPT_MS ? undefined : await this.#expired(after, first)
      this.sound()
      return expired
    }
    if (this.#begins) return undefined
    const start = await this.#read({ after: null, limit: 1 })
    if (!start.ok || idOf(start.output.events[0]) !== first) return undefined
    this.#begins = true
    return { after: null, reason: `event ${after} was read from it, and it begins with its first event instead of the next one` }
  }

  /** Whether an empty page is the end of the stream. */
  async #isAtEnd(after: string): Promise<boolean> {
    const newest = await this.#read({ latest: true })
    if (!newest.ok || newest.output.cursor === after) return true
    // It may have come in between.
    const again = await this.#read({ after, limit: 1 })
    return !again.ok || again.output.events.length > 0
  }

  /**
   * Finds out whether the service has deleted the place, because it keeps events for a short time only.
   *
   * @param first of the page after the place; undefined: there was none
   */
  async #expired(after: string, first?: string): Promise<NewPlace | undefined> {
    const oldest = await this.#read({ after: null, limit: 1 })
    if (!oldest.ok) return undefined
    const id = idOf(oldest.output.events[0])
    if (id !== undefined && isBefore(after, id)) return first === undefined || first === id ? expiredPlace(after, id) : undefined
    if (id !== undefined || first !== undefined) return undefined
    const newest = await this.#read({ latest: true })
    const { cursor = null } = newest.ok ? newest.output : {}
    return cursor !== null && (cursor === after || isBefore(after, cursor)) ? expiredPlace(after, undefined) : undefined
  }

  async #search(after: string, why: string): Promise<NewPlace | undefined> {
    const expired = await this.#expired(after)
    if (expired !== undefined) return expired
    const reason = (found: string | null) =>
      `event ${after} was read from it, and ${why}: the newest that it knows is ${found ?? 'none of those that were read'}`
    const place = (found: string | null): NewPlace => ({ after: found, reason: reason(found) })
    // Between the newest that it was found not to know, and the newest that it was found to know.
    let unknown = this.#known(0) === after ? 0 : -1
    let best: { readonly back: number; readonly id: string } | undefined
    let step = 1
    for (let reads = MOST_READS - 3; reads > 0; reads--) {
      const back = best === undefined ? unknown + step : Math.floor((unknown + best.back) / 2)
      if (back === unknown) break
      const id = this.#known(back)
      if (id === undefined) {
        if (step === 1) break
        step = 1
        continue
      }
      const look = await this.#look(id, after)
      if (look === 'silent') return this.#searchSoon()
      if (look === 'shows') return this.#lostNothing(id)
      if (look === 'begins') return place(null)
      if (look === 'knows') best = { back, id }
      else {
        unknown = back
        step *= FURTHER
      }
    }
    if (best !== undefined) return place(best.id)
    const first = await this.#look(null, after)
    if (first === 'shows') return this.#lostNothing(null)
    if (first === 'silent') return this.#searchSoon()
    return first === 'nothing' ? undefined : place(null)
  }

  /** It did not answer in the middle of it: the next refusal begins another one. */
  #searchSoon(): undefined {
    this.#searchAt = this.#refusals / AGAIN_AFTER
    return undefined
  }

  /** Its word on the newest event is of another form than its cursors. */
  #lostNothing(after: string | null): NewPlace {
    this.#tellsNewest = false
    return { after, reason: undefined }
  }

  async #look(id: string | null, wanted: string): Promise<Look> {
    const page = await this.#read({ after: id, limit: 100 })
    if (!page.ok) return saysNo(page.refusal) ? 'nothing' : 'silent'
    const { events } = page.output
    // One that has nothing at all begins there.
    if (events.length === 0) return id === null ? 'knows' : 'nothing'
    if (events.some((event) => idOf(event) === wanted)) return 'shows'
    return id !== null && isBefore(idOf(events[0]), id) ? 'begins' : 'knows'
  }

  #read(input: { after: string | null; limit: number } | { latest: true }): Promise<ReadResult<'agent.events'>> {
    return this.#service.read({ procedure: 'agent.events', input })
  }
}

function expiredPlace(after: string, oldest: string | undefined): NewPlace {
  const kept = oldest === undefined ? 'it keeps none now' : `the oldest that it keeps is ${timed(oldest)}`
  return { after: null, reason: `event ${timed(after)} was read last, and ${kept}`, cause: 'retention' }
}

function timed(id: string): string {
  const at = timeOfUuidv7(id)
  return at === undefined ? id : `${id} of ${new Date(at).toISOString().slice(0, 19)}Z`
}

/** Whether an event was made before another one, where their ids say so. */
const isBefore = (id: string | undefined, other: string): boolean =>
  id !== undefined && id < other && isOrderedByTime(id) && isOrderedByTime(other)

/** The id of an event as it was told; undefined where it has none. */
export function idOf(raw: unknown): string | undefined {
  const envelope = eventEnvelopeSchema.safeParse(raw)
  return envelope.success ? envelope.data.id : undefined
}
