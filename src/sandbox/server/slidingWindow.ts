/** Whether a call may go on; if not, after how long one may. */
export type Admission = { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number }

/** Counts calls by key: in no stretch of `windowMs`, wherever it begins, are there more than `limit`. Refused calls do not count. */
export class SlidingWindow {
  readonly limit: number
  readonly #windowMs: number
  readonly #calls = new Map<string, number[]>()

  constructor(limit: number, windowMs: number) {
    this.limit = limit
    this.#windowMs = windowMs
  }

  admit(key: string, nowMs: number): Admission {
    const calls = this.#calls.get(key) ?? []
    this.#calls.set(key, calls)
    const firstInside = calls.findIndex((atMs) => atMs > nowMs - this.#windowMs)
    calls.splice(0, firstInside === -1 ? calls.length : firstInside)
    const oldest = calls[0]
    if (oldest !== undefined && calls.length >= this.limit) return { ok: false, retryAfterMs: oldest + this.#windowMs - nowMs }
    calls.push(nowMs)
    return { ok: true }
  }
}
