import type { Clock } from '../core/clock.ts'

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

/** Notices when no poll has succeeded for long, whether polls fail, hang or are held back. */
export class StreamWatchdog {
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
