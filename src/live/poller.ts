import { EMPTY, Observable } from 'rxjs'
import { readEvent } from '../contract/events.ts'
import type { Clock } from '../core/clock.ts'
import { CornermanError } from '../core/error.ts'
import { keyedRandom } from '../core/random.ts'
import type { EventSource, InputBody, ReadResult, RemoteService } from '../pipeline/index.ts'
import { KeyRefusals } from './keyRefusals.ts'
import { idOf, type KnownEvents, type NewPlace, StreamPlace } from './streamPlace.ts'

const PAGE = 100
const MAX_BACKOFF_MS = 15_000
/** Without a successful poll for so long, it is said; then it is an alarm, and the connection is made anew, again and again. */
const LATE_MS = 30_000
const STALLED_MS = 120_000

/** How the stream stands when nothing was read for so long. */
export const lagStateOf = (lagMs: number): 'current' | 'late' | 'stalled' =>
  lagMs < LATE_MS ? 'current' : lagMs < STALLED_MS ? 'late' : 'stalled'

/** How the stream stands: `late` and `stalled` since the last successful poll, which was so long ago. */
export interface StreamLag {
  readonly state: 'late' | 'stalled' | 'recovered'
  readonly lagMs: number
  readonly reason: string
}

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
      const { name, service, clock, steady = clock, everyMs, wake$ = EMPTY, onRead = () => {}, onLag = () => {} } = this.#options
      const place = new StreamPlace(service, steady, this.#options.knownEvents ?? (() => undefined))
      const random = keyedRandom('poller', name, cursor ?? '')
      const watchdog = new Watchdog(steady, onLag)
      let after = cursor ?? null
      let isBehind = true
      let failures = 0
      const keyRefusals = new KeyRefusals()
      let isPolling = false
      let isWoken = false
      let cancel: () => void = () => {}

      const poll = async () => {
        isPolling = true
        isWoken = false
        const asked = after
        const result = await service.read({ procedure: 'agent.events', input: { after: asked, limit: PAGE } })
        const found = asked === null || subscriber.closed ? undefined : await place.check(asked, result)
        if (subscriber.closed) return
        if (found !== undefined) goOnFrom(found)
        else if (result.ok) takePage(result.output)
        else takeFailure(result)
      }
      // A read that cannot be made at all, because the journal cannot be written, ends the stream, and with it the bot.
      const begin = () => void poll().catch((thrown: unknown) => subscriber.error(thrown))
      // Until then a page is being told: a poll that is woken by it would ask for the same once more.
      const next = (delayMs: number) => {
        isPolling = false
        if (!subscriber.closed) cancel = steady.at(steady.now() + (isWoken ? 0 : delayMs), begin)
      }
      const waking = wake$.subscribe(() => {
        isWoken = true
        // While the service fails, its waits are kept: a webhook does not say that it is well.
        if (isPolling || failures > 0) return
        cancel()
        begin()
      })
      const goOnFrom = ({ after: known, reason, waitMs = 0 }: NewPlace) => {
        after = known
        if (reason !== undefined) {
          isBehind = true
          subscriber.next({ type: 'restored', reason })
        }
        next(waitMs)
      }
      const takePage = ({ events, cursor: stated }: { events: unknown[]; cursor: string | null }) => {
        // A cursor that is empty, or has not moved past a page with events in it, is none: an event's own id is one.
        const pageCursor = stated === '' || stated === after ? null : stated
        failures = 0
        keyRefusals.isFinal(undefined)
        watchdog.good()
        onRead()
        const last = events.length - 1
        events.forEach((raw, index) => {
          subscriber.next(eventInput(raw, index === last ? (pageCursor ?? undefined) : undefined))
        })
        const lastId = last < 0 ? undefined : idOf(events[last])
        const reached = pageCursor ?? lastId ?? after
        // A service may keep its pages shorter than was asked: while it catches up, only an empty page is the end.
        const isEnd = events.length === 0 || reached === after || (!isBehind && events.length < PAGE)
        after = reached
        if (isEnd && isBehind) {
          isBehind = false
          subscriber.next({ type: 'caughtUp' })
        }
        next(isEnd ? Math.round(everyMs(random.next())) : 0)
      }
      const takeFailure = ({ reason, refusal }: Extract<ReadResult, { ok: false }>) => {
        if (keyRefusals.isFinal(refusal)) {
          subscriber.error(
            new CornermanError(
              'AGENT_KEY_REFUSED',
              `the service refuses the agent key (${reason}): check the secret named by agentKey in the config, or have the owner issue a new one`,
            ),
          )
          return
        }
        failures += 1
        isWoken = false
        watchdog.failed(reason)
        if (!isBehind) {
          isBehind = true
          subscriber.next({ type: 'behind', reason })
        }
        next(Math.min(MAX_BACKOFF_MS, 250 * 2 ** failures))
      }

      begin()
      return () => {
        cancel()
        waking.unsubscribe()
        watchdog.stop()
      }
    })
  }
}

/** Notices when no poll has succeeded for long, whether polls fail, hang or are held back. */
class Watchdog {
  readonly #clock: Clock
  readonly #onLag: (lag: StreamLag) => void
  #goodAt: number
  #alarms = 0
  #reason = 'no answer yet'
  #cancel: () => void = () => {}

  constructor(clock: Clock, onLag: (lag: StreamLag) => void) {
    this.#clock = clock
    this.#onLag = onLag
    this.#goodAt = clock.now()
    this.#wait()
  }

  good(): void {
    if (this.#alarms > 0) this.#tell('recovered')
    this.#alarms = 0
    this.#goodAt = this.#clock.now()
    this.#cancel()
    this.#wait()
  }

  failed(reason: string): void {
    this.#reason = reason
  }

  stop(): void {
    this.#cancel()
  }

  #wait(): void {
    const dueMs = this.#alarms === 0 ? LATE_MS : this.#alarms * STALLED_MS
    this.#cancel = this.#clock.at(this.#goodAt + dueMs, () => {
      this.#alarms += 1
      this.#tell(this.#alarms === 1 ? 'late' : 'stalled')
      this.#wait()
    })
  }

  #tell(state: StreamLag['state']): void {
    this.#onLag({ state, lagMs: this.#clock.now() - this.#goodAt, reason: this.#reason })
  }
}

/** An event of a page; its own id is the cursor past it, and the page's cursor is the one past its last. */
function eventInput(raw: unknown, pageCursor: string | undefined): Extract<InputBody, { type: 'event' }> {
  return { type: 'event', raw, read: readEvent(raw), cursor: pageCursor ?? idOf(raw), recorded: false }
}
