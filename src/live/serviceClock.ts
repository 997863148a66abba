import { BehaviorSubject, type Observable } from 'rxjs'
import type { Clock } from '../core/clock.ts'
import { type DatedMoment, ServiceOffset, STEP_MS } from '../core/clockOffset.ts'
import { ClockGap, withoutFirstZero } from './clockGap.ts'

/** A machine at least this far off could not connect over TLS: the time is wrong, not the machine. */
const MOST_SKEW_MS = 24 * 3_600_000
/** A disagreement that is older than this lasts. */
const LASTS_MS = 30_000

/** A request and the `Date` header of its answer. Times of this machine are steady ones (`ServiceClock.steady`). */
export interface DateSample {
  readonly sentAt: number
  readonly receivedAt: number
  readonly dateMs: number
}

/** The service's `Date` header against the times in its events and answers: how far each is ahead of this machine, in milliseconds. */
export interface ClockDisagreement {
  readonly headerMs: number
  readonly timesMs: number
}

export interface ServiceClockOptions {
  /** Called with every new offset: how far the service is ahead of this machine, in milliseconds. */
  readonly onSkew?: (skewMs: number) => void
  /** Called once, after the header and the times of the service have disagreed for some time. */
  readonly onDisagreement?: (disagreement: ClockDisagreement) => void
  /** The time of the machine as it is set. Default: the base. */
  readonly machine?: Pick<Clock, 'now'>
}

/**
 * The bots' time, and how it differs from the service's. Deadlines are the service's: its time is estimated from the times in events and answers,
 * with the `Date` header as one more bound, and from the header alone until there are such times. The bots' time is set by the header, follows it
 * forward, and never steps back. What it is ahead of the service by is `lagMs`: a bot moves each time that the service names by it.
 */
export class ServiceClock implements Clock {
  readonly #base: Clock
  readonly #machine: Pick<Clock, 'now'>
  readonly #options: ServiceClockOptions
  readonly #offset = new ServiceOffset()
  readonly #gap = new ClockGap()
  /** From the first date on, the bots' time never steps back. */
  #isSet = false
  readonly #skew = new BehaviorSubject(0)
  readonly #lag = new BehaviorSubject(0)
  /** How far the bots' time is ahead of this machine's, in milliseconds, if it is, and whenever that changes. */
  readonly skewMs$: Observable<number> = this.#skew.pipe(withoutFirstZero())
  /** How far the bots' time is ahead of the service's, in milliseconds, if it is, and whenever that changes. */
  readonly lagMs$: Observable<number> = this.#lag.pipe(withoutFirstZero())
  /** How far this machine's clock is ahead of the `Date` header, while that is more than an hour; else 0. Milliseconds. */
  readonly gapMs$: Observable<number> = this.#gap.gapMs$
  /** The service's own time, as far as it is known: it may step back. */
  readonly service: Pick<Clock, 'now'> = { now: () => this.now() - this.#lag.value }
  /** Sets each timer anew, by the time as it is now. */
  readonly #rearms = new Set<() => void>()
  #machineAheadMs: number
  #disagreesSince: number | undefined
  #hasSaidDisagreement = false

  /** @param base time that nobody sets */
  constructor(base: Clock, options: ServiceClockOptions = {}) {
    this.#base = base
    this.#machine = options.machine ?? base
    this.#machineAheadMs = this.#aheadNow()
    this.#options = options
  }

  /** Time that nobody sets, and that no offset moves: for how long something takes. */
  get steady(): Clock {
    return this.#base
  }

  /** Time of this machine as it is set. */
  get machine(): Pick<Clock, 'now'> {
    return this.#machine
  }

  /** True once enough times of the service are known. */
  get isKnown(): boolean {
    return this.#offset.hasTimes || this.#offset.hasHeader
  }

  now(): number {
    return this.#base.now() + this.#skew.value
  }

  at(atMs: number, task: () => void): () => void {
    let cancelWait = () => {}
    const wait = () => {
      cancelWait()
      cancelWait = this.#base.at(atMs - this.#skew.value, () => {
        if (this.now() < atMs) wait()
        else {
          this.#rearms.delete(wait)
          task()
        }
      })
    }
    // A step that is found out meanwhile brings the time nearer.
    this.#rearms.add(wait)
    wait()
    return () => {
      this.#rearms.delete(wait)
      cancelWait()
    }
  }

  /** Takes in the `Date` header of an answer. */
  observe({ sentAt, receivedAt, dateMs }: DateSample): void {
    this.#heedTheMachine()
    if (!Number.isNaN(dateMs)) this.#gap.take(dateMs, this.#machine.now())
    if (this.#isImpossible(dateMs)) return
    this.#offset.addHeader({ dateMs, notBefore: sentAt, notAfter: receivedAt }, this.#base.now())
    this.#follow()
    this.#isSet ||= this.#offset.hasHeader
  }

  /** Takes in a time that an event or an answer named. */
  observeTime(moment: DatedMoment): void {
    this.#heedTheMachine()
    if (this.#isImpossible(moment.dateMs)) return
    this.#offset.addTime(moment, this.#base.now())
    this.#isSet = true
    this.#follow()
  }

  #follow(): void {
    this.#heedDisagreement()
    const { offsetMs, headerMs } = this.#offset
    const isNew = offsetMs !== this.#skew.value - this.#lag.value
    const skewMs = this.#isSet ? Math.max(headerMs, this.#skew.value) : headerMs
    const isMoved = skewMs !== this.#skew.value
    this.#skew.next(skewMs)
    this.#lag.next(skewMs - offsetMs)
    if (isMoved) for (const rearm of [...this.#rearms]) rearm()
    if (isNew) this.#options.onSkew?.(offsetMs)
  }

  #heedDisagreement(): void {
    const { headerMs, offsetMs: timesMs, hasTimes, hasHeader } = this.#offset
    const isKnown = hasTimes && hasHeader
    if (!isKnown || Math.abs(headerMs - timesMs) <= STEP_MS) {
      this.#disagreesSince = undefined
      return
    }
    this.#disagreesSince ??= this.#base.now()
    if (this.#hasSaidDisagreement || this.#base.now() - this.#disagreesSince < LASTS_MS) return
    this.#hasSaidDisagreement = true
    this.#options.onDisagreement?.({ headerMs, timesMs })
  }

  #isImpossible(dateMs: number): boolean {
    return Number.isNaN(dateMs) || Math.abs(dateMs - this.#machine.now()) > MOST_SKEW_MS
  }

  #aheadNow(): number {
    return this.#machine.now() - this.#base.now()
  }

  /** A machine that was set, or has slept: what was known of the offset may be wrong, and the next answers say so. */
  #heedTheMachine(): void {
    const aheadMs = this.#aheadNow()
    if (Math.abs(aheadMs - this.#machineAheadMs) <= STEP_MS) return
    this.#machineAheadMs = aheadMs
    this.#offset.restart()
  }
}
