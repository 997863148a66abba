import type { IncomingHttpHeaders } from 'node:http'

export const TOO_MANY_REQUESTS = 429
/** A longer wait is not believed: the address would be lost for the run. */
export const MAX_HOLD_MS = 3_600_000
/** A number of seconds from here on is no wait but a time: so many have passed since 1970, and waits are no 30 years long. */
const FIRST_EPOCH_SECONDS = 1e9
const FIRST_EPOCH_MS = 1e12
/** The three forms of a date in HTTP (RFC 9110, 5.6.7), all of which begin with the day's name. `Date.parse` takes far more for a date. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/
const SECONDS = /^(?:\d+(?:\.\d*)?|\.\d+)$/

export interface RefusalHead {
  readonly statusCode: number
  readonly headers: IncomingHttpHeaders
}

/**
 * When the wait ends that an answer asks for, in Unix milliseconds: by `retry-after` (RFC 9110, 10.2.3), or by `x-ratelimit-reset` where the
 * answer is a 429 (every other answer carries that header too, and asks for nothing). Undefined where it names no time that is still to come.
 */
export function readRetryAfter({ statusCode, headers }: RefusalHead, now: number): number | undefined {
  const told =
    latest(headers['retry-after'], now) ?? (statusCode === TOO_MANY_REQUESTS ? latest(headers['x-ratelimit-reset'], now) : undefined)
  return told === undefined ? undefined : Math.min(told, now + MAX_HOLD_MS)
}

/** A header that was sent twice is an array: the longest of its waits counts. */
function latest(header: string | string[] | undefined, now: number): number | undefined {
  const ends = [header ?? []].flat().flatMap((text) => readEnd(text.trim(), now) ?? [])
  const last = Math.max(...ends)
  return last > now ? last : undefined
}

function readEnd(text: string, now: number): number | undefined {
  if (SECONDS.test(text)) {
    const seconds = Number(text)
    if (seconds < FIRST_EPOCH_SECONDS) return now + Math.ceil(seconds * 1000)
    return seconds < FIRST_EPOCH_MS ? Math.ceil(seconds * 1000) : seconds
  }
  // The oldest form names no zone, and means UTC as the others do.
  const dateMs = HTTP_DATE.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN
  return Number.isNaN(dateMs) ? undefined : dateMs
}

const FIRST_WAIT_MS = 1000
const LAST_WAIT_MS = 60_000

/** The waits after answers of 429 that name none: each is twice the one before, until something else is answered. */
export class Backoff {
  readonly #mostMs: number
  #waitMs = 0
  #until = Number.NEGATIVE_INFINITY

  constructor(mostMs: number = LAST_WAIT_MS) {
    this.#mostMs = mostMs
  }

  /**
   * When the wait ends that an answer begins; undefined where it begins none.
   *
   * @param sentAt an answer to what was sent before the newest wait was over says nothing new
   */
  after(statusCode: number, sentAt: number, now: number): number | undefined {
    const isRefused = statusCode === TOO_MANY_REQUESTS
    const isNews = sentAt >= this.#until
    if (isNews) this.#waitMs = isRefused ? Math.min(Math.max(FIRST_WAIT_MS, 2 * this.#waitMs), this.#mostMs) : 0
    if (!isRefused) return undefined
    this.#until = now + this.#waitMs
    return this.#until
  }
}
