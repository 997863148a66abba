import { Api, type ApiClientOptions, GrammyError } from 'grammy'
import { fetch } from 'undici'
import { messageOf } from '../../core/error.ts'
import type { AlertChannel, Delivery, Occurrence } from '../../pipeline/index.ts'
import { connectionsTo, type Outgoing } from '../outgoing.ts'
import { redactor } from '../redact.ts'
import { readRetryAfter } from '../retryAfter.ts'
import { alertText } from './alertText.ts'

/** https://core.telegram.org/bots/api#sendmessage */
const MOST_CHARACTERS = 4096
const TIMEOUT_MS = 10_000
const MOST_ANSWER_BYTES = 64 * 1024

export interface TelegramOptions {
  readonly name: string
  readonly token: string
  readonly chat: string
  readonly apiRoot: string
  /** Default: 10 s. */
  readonly timeoutMs?: number
}

/** A chat of a Telegram bot. */
export class TelegramChannel implements AlertChannel {
  readonly name: string
  readonly #api: Api
  readonly #connections: Outgoing
  readonly #chat: string
  readonly #redact: (text: string) => string

  constructor({ name, token, chat, apiRoot, timeoutMs = TIMEOUT_MS }: TelegramOptions) {
    this.name = name
    this.#connections = connectionsTo(new URL(apiRoot).origin, {
      ...{ timeoutMs, connections: 1, maxResponseSize: MOST_ANSWER_BYTES },
    })
    this.#api = new Api(token, { apiRoot, timeoutSeconds: timeoutMs / 1000, fetch: fetchBy(this.#connections) })
    this.#chat = chat
    this.#redact = redactor([token])
  }

  async send(occurrences: readonly Occurrence[]): Promise<Delivery> {
    const { text, taken } = alertText(occurrences, MOST_CHARACTERS)
    try {
      await this.#api.sendMessage(this.#chat, text)
      return { ok: true, taken }
    } catch (thrown) {
      return { ok: false, ...this.#whyNot(thrown) }
    }
  }

  close(): Promise<void> {
    return this.#connections.destroy()
  }

  #whyNot(thrown: unknown): Omit<Extract<Delivery, { ok: false }>, 'ok'> {
    if (!(thrown instanceof GrammyError)) return { reason: this.#redact(messageOf(thrown)), retryAfterMs: undefined, isFinal: false }
    const { error_code: code, description, parameters } = thrown
    // Telegram answers 400 to a chat it does not know as well as to a text it does not take: only its words tell them apart.
    const isOfChat = code === 403 || (code === 400 && /chat|peer/i.test(description))
    // What Telegram answers to a token it does not know: https://core.telegram.org/bots/api#making-requests
    const hint = code === 401 || code === 404 ? ': check the token' : isOfChat ? ': check the chat' : ''
    const seconds = parameters.retry_after
    const retryAfterMs =
      seconds === undefined ? undefined : readRetryAfter({ statusCode: code, headers: { 'retry-after': String(seconds) } }, 0)
    return { reason: this.#redact(`${code} ${description}${hint}`), retryAfterMs, isFinal: code === 400 && !isOfChat }
  }
}

type Fetch = NonNullable<ApiClientOptions['fetch']>

/** What grammy calls in place of its own, which knows nothing of proxies, and closes what it gives up. */
function fetchBy({ dispatcher }: Outgoing): Fetch {
  const send = async (
    url: string,
    { method, headers, body, signal }: Parameters<Fetch>[1] & { body?: string; signal?: EventTarget & { aborted: boolean } },
  ) => {
    // grammy's signal is of its own kind.
    const given = new AbortController()
    if (signal?.aborted === true) given.abort()
    signal?.addEventListener('abort', () => given.abort(), { once: true })
    return await fetch(url, { method, headers, body, dispatcher, signal: given.signal, redirect: 'error' })
  }
  return send as unknown as Fetch
}
