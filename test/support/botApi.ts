import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'

interface Update {
  readonly update_id: number
}

export interface SentMessage {
  readonly chat_id: string
  readonly text: string
  readonly reply_markup?: { readonly inline_keyboard: readonly (readonly { readonly text: string; readonly callback_data: string }[])[] }
}

/**
 * A stand-in for Telegram's Bot API on loopback, by its documentation (https://core.telegram.org/bots/api#getting-updates): updates wait until a later offset
 * forgets them, a negative one forgets all but the newest, and of two who poll the earlier is answered 409.
 */
export class BotApi {
  readonly messages: SentMessage[] = []
  /** What pressed buttons were answered. */
  readonly pressed: string[] = []
  polls = 0
  /** A group that has become a supergroup, as Telegram tells whoever sends to its old id. */
  moved: { readonly from: number; readonly to: unknown } | undefined
  /** Chats that were asked for by `sendChatAction`. */
  readonly sought: string[] = []
  /** Takes no messages. */
  refuses = false
  /** What polls are answered in place of updates, while there is something. */
  instead: ((response: ServerResponse) => unknown) | undefined
  readonly #server = createServer((request, response) => {
    void textOf(request).then((body) => this.#answer(request.url ?? '', JSON.parse(body || '{}') as Record<string, unknown>, response))
  })
  #updates: Update[] = []
  #held: { readonly response: ServerResponse; readonly offset: number } | undefined
  #lastId = 1000
  #waiting: { readonly until: () => boolean; readonly resolve: () => void }[] = []

  /** Listens on a free port. @returns the root of the API */
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Resolves once it holds, looked at whenever something was asked. */
  until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ until: holds, resolve }))
  }

  /** Someone polls, and nothing waits for him. */
  async listening(): Promise<void> {
    await this.until(() => this.#held !== undefined)
  }

  /** Puts an update in line, read or not. */
  put(fields: Readonly<Record<string, unknown>>): number {
    this.#lastId += 1
    this.#updates.push({ update_id: this.#lastId, ...fields })
    this.#serve()
    return this.#lastId
  }

  putText(text: string, chat = 42): number {
    const command = /^\/\S+/.exec(text)?.[0] ?? ''
    const entities = command === '' ? [] : [{ type: 'bot_command', offset: 0, length: command.length }]
    return this.put({ message: { message_id: this.#lastId, date: 1, chat: { id: chat, type: 'private' }, text, entities } })
  }

  /** As `putText`; resolves once it was dealt with. */
  async say(text: string, chat?: number): Promise<void> {
    await this.#passed(this.putText(text, chat))
  }

  /** Presses a button of the newest question. */
  async press(data: string, chat = 42): Promise<void> {
    const message = { message_id: 1, date: 1, chat: { id: chat, type: 'private' } }
    await this.#passed(this.put({ callback_query: { id: String(this.#lastId), from: { id: chat }, chat_instance: '1', data, message } }))
  }

  /** What the buttons of the newest message send, yes first. */
  get buttons(): readonly string[] {
    return (
      this.messages
        .at(-1)
        ?.reply_markup?.inline_keyboard.flat()
        .map(({ callback_data }) => callback_data) ?? []
    )
  }

  /** Ends every connection, as a network that is lost does. */
  cut(): void {
    this.#held = undefined
    this.#server.closeAllConnections()
  }

  #passed(id: number): Promise<void> {
    return this.until(() => this.#held !== undefined && this.#held.offset > id)
  }

  #answer(url: string, body: Record<string, unknown>, response: ServerResponse): void {
    const method = url.slice(url.lastIndexOf('/') + 1)
    if (method === 'getMe') json(response, { id: 1, is_bot: true, first_name: 'Bot', username: 'corner_bot' })
    else if (method === 'getUpdates') this.#poll(body as unknown as { offset?: number; timeout?: number }, response)
    else if (method === 'answerCallbackQuery') {
      this.pressed.push(String(body.text))
      json(response, true)
    } else if (this.moved !== undefined && String(body.chat_id) === String(this.moved.from)) {
      const description = 'Bad Request: group chat was upgraded to a supergroup chat'
      answer(response, 400, { ok: false, error_code: 400, description, parameters: { migrate_to_chat_id: this.moved.to } })
    } else if (method === 'sendChatAction') {
      this.sought.push(String(body.chat_id))
      json(response, true)
    } else if (this.refuses) answer(response, 500, { ok: false, error_code: 500, description: 'down' })
    else {
      this.messages.push(body as unknown as SentMessage)
      json(response, { message_id: this.messages.length })
    }
    this.#tell()
  }

  #poll({ offset = 0, timeout = 0 }: { offset?: number; timeout?: number }, response: ServerResponse): void {
    this.polls += 1
    if (this.#held !== undefined) conflict(this.#held.response)
    this.#held = undefined
    if (this.instead !== undefined) {
      this.instead(response)
      return
    }
    this.#updates = offset < 0 ? this.#updates.slice(offset) : this.#updates.filter(({ update_id }) => !(update_id < offset))
    if (timeout === 0) json(response, this.#updates.slice(0, 1))
    else {
      this.#held = { response, offset }
      this.#serve()
    }
  }

  #serve(): void {
    const held = this.#held
    if (held === undefined || this.#updates.length === 0) return
    this.#held = undefined
    json(held.response, this.#updates.slice(0, 20))
  }

  #tell(): void {
    const due = this.#waiting.filter(({ until }) => until())
    this.#waiting = this.#waiting.filter((one) => !due.includes(one))
    for (const { resolve } of due) resolve()
  }
}

const json = (response: ServerResponse, result: unknown): void => answer(response, 200, { ok: true, result })

export function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function conflict(response: ServerResponse): void {
  const description = 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running'
  answer(response, 409, { ok: false, error_code: 409, description })
}
