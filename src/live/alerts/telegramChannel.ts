import { Api } from 'grammy'
import type { AlertChannel, Delivery, Occurrence } from '../../pipeline/index.ts'
import { alertText, cut } from './alertText.ts'
import { type TelegramAddress, TelegramConnection } from './telegramApi.ts'
import type { TelegramChat } from './telegramChat.ts'

/** https://core.telegram.org/bots/api#sendmessage */
export const MOST_CHARACTERS = 4096
const TIMEOUT_MS = 10_000
const MOST_ANSWER_BYTES = 64 * 1024

export interface TelegramOptions extends TelegramAddress {
  readonly name: string
  readonly chat: TelegramChat
  /** Default: 10 s. */
  readonly timeoutMs?: number
}

/** A chat of a Telegram bot. */
export class TelegramChannel implements AlertChannel {
  readonly name: string
  readonly #api: Api
  readonly #connection: TelegramConnection
  readonly #chat: TelegramChat

  constructor({ name, token, chat, apiRoot, timeoutMs = TIMEOUT_MS }: TelegramOptions) {
    this.name = name
    this.#connection = new TelegramConnection({ token, apiRoot }, { timeoutMs, maxResponseSize: MOST_ANSWER_BYTES })
    this.#api = new Api(token, this.#connection.client)
    this.#chat = chat
  }

  async send(occurrences: readonly Occurrence[]): Promise<Delivery> {
    const { text, taken } = alertText(occurrences, MOST_CHARACTERS)
    const failure = await this.#deliver(text)
    if (failure === undefined) return { ok: true, taken }
    const { reason, retryAfterMs, isFinal } = failure
    return { ok: false, reason, retryAfterMs, isFinal }
  }

  /** @returns why the text was not taken; undefined: it was */
  async tell(text: string): Promise<string | undefined> {
    return (await this.#deliver(cut(text, MOST_CHARACTERS)))?.reason
  }

  #deliver(text: string): ReturnType<TelegramChat['deliver']> {
    return this.#chat.deliver(this.#connection, (id) => this.#api.sendMessage(id, text))
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}
