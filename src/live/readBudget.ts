import type { Clock } from '../core/clock.ts'

const WINDOW_MS = 60_000

/** Smaller goes first. */
export type ReadPriority = 0 | 1 | 2 | 3

interface Waiting {
  readonly priority: ReadPriority
  readonly order: number
  readonly go: () => void
}

/**
 * Keeps the reads of one agent key under the service's limit, in any minute (specification, part 8:
 * 300 a minute). Whoever asks waits for its turn; what is more urgent goes first.
 */
export class ReadBudget {
  readonly #clock: Clock
  readonly #perMinute: number
  readonly #sent: number[] = []
  readonly #waiting: Waiting[] = []
  #order = 0
  #notBefore = 0
  #cancelTimer: (() => void) | undefined
  #isClosed = false

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock
    this.#perMinute = perMinute
  }

  /** Resolves when a read may be sent; it then counts as sent. */
  take(priority: ReadPriority): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ priority, order: this.#order++, go: resolve })
      this.#waiting.sort((a, b) => a.priority - b.priority || a.order - b.order)
      this.#serve()
    })
  }

  /** The service asked this key to wait: everything of the key does. */
  holdUntil(atMs: number): void {
    this.#notBefore = Math.max(this.#notBefore, atMs)
  }

  /** Lets everyone go, now and later: what is sent then fails by itself, and no timer keeps the process alive. */
  close(): void {
    this.#isClosed = true
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#serve()
  }

  #serve(): void {
    if (this.#isClosed) {
      for (const { go } of this.#waiting.splice(0)) go()
      return
    }
    const now = this.#clock.now()
    while (this.#sent[0] !== undefined && this.#sent[0] <= now - WINDOW_MS) this.#sent.shift()
    while (this.#waiting.length > 0 && now >= this.#notBefore && this.#sent.length < this.#perMinute) {
      this.#sent.push(now)
      this.#waiting.shift()?.go()
    }
    if (this.#waiting.length === 0 || this.#cancelTimer !== undefined) return
    const freeAt = this.#sent.length < this.#perMinute ? now : (this.#sent[0] ?? now) + WINDOW_MS + 1
    this.#cancelTimer = this.#clock.at(Math.max(freeAt, this.#notBefore), () => {
      this.#cancelTimer = undefined
      this.#serve()
    })
  }
}
