import { Api, GrammyError } from 'grammy'
import { messageOf } from '../../core/error.ts'
import type { AlertChannel, Delivery, Occurrence } from '../../pipeline/index.ts'
import { redactor } from '../redact.ts'
import { readRetryAfter } from '../retryAfter.ts'
import { alertText } from './alertText.ts'

/** https://core.telegram.org/bots/api#sendmessage */
const MOST_CHARACTERS = 4096
const TIMEOUT_SECONDS = 10

export interface TelegramOptions {
  readonly name: string
  readonly token: string
  readonly chat: string
  readonly apiRoot: string
}

/** A chat of a Telegram bot. */
export class TelegramChannel implements AlertChannel {
  readonly name: string
  readonly #api: Api
  readonly #chat: string
  readonly #redact: (text: string) => string

  constructor({ name, token, chat, apiRoot }: TelegramOptions) {
    this.name = name
    this.#api = new Api(token, { apiRoot, timeoutSeconds: TIMEOUT_SECONDS })
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
    return Promise.resolve()
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
