import type { Clock } from '../../core/clock.ts'

/** How often it is looked at the time, and what was not taken is sent again. */
const LOOK_MS = 20_000

export interface DailySummaryOptions {
  /** `21:00`, in the time zone. */
  readonly at: string
  /** An IANA name. */
  readonly timeZone: string
  readonly clock: Clock
  /**
   * @param day as the owner's calendar has it, such as 2026-11-27
   * @returns whether it was taken, or is not to be sent
   */
  readonly send: (day: string) => Promise<boolean>
}

/**
 * Sends once a day, at a time of the owner's: where the clock skips that time, at the next minute there is. What is not taken is tried
 * again until midnight; a run that begins later in the day leaves that day out.
 */
export class DailySummary {
  readonly #options: DailySummaryOptions
  readonly #format: Intl.DateTimeFormat
  /** The newest day of which nothing more is to be sent. */
  #doneFor: string | undefined
  #cancel: () => void = () => {}
  #isClosed = false

  constructor(options: DailySummaryOptions) {
    this.#options = options
    const { at, timeZone } = options
    // Swedish writes the time of the day as ISO 8601 does.
    this.#format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    const { date, time } = this.#now()
    if (time >= at) this.#doneFor = date
    this.#plan()
  }

  close(): void {
    this.#isClosed = true
    this.#cancel()
  }

  #plan(): void {
    if (this.#isClosed) return
    const { clock } = this.#options
    this.#cancel = clock.at(clock.now() + LOOK_MS, () => void this.#look())
  }

  async #look(): Promise<void> {
    const { date, time } = this.#now()
    if (time >= this.#options.at && date !== this.#doneFor && (await this.#options.send(date))) this.#doneFor = date
    this.#plan()
  }

  /** As the owner's clock has it: both compare as texts. */
  #now(): { readonly date: string; readonly time: string } {
    const [date = '', time = ''] = this.#format.format(this.#options.clock.now()).split(' ')
    return { date, time }
  }
}
