import type { JsonAnswer } from '../server/jsonAnswer.ts'
import { SlidingWindow } from '../server/slidingWindow.ts'
import type { FaultPlan } from './faultPlan.ts'

const WINDOW_MS = 60_000
/** The statuses whose answers say how the limit stands (jup-ag/docs, `portal/rate-limits.mdx`, August 2026). */
const TELLING = new Set([200, 429])

/**
 * Jupiter's limit on request: one sliding window of 60 s a key, or for all without one, over prices, tokens and swaps together. What is refused does
 * not count.
 */
export class JupiterLimit {
  readonly #faults: FaultPlan
  #window: SlidingWindow | undefined

  constructor(faults: FaultPlan) {
    this.#faults = faults
  }

  /** @param key the API key; undefined: none was given */
  async answered(key: string | undefined, now: () => number, answer: () => Promise<JsonAnswer>): Promise<JsonAnswer> {
    const { rateLimit } = this.#faults.faults
    if (rateLimit === 0) return answer()
    if (this.#window?.limit !== rateLimit) this.#window = new SlidingWindow(rateLimit, WINDOW_MS)
    const window = this.#window
    const name = key ?? ''
    // The body is that of Jupiter's gateway for other refusals: `{ code, message }`.
    const given = window.admit(name, now()).ok ? await answer() : { status: 429, body: { code: 429, message: 'Too Many Requests' } }
    if (!TELLING.has(given.status)) return given
    const { count, oldestMs } = window.standing(name, now())
    const headers = {
      'x-ratelimit-remaining': `${rateLimit - count}`,
      'x-ratelimit-current': `${count}`,
      'x-ratelimit-reset': `${Math.ceil(((oldestMs ?? now()) + WINDOW_MS) / 1000)}`,
    }
    return { ...given, headers }
  }
}
