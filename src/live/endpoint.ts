import { z } from 'zod'
import type { Clock } from '../core/clock.ts'
import { messageOf } from '../core/error.ts'
import { within } from '../core/systemClock.ts'
import { connectionsTo, type Outgoing, type OutgoingOptions } from './outgoing.ts'
import { redactor, secretsIn } from './redact.ts'
import { Backoff, type RefusalHead, readRetryAfter, TOO_MANY_REQUESTS } from './retryAfter.ts'

const MAX_ANSWER_BYTES = 1024 * 1024
const MAX_WORDS = 200
/** After a 429 that names no time: an address that is well again is asked soon. */
const LONGEST_BACKOFF_MS = 15_000
/** Besides server errors, what another try can mend: request timeout, too early, too many requests. */
const RETRYABLE = new Set([408, 425, TOO_MANY_REQUESTS])

/** Of the key, or for want of one. */
const KEY_REFUSED = new Set([401, 403])

export interface EndpointOptions {
  /** As reasons call it, such as `the price feed`. */
  readonly name: string
  readonly url: string
  readonly apiKey: string | undefined
  readonly timeoutMs: number
  readonly clock: Clock
  /** Time of its timeouts. Default: this machine's. */
  readonly timer?: Clock | undefined
  /** The field of the config that holds the key, for whoever reads that it was refused; undefined: the address has no key of its own. */
  readonly keyField?: string
  /** Default: `connectionsTo`. */
  readonly connect?: (origin: string, options: OutgoingOptions) => Outgoing
}

export interface EndpointRequest {
  readonly method: 'GET' | 'POST'
  /** With the query, below the origin. */
  readonly path: string
  readonly body?: string
  /** Milliseconds. Default: those of the address. */
  readonly timeoutMs?: number | undefined
}

/** Why there is no answer. The reason holds no secret. */
export interface EndpointTrouble {
  readonly ok: false
  readonly reason: string
  /** Whether the same request may be answered later. */
  readonly retryable: boolean
  /** It was asked too often. */
  readonly isHeldBack?: true
  /** It was not asked: this process's own budget had no request free. */
  readonly hadNoTurn?: true
  /** It does not take the key, or none. */
  readonly isKeyRefused?: true
}

export type EndpointAnswer = { readonly ok: true; readonly text: string } | EndpointTrouble

/**
 * An HTTP address of somebody else's: every answer is whole, in time and under 1 MiB, or a reason why not. Once it has
 * asked to be left alone (429, or `retry-after`), nothing is sent to it before that time; after a 429 that names none, it waits longer each time.
 */
export class Endpoint {
  readonly #options: EndpointOptions
  readonly #pool: Outgoing
  readonly #headers: Readonly<Record<string, string>>
  readonly #redact: (text: string) => string
  readonly #backoff = new Backoff(LONGEST_BACKOFF_MS)
  #heldUntil = Number.NEGATIVE_INFINITY
  /** Whether it was asked too often, and is not down. */
  #isLimited = false

