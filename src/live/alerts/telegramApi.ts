import { type ApiClientOptions, GrammyError } from 'grammy'
import { fetch } from 'undici'
import { messageOf } from '../../core/error.ts'
import { connectionsTo, type Outgoing } from '../outgoing.ts'
import { redactor } from '../redact.ts'
import { readRetryAfter } from '../retryAfter.ts'

export interface TelegramAddress {
  /** As BotFather gave it. */
  readonly token: string
  readonly apiRoot: string
}

export interface TelegramLimits {
  readonly timeoutMs: number
  readonly maxResponseSize: number
}

/** Why Telegram did not do what it was asked. */
export interface TelegramFailure {
  /** HTTP status of its answer; undefined where there was none. */
  readonly code: number | undefined
  /** In words, without the token. */
  readonly reason: string
  readonly retryAfterMs: number | undefined
  /** New id of a group that has become a supergroup, as Telegram names it. */
  readonly movedTo: number | undefined
  /** Whether the same will never be taken. */
  readonly isFinal: boolean
}

/** One connection to the Bot API, for a client of grammy's. */
export class TelegramConnection {
  readonly client: ApiClientOptions
  readonly #connections: Outgoing
  readonly #redact: (text: string) => string

  constructor({ token, apiRoot }: TelegramAddress, limits: TelegramLimits) {
    this.#connections = connectionsTo(new URL(apiRoot).origin, { ...limits, connections: 1 })
    this.client = { apiRoot, timeoutSeconds: limits.timeoutMs / 1000, fetch: fetchBy(this.#connections) }
    this.#redact = redactor([token])
  }

  failureOf(thrown: unknown): TelegramFailure {
    if (!(thrown instanceof GrammyError))
      return { code: undefined, reason: this.#redact(messageOf(thrown)), retryAfterMs: undefined, movedTo: undefined, isFinal: false }
    const { error_code: code, description, parameters } = thrown
    // Telegram answers 400 to a chat it does not know as well as to a text it does not take: only its words tell them apart.
    const isOfChat = code === 403 || (code === 400 && /chat|peer/i.test(description))
    // What Telegram answers to a token it does not know: https://core.telegram.org/bots/api#making-requests
    const hint = code === 401 || code === 404 ? ': check the token' : isOfChat ? ': check the chat' : ''
    const seconds = parameters.retry_after
    const retryAfterMs =
      seconds === undefined ? undefined : readRetryAfter({ statusCode: code, headers: { 'retry-after': String(seconds) } }, 0)
    const reason = this.#redact(`${code} ${description}${hint}`)
    return { code, reason, retryAfterMs, movedTo: parameters.migrate_to_chat_id, isFinal: code === 400 && !isOfChat }
  }

  close(): Promise<void> {
    return this.#connections.destroy()
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
