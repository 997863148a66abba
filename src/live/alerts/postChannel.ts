import type { Dispatcher } from 'undici'
import type { Clock } from '../../core/clock.ts'
import { CornermanError, messageOf } from '../../core/error.ts'
import { within } from '../../core/systemClock.ts'
import type { AlertChannel, Delivery, Occurrence } from '../../pipeline/index.ts'
import { connectionsTo, type Outgoing } from '../outgoing.ts'
import { redactor, secretsIn } from '../redact.ts'
import { readRetryAfter, TOO_MANY_REQUESTS } from '../retryAfter.ts'

const TIMEOUT_MS = 10_000
const MOST_ANSWER_BYTES = 64 * 1024
/** Client errors that are of the address, of who asks, or of the time, and not of the message. */
const MAY_PASS = new Set([401, 403, 404, 407, 408, 410, 425, TOO_MANY_REQUESTS])

export interface PostOptions {
  readonly name: string
  readonly url: string
  readonly clock: Clock
  readonly bodyOf: (occurrences: readonly Occurrence[]) => PostBody
}

export interface PostBody {
  /** What is sent, as JSON. */
  readonly body: unknown
  /** How many are told in it. */
  readonly taken: number
}

/** An address that takes alerts as a POST of JSON. Redirects are not followed: a secret address is nobody else's. */
export class PostChannel implements AlertChannel {
  readonly name: string
  readonly #options: PostOptions
  readonly #path: string
  readonly #pool: Outgoing
  readonly #redact: (text: string) => string

  /** @throws CornermanError `SECRET_INVALID` where the address is none; it is not named, being a secret */
  constructor(options: PostOptions) {
    const url = /\p{Cc}/u.test(options.url) ? null : URL.parse(options.url)
    if (url === null || !/^https?:$/.test(url.protocol))
      throw new CornermanError(
        'SECRET_INVALID',
        `the address of alerts by ${options.name} is no http or https URL: set its environment variable to one, without line ends and other control characters`,
      )
    this.name = options.name
    this.#options = options
    this.#path = `${url.pathname}${url.search}`
    this.#redact = redactor(secretsIn(options.url))
    this.#pool = connectionsTo(url.origin, { timeoutMs: TIMEOUT_MS, connections: 1, maxResponseSize: MOST_ANSWER_BYTES })
  }

  async send(occurrences: readonly Occurrence[]): Promise<Delivery> {
    const { bodyOf, clock } = this.#options
    const { body, taken } = bodyOf(occurrences)
    try {
      const { statusCode, headers } = await within(TIMEOUT_MS, (signal) => this.#post(JSON.stringify(body), signal))
      if (statusCode >= 200 && statusCode < 300) return { ok: true, taken }
      const now = clock.now()
      const until = readRetryAfter({ statusCode, headers }, now)
      const hint = statusCode === 401 || statusCode === 403 || statusCode === 404 ? ': check the address' : ''
      return {
        ok: false,
        reason: `HTTP ${statusCode}${hint}`,
        retryAfterMs: until === undefined ? undefined : until - now,
        isFinal: statusCode >= 400 && statusCode < 500 && !MAY_PASS.has(statusCode),
      }
    } catch (thrown) {
      return { ok: false, reason: this.#redact(messageOf(thrown)), retryAfterMs: undefined, isFinal: false }
    }
  }

  async #post(body: string, signal: AbortSignal): Promise<Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>> {
    const headers = { 'content-type': 'application/json' }
    const answer = await this.#pool.request({ method: 'POST', path: this.#path, headers, body, signal })
    await answer.body.dump()
    return answer
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }
}
