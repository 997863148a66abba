/** Whether a call may go on; if not, after how long one may. */
export type Admission = { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number }

/** The times of one key's calls, oldest first; those before `first` have left the window. */
interface Calls {
  atMs: number[]
  first: number
}

/** Counts calls by key: in no stretch of `windowMs`, wherever it begins, are there more than `limit`. Refused calls do not count. */
export class SlidingWindow {
  readonly limit: number
  readonly #windowMs: number
  readonly #calls = new Map<string, Calls>()

  constructor(limit: number, windowMs: number) {
    this.limit = limit
    this.#windowMs = windowMs
  }

  admit(key: string, nowMs: number): Admission {
    const calls = this.#callsOf(key)
    forget(calls, nowMs - this.#windowMs)
    const oldest = calls.atMs[calls.first]
    if (oldest !== undefined && calls.atMs.length - calls.first >= this.limit) {
      return { ok: false, retryAfterMs: oldest + this.#windowMs - nowMs }
    }
    calls.atMs.push(nowMs)
    return { ok: true }
  }

  /** Calls that count now, and when the oldest of them came. */
  standing(key: string, nowMs: number): { readonly count: number; readonly oldestMs: number | undefined } {
    const calls = this.#callsOf(key)
    forget(calls, nowMs - this.#windowMs)
    return { count: calls.atMs.length - calls.first, oldestMs: calls.atMs[calls.first] }
  }

  #callsOf(key: string): Calls {
    let calls = this.#calls.get(key)
    if (calls === undefined) {
      calls = { atMs: [], first: 0 }
      this.#calls.set(key, calls)
    }
    return calls
  }
}

/** Forgets calls up to a time. The list is cut only once half of it is forgotten, so that a call costs the same at any rate. */
function forget(calls: Calls, upToMs: number): void {
  for (let atMs = calls.atMs[calls.first]; atMs !== undefined && atMs <= upToMs; atMs = calls.atMs[calls.first]) calls.first++
  if (calls.first * 2 < calls.atMs.length) return
  calls.atMs = calls.atMs.slice(calls.first)
  calls.first = 0
}
