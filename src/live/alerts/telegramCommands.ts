import { randomBytes } from 'node:crypto'
import { Api, Bot, InlineKeyboard } from 'grammy'
import { backoffMs } from '../../core/backoff.ts'
import type { Clock } from '../../core/clock.ts'
import { messageOf } from '../../core/error.ts'
import { cut } from './alertText.ts'
import { AnswerQuota } from './answerQuota.ts'
import { type ChatCommand, type ChatDesk, type ChatLog, COMMANDS, commandIn, HELP, type Stopping, WORDS } from './chatWords.ts'
import { type TelegramAddress, TelegramConnection } from './telegramApi.ts'
import { MOST_CHARACTERS } from './telegramChannel.ts'
import type { TelegramChat } from './telegramChat.ts'

/** How long Telegram holds a question for updates open while there are none. */
const POLL_MS = 25_000
const TIMEOUT_MS = 10_000
/** Updates in one answer: each is read and done with before the next. */
const MOST_UPDATES = 20
/** A message has at most 4,096 characters, and entities, quotes and names beside them. */
const MOST_UPDATES_BYTES = 4 * 1024 * 1024
const MOST_ANSWER_BYTES = 64 * 1024
const FIRST_RETRY_MS = 2000
const LAST_RETRY_MS = 60_000
/** Between two polls that brought nothing new and came back at once. */
const PAUSE_MS = 1000
/** A question whether to stop or resume holds for so long. */
const CONFIRM_MS = 60_000
/** Foreign chats are told of so often at the most. */
const FOREIGN_EVERY_MS = 10 * 60_000
/** Telegram is asked so often at the most where the chat is. */
const SEEK_EVERY_MS = 60_000

export type { ChatCommand, ChatDesk, ChatLog, ProfitPeriod } from './chatWords.ts'

export interface TelegramCommandsOptions extends TelegramAddress {
  /** The only chat that is answered. */
  readonly chat: TelegramChat
  readonly clock: Clock
  readonly desk: ChatDesk
  readonly log: ChatLog
  /** Of several that share the chat: whether this one listens now. Default: it is the only one. */
  readonly isFirst?: (() => boolean) | undefined
  /** Default: 25 s. */
  readonly pollMs?: number
}

interface Question {
  readonly id: string
  readonly command: ChatCommand
  readonly bot: string | undefined
  readonly expiresAt: number
}

/**
 * Obeys the owner's commands in one chat of a Telegram bot. Whatever was sent before it listens is passed over, so that no restart
 * obeys an old message; what stops or resumes is confirmed by a button, once, within a minute, of the run that asked.
 */
export class TelegramCommands {
  readonly #options: TelegramCommandsOptions
  /** Polls, and reads what comes. */
  readonly #bot: Bot
  readonly #polling: TelegramConnection
  /** Answers. */
  readonly #api: Api
  readonly #answering: TelegramConnection
  readonly #pollMs: number
  readonly #closing = Promise.withResolvers<void>()
  #isClosed = false
  #run: Promise<void> | undefined
  /** The number of the next update; undefined before those of earlier are passed over. */
  #offset: number | undefined
  #failures = 0
  /** Only the newest question can be answered. */
  #question: Question | undefined
  readonly #quota: AnswerQuota
  #foreign = { count: 0, saidAt: Number.NEGATIVE_INFINITY }
  #soughtAt = Number.NEGATIVE_INFINITY
  #hasSaidUnreadable = false

