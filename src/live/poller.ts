import { EMPTY, Observable, type Subscriber, type Subscription } from 'rxjs'
import { readEvent, type ServiceEvent } from '../contract/events.ts'
import { backoffMs } from '../core/backoff.ts'
import type { Clock } from '../core/clock.ts'
import { CornermanError } from '../core/error.ts'
import { keyedRandom, type Random } from '../core/random.ts'
import type { EventSource, InputBody, ReadResult, RemoteService } from '../pipeline/index.ts'
import { KeyRefusals } from './keyRefusals.ts'
import { idOf, type KnownEvents, type NewPlace, StreamPlace } from './streamPlace.ts'
import { type StreamLag, StreamWatchdog } from './streamWatchdog.ts'

const PAGE = 100
const MAX_BACKOFF_MS = 15_000

export interface PollerOptions {
  /** The bot's: bots started together do not poll together. */
  readonly name: string
  readonly service: RemoteService
  readonly clock: Clock
  /** By which it is told how long nothing was read. Default: `clock`. */
  readonly steady?: Clock
  /**
   * How long to wait after a page that ended the stream, in milliseconds.
   *
   * @param random a number from 0 up to 1
   */
  readonly everyMs: (random: number) => number
  /** What the journal holds, for a service that does not know the cursor any more. */
  readonly knownEvents?: KnownEvents
  /** Polls at once, or once more after the poll under way: something has happened. */
  readonly wake$?: Observable<unknown>
  /** Told of every page. */
  readonly onRead?: () => void
  /** Called with each event that came after the end of the stream had been read. */
  readonly onFresh?: (event: ServiceEvent) => void
  /** Told when the stream is late, stalled, and well again. Called every two minutes while the stream is stalled: the connection is to be made anew. */
  readonly onLag?: (lag: StreamLag) => void
}

/** The event stream by polling `agent.events` (specification, part 6): pages are drained, then it waits. */
export class Poller implements EventSource {
  readonly #options: PollerOptions

  constructor(options: PollerOptions) {
    this.#options = options
  }

  from(cursor: string | undefined): ReturnType<EventSource['from']> {
    return new Observable((subscriber) => {
      const polling = new Polling(this.#options, cursor, subscriber)
      polling.begin()
      return () => polling.stop()
    })
  }
}

/** The stream from one cursor on, for one subscriber: a poll after the other, until it is stopped. */
class Polling {
  readonly #service: RemoteService
  /** By which it waits. */
  readonly #steady: Clock
  readonly #everyMs: PollerOptions['everyMs']
  readonly #onRead: () => void
  readonly #onFresh: (event: ServiceEvent) => void
  readonly #subscriber: Subscriber<InputBody>
  readonly #place: StreamPlace
  readonly #random: Random
  readonly #watchdog: StreamWatchdog
  readonly #keyRefusals = new KeyRefusals()
  readonly #waking: Subscription
  #after: string | null
  #isBehind = true
  #failures = 0
  /** Field that the newest answer lacked. */
  #lacks: string | undefined
  #isPolling = false
  #isWoken = false
  #cancel: () => void = () => {}

  constructor(options: PollerOptions, cursor: string | undefined, subscriber: Subscriber<InputBody>) {
    const { name, service, clock, steady = clock, everyMs, knownEvents, wake$ = EMPTY, onRead = () => {}, onLag = () => {} } = options
    const { onFresh = () => {} } = options
    this.#service = service
    this.#steady = steady
    this.#everyMs = everyMs
    this.#onRead = onRead
    this.#onFresh = onFresh
    this.#subscriber = subscriber
    this.#place = new StreamPlace(service, steady, knownEvents ?? (() => undefined))
    this.#random = keyedRandom('poller', name, cursor ?? '')
    this.#watchdog = new StreamWatchdog(steady, onLag)
    this.#after = cursor ?? null
    this.#waking = wake$.subscribe(() => this.#wake())
  }

  /** Polls now. A read that cannot be made at all, because the journal cannot be written, ends the stream, and with it the bot. */
  begin(): void {
    void this.#poll().catch((thrown: unknown) => this.#subscriber.error(thrown))
  }

