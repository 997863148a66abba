import { Api } from 'grammy'
import type { AlertChannel, Delivery, Occurrence } from '../../pipeline/index.ts'
import { alertText, cut } from './alertText.ts'
import { type TelegramAddress, TelegramConnection } from './telegramApi.ts'

/** https://core.telegram.org/bots/api#sendmessage */
export const MOST_CHARACTERS = 4096
const TIMEOUT_MS = 10_000
const MOST_ANSWER_BYTES = 64 * 1024

export interface TelegramOptions extends TelegramAddress {
  readonly name: string
  readonly chat: string
  /** Default: 10 s. */
  readonly timeoutMs?: number
}

/** A chat of a Telegram bot. */
export class TelegramChannel implements AlertChannel {
  readonly name: string
  readonly #api: Api
  readonly #connection: TelegramConnection
  readonly #chat: string

  constructor({ name, token, chat, apiRoot, timeoutMs = TIMEOUT_MS }: TelegramOptions) {
    this.name = name
    this.#connection = new TelegramConnection({ token, apiRoot }, { timeoutMs, maxResponseSize: MOST_ANSWER_BYTES })
    this.#api = new Api(token, this.#connection.client)
    this.#chat = chat
  }

  async send(occurrences: readonly Occurrence[]): Promise<Delivery> {
    const { text, taken } = alertText(occurrences, MOST_CHARACTERS)
    try {
      await this.#api.sendMessage(this.#chat, text)
      return { ok: true, taken }
    } catch (thrown) {
      const { reason, retryAfterMs, isFinal } = this.#connection.failureOf(thrown)
      return { ok: false, reason, retryAfterMs, isFinal }
    }
  }

  /** @returns why the text was not taken; undefined: it was */
  async tell(text: string): Promise<string | undefined> {
    try {
      await this.#api.sendMessage(this.#chat, cut(text, MOST_CHARACTERS))
      return undefined
    } catch (thrown) {
      return this.#connection.failureOf(thrown).reason
    }
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}