  constructor(options: TelegramCommandsOptions) {
    const { token, chat, clock, log, pollMs = POLL_MS } = options
    this.#options = options
    this.#quota = new AnswerQuota(clock, log)
    this.#pollMs = pollMs
    this.#polling = new TelegramConnection(options, { timeoutMs: pollMs + TIMEOUT_MS, maxResponseSize: MOST_UPDATES_BYTES })
    this.#answering = new TelegramConnection(options, { timeoutMs: TIMEOUT_MS, maxResponseSize: MOST_ANSWER_BYTES })
    this.#bot = new Bot(token, { client: this.#polling.client })
    this.#api = new Api(token, this.#answering.client)
    this.#bot.use((context, next) => {
      const { message } = context
      if (!chat.is(context.chat?.id)) return chat.is(message?.migrate_from_chat_id) ? this.#seek() : this.#onForeign(context.chat?.id)
      chat.follow(message?.migrate_to_chat_id)
      return next()
    })
    this.#bot.command('status', () => this.#answer(this.#options.desk.status))
    this.#bot.command('profit', ({ match }) => this.#onProfit(match.trim()))
    this.#bot.command(Object.keys(COMMANDS) as Stopping[], ({ match, message }) => this.#ask(commandIn(message?.text), match.trim()))
    this.#bot.on('callback_query:data', ({ callbackQuery }) => this.#onPressed(callbackQuery.id, callbackQuery.data))
    this.#bot.on('message::bot_command', () => this.#answer(() => HELP))
  }

  /** Listens from now on. */
  start(): void {
    this.#run ??= this.#listen()
  }

  /** Obeys nothing any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#question = undefined
    this.#closing.resolve()
    await Promise.all([this.#polling.close(), this.#answering.close()])
    await this.#run
  }

  async #listen(): Promise<void> {
    const { log } = this.#options
    while (!this.#isClosed) {
      try {
        if (this.#options.isFirst?.() === false) {
          // What comes meanwhile is another's.
          this.#offset = undefined
          await this.#wait(PAUSE_MS)
          continue
        }
        await this.#poll()
        if (this.#failures > 0) log.info('commands by telegram are heard again')
        this.#failures = 0
      } catch (thrown) {
        if (this.#isClosed) return
        const { code, reason, retryAfterMs } = this.#polling.failureOf(thrown)
        // Of several that share the chat another may not know yet that it is this one's turn.
        if (code === 409 && this.#options.isFirst === undefined) {
          log.warn(
            `commands by telegram are off in this run: another process, or a webhook, reads the messages of this bot (${reason}). Alerts go on. Give each process a Telegram bot of its own`,
          )
          return
        }
        if (code === 401 || code === 404) {
          log.warn(`commands by telegram are off in this run: ${reason}`)
          return
        }
        if (this.#failures === 0) log.warn(`commands by telegram are not heard (${reason}): trying again`)
        this.#failures += 1
        await this.#wait(Math.max(retryAfterMs ?? 0, backoffMs(this.#failures - 1, FIRST_RETRY_MS, LAST_RETRY_MS)))
      }
    }
  }

  async #poll(): Promise<void> {
    const { api } = this.#bot
    if (!this.#bot.isInited()) {
      const me = await api.getMe()
      if (typeof (me as typeof me | null)?.username !== 'string') throw new Error('no name of the bot')
      this.#bot.botInfo = me
    }
    if (this.#offset === undefined) {
      await this.#seek()
      // The newest one alone: those before it are forgotten by that.
      const [newest] = updatesIn(await api.getUpdates({ offset: -1, limit: 1, timeout: 0 }))
      this.#offset = newest === undefined ? 0 : newest.update_id + 1
    }
    const before = this.#offset
    const answer = await api.getUpdates({
      offset: before,
      limit: MOST_UPDATES,
      timeout: this.#pollMs / 1000,
      allowed_updates: ['message', 'callback_query'],
    })
    for (const update of updatesIn(answer)) {
      if (this.#isClosed) return
      if (update.update_id < this.#offset) continue
      // Passed before it is obeyed: nothing is obeyed twice.
      this.#offset = update.update_id + 1
      try {
        await this.#bot.handleUpdate(update)
      } catch (thrown) {
        this.#onUnreadable(thrown)
      }
    }
    if (Array.isArray(answer) && answer.length > 0 && this.#offset === before) await this.#wait(PAUSE_MS)
  }

  /** What a foreign chat says is answered by nothing, not even that it is foreign. */
  #onForeign(id: number | undefined): void {
    const { clock, log } = this.#options
    this.#foreign.count += 1
    if (clock.now() - this.#foreign.saidAt < FOREIGN_EVERY_MS) return
    const { count } = this.#foreign
    this.#foreign = { count: 0, saidAt: clock.now() }
    log.warn(
      `telegram: ${count === 1 ? 'a message' : `${count} messages`} from another chat than the config's, the newest from ${id ?? 'one without an id'}: not answered`,
    )
  }

  #onUnreadable(thrown: unknown): void {
    if (this.#hasSaidUnreadable) return
    this.#hasSaidUnreadable = true
    // What grammy throws holds the token.
    const { reason } = this.#polling.failureOf(thrown)
    this.#options.log.warn(`telegram: a message was set aside (${reason}), as others like it will be`)
  }

  #onProfit(period: string): Promise<void> {
    if (period !== '' && period !== 'day' && period !== 'week') return this.#answer(() => 'say /profit, /profit day or /profit week')
    return this.#answer(() => this.#options.desk.profit(period === '' ? undefined : period))
  }

  async #ask(command: ChatCommand, bot: string): Promise<void> {
    const { clock, desk } = this.#options
    if (bot !== '' && !desk.bots.includes(bot)) {
      await this.#answer(() => `There is no bot of this name. There is ${desk.bots.join(', ')}`)
      return
    }
    if (!this.#quota.take({ isUrgent: true })) return
    const id = randomBytes(12).toString('base64url')
    this.#question = { id, command, bot: bot === '' ? undefined : bot, expiresAt: clock.now() + CONFIRM_MS }
    const { asks, button } = WORDS[command]
    const keyboard = new InlineKeyboard().text(button, `yes:${id}`).text('Cancel', `no:${id}`)
    await this.#send(`${bot === '' ? `All bots (${desk.bots.length})` : bot}: ${asks}`, { reply_markup: keyboard })
  }

  async #onPressed(pressedId: string, data: string): Promise<void> {
    const { clock, desk, log } = this.#options
    const question = this.#question
    const [answer, id] = [data.slice(0, data.indexOf(':')), data.slice(data.indexOf(':') + 1)]
    if (question === undefined || question.id !== id || clock.now() >= question.expiresAt) {
      if (this.#quota.take({ isUrgent: false })) await this.#acknowledge(pressedId, 'No longer open: send the command again')
      return
    }
    this.#question = undefined
    const who = question.bot ?? 'all bots'
    let said = `${who}: nothing was changed`
    if (answer === 'yes') {
      try {
        const still = await desk.say(question.command, question.bot)
        log.info(`telegram: the owner said ${question.command} to ${who}`)
        said = `${who}: ${WORDS[question.command].done}${still === undefined ? '' : `; but ${still}`}`
      } catch (thrown) {
        log.warn(`telegram: ${question.command} was not done: ${messageOf(thrown)}`)
        said = `${who}: it was not done: ${messageOf(thrown)}`
      }
    }
    await this.#acknowledge(pressedId, '')
    await this.#send(said)
  }

  /** Telegram shows a button as pressed until it is told. */
  async #acknowledge(pressedId: string, text: string): Promise<void> {
    try {
      await this.#api.answerCallbackQuery(pressedId, { text })
    } catch {
      // It ends by itself after a while, and what was done is said in the chat.
    }
  }

  async #answer(textOf: () => string): Promise<void> {
    if (this.#quota.take({ isUrgent: false })) await this.#send(textOf())
  }

  async #send(text: string, other?: { readonly reply_markup: InlineKeyboard }): Promise<void> {
    const { chat, log } = this.#options
    const failure = await chat.deliver(this.#answering, (id) => this.#api.sendMessage(id, cut(text, MOST_CHARACTERS), other))
    if (failure !== undefined && !this.#isClosed) log.warn(`telegram: an answer did not arrive (${failure.reason})`)
  }

  /** Asks Telegram itself where the chat is: what a chat says of its past is no proof, and an old id hears no commands. */
  async #seek(): Promise<void> {
    const { chat, clock } = this.#options
    if (clock.now() - this.#soughtAt < SEEK_EVERY_MS) return
    this.#soughtAt = clock.now()
    await chat.deliver(this.#answering, (id) => this.#api.sendChatAction(id, 'typing'))
  }

  async #wait(ms: number): Promise<void> {
    const { clock } = this.#options
    const waited = Promise.withResolvers<void>()
    const cancel = clock.at(clock.now() + ms, waited.resolve)
    await Promise.race([waited.promise, this.#closing.promise])
    cancel()
  }
}

/** What has a number: anything else cannot even be passed over. */
function updatesIn(answer: unknown): Parameters<Bot['handleUpdate']>[0][] {
  if (!Array.isArray(answer)) throw new Error('no list of messages')
  return answer.filter((update) => Number.isSafeInteger((update as { update_id?: unknown } | null)?.update_id))
}
