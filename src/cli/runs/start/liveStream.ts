import { merge, type Observable, Subject, tap } from 'rxjs'
import type { ServiceEvent } from '../../../contract/events.ts'
import type { StreamView } from '../../../dashboard/index.ts'
import { type HttpService, type KnownEvents, lagStateOf, Poller, pollPace, type ServiceClock, type StreamLag } from '../../../live/index.ts'
import type { Books, RemoteService } from '../../../pipeline/index.ts'
import type { Logger } from '../../log.ts'

export interface LiveStreamOptions {
  /** The bot's. */
  readonly name: string
  readonly clock: ServiceClock
  readonly log: Logger
  /** Something has happened to the agent: its webhook says so. */
  readonly wake$: Observable<unknown>
  readonly books: () => Books | undefined
  /** As `PollerOptions` has it. */
  readonly onFresh?: (event: ServiceEvent) => void
}

/** How one bot follows its event stream: at which pace, woken by what, and how it stands. */
export class LiveStream {
  readonly #options: LiveStreamOptions
  /** An entry was accepted: what comes of it is looked for sooner than an idle bot looks. */
  readonly #entered$ = new Subject<void>()
  #openCount = 0
  #hasCaughtUp = false
  /** Since the stream is stalled, how often that was told. */
  #stalls = 0
  /** By the steady clock: the first answer of the service may move its time by hours. */
  readonly #begunAt: number
  #read: Pick<StreamView, 'state' | 'readAt'> = { state: 'current', readAt: undefined }

  constructor(options: LiveStreamOptions) {
    this.#options = options
    this.#begunAt = options.clock.steady.now()
  }

  /** Whether the stream, and the lists beside it, were read to their end once. */
  get hasCaughtUp(): boolean {
    return this.#hasCaughtUp
  }

  get state(): StreamView {
    const { clock } = this.#options
    const lagMs = clock.steady.now() - this.#begunAt
    const startedAt = clock.now() - lagMs
    // A bot that has not even been told who it is polls nothing yet: the poller is silent of it.
    return this.#read.readAt === undefined ? { state: lagStateOf(lagMs), readAt: undefined, startedAt } : { ...this.#read, startedAt }
  }

  /** @param http whose connection is made anew when nothing comes any more */
  poller(service: RemoteService, http: HttpService, knownEvents: KnownEvents): Poller {
    const { name, clock, wake$, books, onFresh = () => {} } = this.#options
    let heardAt = Number.NEGATIVE_INFINITY
    let enteredAt = Number.NEGATIVE_INFINITY
    const heard$ = wake$.pipe(
      tap(() => {
        heardAt = clock.now()
      }),
    )
    const entered$ = this.#entered$.pipe(
      tap(() => {
        enteredAt = clock.now()
      }),
    )
    return new Poller({
      ...{ name, service, clock, steady: clock.steady, knownEvents },
      everyMs: (random) => pollPace({ books: books(), now: clock.now(), heardAt, enteredAt, random }),
      wake$: merge(heard$, entered$),
      onFresh,
      onRead: () => {
        this.#read = { state: 'current', readAt: clock.now() }
      },
      onLag: (lag) => {
        this.#read = { ...this.#read, state: lag.state === 'recovered' ? 'current' : lag.state }
        this.#say(lag)
        if (lag.state === 'stalled') http.rebuild()
      },
    })
  }

  /** A step was taken: it may have been an entry that was accepted. */
  onStep(): void {
    const books = this.#options.books()
    if (books?.caughtUp === true) this.#hasCaughtUp = true
    const openCount = books === undefined ? 0 : books.tickets.size + books.seats.size
    const hasEntered = openCount > this.#openCount
    this.#openCount = openCount
    if (hasEntered) this.#entered$.next()
  }

  #say({ state, lagMs, reason }: StreamLag): void {
    const { log, name: bot } = this.#options
    const about = { bot, lagMs }
    const seconds = Math.round(lagMs / 1000)
    // What lasts is said at growing times: it is an alarm the first time.
    if (state === 'late') this.#stalls = 0
    if (state === 'stalled') this.#stalls += 1
    if (state === 'stalled' && !isPowerOfTwo(this.#stalls)) return
    if (state === 'late') log.warn(about, `no event has been read for ${seconds} s: ${reason}`)
    else if (state === 'stalled')
      log.error(
        about,
        `no event has been read for ${seconds} s: ${reason}; the connection is made anew, and no strategy is asked until then`,
      )
    else log.info(about, `events are read again after ${seconds} s`)
  }
}

const isPowerOfTwo = (n: number): boolean => (n & (n - 1)) === 0
