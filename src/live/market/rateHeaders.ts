import type { IncomingHttpHeaders } from 'node:http'

/** How a limit stands by the headers of one answer; undefined where the answer does not say. */
export interface RateStanding {
  /** Requests that are still taken; negative where several at once went over. */
  readonly remaining: number | undefined
  /** Requests that count in the window. */
  readonly current: number | undefined
  /** Unix milliseconds at which one place frees up. */
  readonly resetAt: number | undefined
}

/** Reads Jupiter's headers of a limit, which stand on 200 and 429 alone (jup-ag/docs, `portal/rate-limits.mdx`, August 2026). */
export function readRateHeaders(headers: IncomingHttpHeaders): RateStanding {
  const resetSeconds = integerIn(headers['x-ratelimit-reset'])
  const current = integerIn(headers['x-ratelimit-current'])
  return {
    remaining: integerIn(headers['x-ratelimit-remaining']),
    current: current === undefined || current < 0 ? undefined : current,
    resetAt: resetSeconds === undefined || resetSeconds <= 0 ? undefined : resetSeconds * 1000,
  }
}

/** A header that was sent twice, or holds no whole number, says nothing. */
function integerIn(header: string | string[] | undefined): number | undefined {
  const text = typeof header === 'string' ? header.trim() : ''
  return /^-?\d{1,12}$/.test(text) ? Number(text) : undefined
}