  stop(): void {
    this.#cancel()
    this.#waking.unsubscribe()
    this.#watchdog.stop()
  }

  #wake(): void {
    this.#isWoken = true
    // While the service fails, its waits are kept: a webhook does not say that it is well.
    if (this.#isPolling || this.#failures > 0) return
    this.#cancel()
    this.begin()
  }

  async #poll(): Promise<void> {
    this.#isPolling = true
    this.#isWoken = false
    const asked = this.#after
    const result = await this.#service.read({ procedure: 'agent.events', input: { after: asked, limit: PAGE } })
    const found = asked === null || this.#subscriber.closed ? undefined : await this.#place.check(asked, result)
    if (this.#subscriber.closed) return
    if (asked === null && result.ok) this.#place.sound()
    if (found !== undefined) this.#goOnFrom(found)
    else if (result.ok) this.#takePage(result.output)
    else this.#takeFailure(result)
  }

  #goOnFrom({ after: known, reason, cause, waitMs = 0 }: NewPlace): void {
    this.#after = known
    if (reason !== undefined) {
      this.#isBehind = true
      this.#subscriber.next({ type: 'restored', reason, ...(cause === undefined ? {} : { cause }) })
    }
    this.#next(waitMs)
  }

  #takePage({ events, cursor: stated }: EventsPage): void {
    // A cursor that is empty, or has not moved past a page with events in it, is none: an event's own id is one.
    const pageCursor = stated === '' || stated === this.#after ? null : stated
    this.#failures = 0
    this.#lacks = undefined
    this.#keyRefusals.isFinal(undefined)
    this.#watchdog.good()
    this.#onRead()
    const last = events.length - 1
    const inputs = events.map((raw, index) => eventInput(raw, index === last ? (pageCursor ?? undefined) : undefined))
    if (!this.#isBehind) for (const { read } of inputs) if (read.ok) this.#onFresh(read.event)
    for (const input of inputs) this.#subscriber.next(input)
    const lastId = last < 0 ? undefined : idOf(events[last])
    const reached = pageCursor ?? lastId ?? this.#after
    // A service may keep its pages shorter than was asked: while it catches up, only an empty page is the end.
    const isEnd = events.length === 0 || reached === this.#after || (!this.#isBehind && events.length < PAGE)
    this.#after = reached
    if (isEnd && this.#isBehind) {
      this.#isBehind = false
      this.#subscriber.next({ type: 'caughtUp' })
    }
    this.#next(isEnd ? Math.round(this.#everyMs(this.#random.next())) : 0)
  }

  #takeFailure({ reason, refusal, lacks }: Extract<ReadResult, { ok: false }>): void {
    if (this.#keyRefusals.isFinal(refusal)) {
      this.#subscriber.error(keyRefused(reason))
      return
    }
    this.#failures += 1
    this.#isWoken = false
    this.#watchdog.failed(reason)
    if (!this.#isBehind || (lacks !== undefined && lacks !== this.#lacks)) {
      this.#isBehind = true
      this.#subscriber.next({ type: 'behind', reason, ...(lacks === undefined ? {} : { lacks }) })
    }
    this.#lacks = lacks ?? this.#lacks
    this.#next(backoffMs(this.#failures, 250, MAX_BACKOFF_MS))
  }

  /** Until it is called a page is being told: a poll that is woken by it would ask for the same once more. */
  #next(delayMs: number): void {
    this.#isPolling = false
    if (!this.#subscriber.closed) this.#cancel = this.#steady.at(this.#steady.now() + (this.#isWoken ? 0 : delayMs), () => this.begin())
  }
}

interface EventsPage {
  readonly events: unknown[]
  readonly cursor: string | null
}

const keyRefused = (reason: string) =>
  new CornermanError(
    'AGENT_KEY_REFUSED',
    `the service refuses the agent key (${reason}): check the secret named by agentKey in the config, or have the owner issue a new one`,
  )

/** An event of a page; its own id is the cursor past it, and the page's cursor is the one past its last. */
function eventInput(raw: unknown, pageCursor: string | undefined): Extract<InputBody, { type: 'event' }> {
  return { type: 'event', raw, read: readEvent(raw), cursor: pageCursor ?? idOf(raw), recorded: false }
}
