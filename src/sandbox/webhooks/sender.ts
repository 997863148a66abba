import { Agent } from 'undici'
import { WEBHOOK_SIGNATURE_HEADER, WEBHOOK_TIMESTAMP_HEADER, WEBHOOK_USER_AGENT, webhookSignature } from '../../contract/webhook.ts'
import { addressTimeoutMs } from '../../core/addressTimeout.ts'
import { messageOf } from '../../core/error.ts'
import { memoize } from '../../core/memoize.ts'
import { within } from '../../core/systemClock.ts'
import { type EndpointRules, type Resolve, readEndpointUrl } from './endpointUrl.ts'
import { pinnedLookup } from './pinnedLookup.ts'

/** Part 8 of the specification, "Webhook response time". Real time, whatever clock the sandbox has. */
const RESPONSE_MS = 5000
/** A connection that nothing was sent on for so long is closed. */
const IDLE_MS = 4000
/** Endpoints whose URL has been read. */
const URLS_KEPT = 1000
/** No connection is kept longer, so that a name that moved is looked up again. */
const CONNECTION_AGE_MS = 60_000
/** Of an answer only the status counts; this much of its body is read so that the connection can be used again. */
const MOST_BODY_BYTES = 16 * 1024

export interface Delivery {
  readonly url: string
  /** `whsec_…`. */
  readonly secret: string
  /** The exact bytes that are signed and sent. */
  readonly body: string
  /** Unix milliseconds, by the sandbox's clock. */
  readonly atMs: number
}

export interface SenderOptions extends EndpointRules {
  readonly resolve: Resolve
  /** How long a receiver has to answer. Default 5 s. */
  readonly responseMs?: number | undefined
}

/** Sends deliveries over HTTP; each only where it may go at the moment it goes. */
export class WebhookSender {
  readonly #options: SenderOptions
  readonly #agent: Agent
  readonly #readUrl: (url: string) => URL

  constructor(options: SenderOptions) {
    this.#options = options
    this.#readUrl = memoize((url) => readEndpointUrl(url, options), URLS_KEPT)
    this.#agent = new Agent({
      // Said, so that NODE_TLS_REJECT_UNAUTHORIZED in the environment does not unsay it.
      connect: {
        ...{ lookup: pinnedLookup(options), timeout: RESPONSE_MS, rejectUnauthorized: true },
        autoSelectFamilyAttemptTimeout: addressTimeoutMs(RESPONSE_MS),
      },
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      clientTtl: CONNECTION_AGE_MS,
      pipelining: 1,
    })
  }

  /**
   * Acknowledged is what the receiver answers with 2xx in time; a redirect is no such answer, and is not followed.
   *
   * @returns why it was not acknowledged; undefined where it was
   */
  async send(delivery: Delivery): Promise<string | undefined> {
    try {
      const status = await within(this.#options.responseMs ?? RESPONSE_MS, (signal) => this.#post(delivery, signal))
      return status >= 200 && status < 300 ? undefined : `it answered ${status}`
    } catch (thrown) {
      return messageOf(thrown)
    }
  }

  /** @returns the status of the answer */
  async #post({ url, secret, body, atMs }: Delivery, signal: AbortSignal): Promise<number> {
    const timestamp = String(Math.floor(atMs / 1000))
    const { origin, pathname, search } = this.#readUrl(url)
    const response = await this.#agent.request({
      origin,
      path: `${pathname}${search}`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': WEBHOOK_USER_AGENT,
        [WEBHOOK_TIMESTAMP_HEADER]: timestamp,
        [WEBHOOK_SIGNATURE_HEADER]: webhookSignature(secret, timestamp, body),
      },
      body,
      signal,
    })
    // The status is the whole answer: a body that does not end in time takes nothing back.
    await response.body.dump({ limit: MOST_BODY_BYTES, signal }).catch(() => {})
    return response.statusCode
  }

  /** Cuts every delivery short; each counts as not sent. */
  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}
