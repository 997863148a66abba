import type { TelegramConnection, TelegramFailure } from './telegramApi.ts'

/**
 * The chat of the config. A group that becomes a supergroup gets another id, and its old one takes no messages: Telegram then names the new
 * one (https://core.telegram.org/bots/api#responseparameters), which is used for the rest of the run.
 */
export class TelegramChat {
  readonly #configured: string
  #movedTo: string | undefined
  #onMoved: ((id: string) => void) | undefined

  constructor(configured: string) {
    this.#configured = configured
  }

  /** Id to send to: the new one after a move. */
  get id(): string {
    return this.#movedTo ?? this.#configured
  }

  /** True for the chat's old id and its new one. */
  is(id: number | undefined): boolean {
    return id !== undefined && (String(id) === this.#configured || String(id) === this.#movedTo)
  }

  /** @param listener told once of the new id, also where the chat has moved already */
  onMoved(listener: (id: string) => void): void {
    this.#onMoved = listener
    if (this.#movedTo !== undefined) listener(this.#movedTo)
  }

  /** Takes the id that Telegram names, once: a supergroup becomes nothing else. */
  follow(to: unknown): void {
    if (this.#movedTo !== undefined || !Number.isSafeInteger(to) || Number(to) >= 0 || String(to) === this.#configured) return
    this.#movedTo = String(to)
    this.#onMoved?.(this.#movedTo)
  }

  /**
   * Sends to this chat, and once more to its new id where it has moved.
   *
   * @returns why it was not taken; undefined: it was
   */
  async deliver(connection: TelegramConnection, send: (id: string) => Promise<unknown>): Promise<TelegramFailure | undefined> {
    const asked = this.id
    const failure = await attempt(connection, asked, send)
    if (failure?.movedTo === undefined) return failure
    this.follow(failure.movedTo)
    return this.id === asked ? failure : await attempt(connection, this.id, send)
  }
}

async function attempt(
  connection: TelegramConnection,
  id: string,
  send: (id: string) => Promise<unknown>,
): Promise<TelegramFailure | undefined> {
  try {
    await send(id)
    return undefined
  } catch (thrown) {
    return connection.failureOf(thrown)
  }
}