  constructor(options: EndpointOptions) {
    this.#options = options
    const { url, apiKey, timeoutMs, connect = connectionsTo } = options
    const { origin, username, password } = new URL(url)
    const basic = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
    this.#headers = {
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
      ...(username === '' ? {} : { authorization: `Basic ${basic}` }),
    }
    this.#redact = redactor([apiKey ?? '', username === '' ? '' : basic, ...secretsIn(url)])
    this.#pool = connect(origin, { timeoutMs, connections: 4, maxResponseSize: MAX_ANSWER_BYTES })
  }

  /** Unix milliseconds before which nothing is sent. */
  get heldUntil(): number {
    return this.#heldUntil
  }

  /** A trouble in words of the caller's, which may quote what came over the wire. */
  trouble(what: string, retryable = true): EndpointTrouble {
    return { ok: false, reason: `${this.#options.name} ${this.shown(what)}`, retryable }
  }

  /** What came over the wire, fit to be shown: one short line without secrets. */
  shown(text: string): string {
    return this.#redact(text).replace(/\s+/g, ' ').slice(0, MAX_WORDS)
  }

  /** @param onHead hears of an answer before its body is read; whoever hears of them keeps the waits of a 429 itself */
  async send(request: EndpointRequest, onHead?: (head: RefusalHead) => void): Promise<EndpointAnswer> {
    const { clock, timer } = this.#options
    const { timeoutMs = this.#options.timeoutMs } = request
    const waitMs = this.#heldUntil - clock.now()
    if (waitMs > 0) return this.#heldBack(this.trouble(`takes no more requests for ${Math.ceil(waitMs / 1000)} s`))
    try {
      return await within(timeoutMs, (signal) => this.#ask(request, signal, onHead), timer)
    } catch (thrown) {
      return this.trouble(failureOf(thrown, timeoutMs))
    }
  }

  async #ask({ method, path, body }: EndpointRequest, signal: AbortSignal, onHead?: (head: RefusalHead) => void): Promise<EndpointAnswer> {
    const headers = { ...this.#headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const sentAt = this.#options.clock.now()
    const answer = await this.#pool.request({ method, path, ...(body === undefined ? {} : { body }), headers, signal })
    const { statusCode } = answer
    const isGood = statusCode >= 200 && statusCode < 300
    // Before the body, which may never end.
    onHead?.(answer)
    if (onHead === undefined || statusCode !== TOO_MANY_REQUESTS) this.#hold(answer, sentAt)
    const text = await answer.body.text()
    if (isGood) return { ok: true, text }
    const words = wordsOf(text)
    const said = `HTTP ${statusCode}${words === '' ? '' : `: ${words}`}`
    const { keyField } = this.#options
    if (keyField !== undefined && KEY_REFUSED.has(statusCode)) return this.#keyRefused(said, keyField)
    const isRetryable = statusCode >= 500 || RETRYABLE.has(statusCode)
    const trouble = this.trouble(`answered ${said}`, isRetryable)
    return statusCode === TOO_MANY_REQUESTS ? { ...trouble, isHeldBack: true } : trouble
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }

  #hold(answer: RefusalHead, sentAt: number): void {
    const now = this.#options.clock.now()
    const ownUntil = this.#backoff.after(answer.statusCode, sentAt, now)
    const until = readRetryAfter(answer, now) ?? ownUntil
    if (until === undefined || until < this.#heldUntil) return
    this.#heldUntil = until
    this.#isLimited = answer.statusCode === TOO_MANY_REQUESTS
  }

  #keyRefused(said: string, field: string): EndpointTrouble {
    const what = this.#options.apiKey === undefined ? `takes no requests without a key: set ${field}` : `refuses the key of ${field}`
    return { ...this.trouble(`${what} (${said})`, false), isKeyRefused: true }
  }

  #heldBack(trouble: EndpointTrouble): EndpointTrouble {
    return this.#isLimited ? { ...trouble, isHeldBack: true } : trouble
  }
}

const text = z.string().optional().catch(undefined)
const errorSchema = z.looseObject({ error: text, message: text, errorCode: text })
/** JSON-RPC has the same one level below. */
const nestedSchema = z.looseObject({ error: errorSchema })

/** What an error body says to a person; empty for a page of HTML, and for nothing. */
export function wordsOf(body: string): string {
  const read = readJson(body)
  if (read === undefined) return body.trimStart().startsWith('<') ? '' : body.trim()
  const nested = nestedSchema.safeParse(read)
  const said = nested.success ? nested.data.error : errorSchema.safeParse(read).data
  return [said?.errorCode, said?.error ?? said?.message].filter((part) => part !== undefined).join(': ')
}

/** What is not JSON reads as undefined. */
export function readJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return undefined
  }
}

function failureOf(thrown: unknown, timeoutMs: number): string {
  if (thrown instanceof Error && thrown.name === 'TimeoutError') return `gave no whole answer within ${timeoutMs} ms`
  const code = codeOf(thrown)
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return `gave an answer of over ${MAX_ANSWER_BYTES} bytes`
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return `cannot be reached: ${messageOf(thrown)}`
  if (/_TIMEOUT$/.test(code)) return `gave no whole answer within ${timeoutMs} ms`
  return `cannot be reached (${code || messageOf(thrown)})`
}

/** The code of what Node or undici failed with, such as `ECONNREFUSED`; empty where there is none. */
export function codeOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return codeOf(thrown.errors[0])
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
}
