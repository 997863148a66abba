import type { Clock } from '../core/clock.ts'

/** Less is not told from the whole seconds that a `date` header counts, and hurts nobody. */
const TOLERANCE_MS = 2000
/** A `date` header leaves this much open. */
const DATE_MS = 1000
/** Once the skew is known, one answer that says otherwise is an odd answer; so many in a row are the truth. */
const SAMPLES_NEEDED = 3
/** Who says that it is another day than the machine has, is wrong: with a clock that far off the machine could speak to nobody over TLS. */
const MOST_SKEW_MS = 24 * 3_600_000

/** When a request was sent and its answer had come, by this clock, and the whole second in which the service answered. */
export interface DateSample {
  readonly sentAt: number
  readonly receivedAt: number
  readonly dateMs: number
}

/**
 * The service's time as far as it can be told: this machine's when it began, unless the two are more than two seconds apart. Deadlines are the
 * service's, so a machine that is minutes off, or has slept for an hour, still reveals in time and believes fresh prices.
 */
export class ServiceClock implements Clock {
  readonly #base: Clock
  readonly #machine: Pick<Clock, 'now'>
  readonly #onSkew: (skewMs: number) => void
  #skewMs = 0
  /** Sets each timer anew, by the skew as it is now. */
  readonly #rearms = new Set<() => void>()
  /** Answers in a row that contradict what is known; undefined before the first answer. */
  #contradictions: number | undefined
  /** What the machine's clock is ahead of the base by: another figure once it was set, or has slept. */
  #machineAheadMs: number

  /**
   * @param base time that nobody sets
   * @param onSkew told of every new skew: what the service is ahead by, in milliseconds; 0 when the clocks agree again
   * @param machine the time of the machine as it is set
   */
  constructor(base: Clock, onSkew: (skewMs: number) => void, machine: Pick<Clock, 'now'> = base) {
    this.#base = base
    this.#machine = machine
    this.#machineAheadMs = this.#aheadNow()
    this.#onSkew = onSkew
  }

  /** Time that nobody sets, and that no skew moves: for how long something takes. */
  get steady(): Clock {
    return this.#base
  }

  now(): number {
    return this.#base.now() + this.#skewMs
  }

  at(atMs: number, task: () => void): () => void {
    let cancelWait = () => {}
    const wait = () => {
      cancelWait()
      cancelWait = this.#base.at(atMs - this.#skewMs, () => {
        if (this.now() < atMs) wait()
        else {
          this.#rearms.delete(wait)
          task()
        }
      })
    }
    // A skew found out meanwhile moves the time that is waited for, nearer or farther.
    this.#rearms.add(wait)
    wait()
    return () => {
      this.#rearms.delete(wait)
      cancelWait()
    }
  }

  /** What an answer says of the service's time. */
  observe({ sentAt, receivedAt, dateMs }: DateSample): void {
    this.#heedTheMachine()
    // It answered between the two, in the second that begins at `dateMs`: it is ahead by no less and no more than this.
    const [least, most] = [dateMs - receivedAt, dateMs + DATE_MS - sentAt]
    if (least <= TOLERANCE_MS && most >= -TOLERANCE_MS) {
      this.#contradictions = 0
      return
    }
    if (Math.abs(dateMs - this.#machine.now()) > MOST_SKEW_MS) return
    this.#contradictions = this.#contradictions === undefined ? SAMPLES_NEEDED : this.#contradictions + 1
    if (this.#contradictions < SAMPLES_NEEDED) return
    this.#contradictions = 0
    const before = this.#skewMs
    this.#skewMs += Math.round((least + most) / 2)
    if (Math.abs(this.#skewMs) <= TOLERANCE_MS) this.#skewMs = 0
    if (this.#skewMs === before) return
    for (const rearm of [...this.#rearms]) rearm()
    this.#onSkew(this.#skewMs)
  }

  #aheadNow(): number {
    return this.#machine.now() - this.#base.now()
  }

  /** A machine that was set, or has slept, says nothing of who is right; but what is known may be wrong, and the next answer says so. */
  #heedTheMachine(): void {
    const aheadMs = this.#aheadNow()
    if (Math.abs(aheadMs - this.#machineAheadMs) <= TOLERANCE_MS) return
    this.#machineAheadMs = aheadMs
    this.#contradictions = undefined
  }
}
