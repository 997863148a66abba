import { eventEnvelopeSchema } from '../contract/events.ts'
import { saysNo } from '../contract/refusals.ts'
import type { Clock } from '../core/clock.ts'
import { isOrderedByTime } from '../core/ids.ts'
import type { ReadResult, RemoteService } from '../pipeline/index.ts'

// A service that was restored from a backup does not know the newest events any more, and what it says to a cursor that it does not
// know is not specified: an error, nothing for ever, or the stream from its first event. The bot must not wait for ever in any of them.

/** Reads of one search, at most. */
const MOST_READS = 20
/** Without an event for so long, it is asked whether the place is still one. */
const CHECK_MS = 60_000
/** So many refusals in a row, some eight seconds of them, begin a search, and each so many times as many another one. */
const REFUSALS = 5
const AGAIN_AFTER = 4
/** A copy of the service that lags behind the one that was read last knows the place by then. */
const LAG_MS = 10_000
const LOOK_AGAIN_MS = 2000
/** How much further back the next look is. */
const FURTHER = 4

/** Ids of the events that are known, the newest first: 0 is the newest. Undefined where there is none so far back. */
export type KnownEvents = (back: number) => string | undefined

/** Where the stream goes on instead. */
export interface NewPlace {
  readonly after: string | null
  /** Why, in words; undefined where the service has lost nothing. */
  readonly reason: string | undefined
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
    if (await this.#isAtEnd(after)) return this.#sound()
    this.#doubtedAt ??= this.#clock.now()
    if (this.#clock.now() - this.#doubtedAt < LAG_MS) return { after, reason: undefined, waitMs: LOOK_AGAIN_MS }
    this.#doubtedAt = undefined
    const found = await this.#search(after, 'it has nothing after it, and newer events')
    return found?.reason === undefined ? undefined : found
  }

  #sound(): undefined {
    this.#soundAt = this.#clock.now()
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
      return this.#sound()
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

  async #search(after: string, why: string): Promise<NewPlace | undefined> {
    const reason = (found: string | null) =>
      `event ${after} was read from it, and ${why}: the newest that it knows is ${found ?? 'none of those that were read'}`
    const place = (found: string | null): NewPlace => ({ after: found, reason: reason(found) })
    // Between the newest that it was found not to know, and the newest that it was found to know.
    let unknown = this.#known(0) === after ? 0 : -1
    let best: { readonly back: number; readonly id: string } | undefined
    let step = 1
    for (let reads = MOST_READS - 1; reads > 0; reads--) {
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

/** Whether an event was made before another one, where their ids say so. */
const isBefore = (id: string | undefined, other: string): boolean =>
  id !== undefined && id < other && isOrderedByTime(id) && isOrderedByTime(other)

/** The id of an event as it was told; undefined where it has none. */
export function idOf(raw: unknown): string | undefined {
  const envelope = eventEnvelopeSchema.safeParse(raw)
  return envelope.success ? envelope.data.id : undefined
}
