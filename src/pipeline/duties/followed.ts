import type { Bot } from '../bot.ts'
import type { Purpose } from '../protocol/purpose.ts'
import type { Reads } from '../reads.ts'

/** Reads that are made again and again while somebody asks for it. Each has its own period, whatever the answers leave out. */
export class Followed {
  readonly #bot: Bot
  readonly #reads: Reads
  /** Those that were asked for once. */
  readonly #purposes = new Set<Purpose>()

  constructor(bot: Bot, reads: Reads) {
    this.#bot = bot
    this.#reads = reads
  }

  has(purpose: Purpose): boolean {
    return this.#purposes.has(purpose)
  }

  /** Reads at once the first time, then every `periodMs`. */
  follow(purpose: Purpose, periodMs: number): void {
    if (this.isPlanned(purpose)) return
    const { agenda, now } = this.#bot
    agenda.set(purpose, this.#purposes.has(purpose) ? now + periodMs : now)
    this.#purposes.add(purpose)
  }

  isPlanned(purpose: Purpose): boolean {
    return this.#bot.agenda.has(purpose) || this.#reads.isUnderWay(purpose)
  }

  forget(purpose: Purpose): void {
    this.#bot.agenda.drop(purpose)
    this.#purposes.delete(purpose)
  }
}
