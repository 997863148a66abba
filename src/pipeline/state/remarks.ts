import type { ReadEvent, ServiceEvent } from '../../contract/events.ts'
import { isUnknown } from '../../contract/refusals.ts'
import type { ServiceRefusal } from '../../contract/wire.ts'
import { CornermanError, unreachable } from '../../core/error.ts'
import { symbolOf } from '../../core/tokens.ts'
import { formatUsdc } from '../../core/usdc.ts'
import { atStakeText, statsOf } from '../books/views.ts'
import type { Present } from './present.ts'

/** Kinds of events, codes of refusals and pieces that are not known: of more nothing is said. */
const MOST_UNKNOWN = 100

/** Deleted events are told of no more often. */
const EXPIRED_QUIET_MS = 60 * 60_000

/** What the log is told of what the service says: all that is news, and of what this bot does not understand once a kind. */
export class Remarks {
  readonly #present: Present
  /** Texts of what was said once. */
  readonly #said = { events: new Set<string>(), refusals: new Set<string>(), missing: new Set<string>() }
  #historyEvents = 0
  #expiredAt = Number.NEGATIVE_INFINITY

  constructor(present: Present) {
    this.#present = present
  }

  /** A service tells of more than this bot knows of. */
  unreadable({ reason, message }: Extract<ReadEvent, { ok: false }>, raw: unknown): void {
    const { step } = this.#present
    if (reason !== 'unknown-type') step.note('error', `an event could not be read and was set aside: ${message}`, { reason, event: raw })
    else if (isFirst(this.#said.events, message))
      step.note('info', `${message}: it is set aside, and so is every other one of it`, { reason, event: raw })
  }

  /** What a refusal means for the bot, it can only be told. */
  refused(refusal: ServiceRefusal): void {
    const { code, message } = refusal
    if (!isUnknown(refusal) || !isFirst(this.#said.refusals, code)) return
    const told = new CornermanError(
      'REFUSAL_UNKNOWN',
      `the service refuses with ${code} (${message}), and nobody has said what that means: it counts as a refusal and no more. Add it to words.refusal of the service's shapes`,
    )
    this.#present.step.note('warn', told.message, { code: told.code, refusal: code })
  }

  /** An answer lacks a field that the bot needs. */
  missing({ message, code }: CornermanError, procedure: string): void {
    if (isFirst(this.#said.missing, message)) this.#present.step.note('error', message, { code, procedure })
  }

  contradicted({ data }: ServiceEvent, contradiction: string): void {
    const { code, message } = new CornermanError('SETTLEMENT_CONTRADICTED', `the service contradicts itself: ${contradiction}`)
    this.#present.step.note('error', message, { code, ...('contestId' in data ? { contestId: data.contestId } : {}) })
  }

  /** The service has deleted events that it does not keep any longer: one with a short retention does so again and again. */
  expired(reason: string): void {
    const { books, now, step } = this.#present
    if (now - this.#expiredAt < EXPIRED_QUIET_MS) return
    this.#expiredAt = now
    const { code, message } = new CornermanError(
      'EVENTS_EXPIRED',
      `the service has deleted events that this bot may not have read: ${reason}. Tickets, contests and money are read from its lists, and a contest that ended unheard counts as lost. ${atStakeText(books)}. Compare with cornerman call agent.history, and ask the service to keep events for longer`,
    )
    step.note('error', message, { code })
  }

  /** The service is another one than it was. */
  restored(reason: string): void {
    const { code, message } = new CornermanError(
      'SERVICE_RESTORED',
      `the service has gone back to an older state: ${reason}. What was read of it stays counted, and all that is open is looked up: compare its money with this bot's`,
    )
    this.#present.step.note('error', message, { code })
  }

  /** An event of before the journal goes into the books, and is no news. */
  history(): void {
    this.#present.step.isHistory = true
    this.#historyEvents += 1
  }

  /** The stream was read to its end: how much of it was of before the journal. */
  historyRead(): void {
    const events = this.#historyEvents
    if (events === 0) return
    this.#historyEvents = 0
    const { books, step } = this.#present
    const { settled } = statsOf(books)
    step.note('info', `${events} events of before this journal were read; ${settled} contests are settled by now`, { events, settled })
  }

  news(event: ServiceEvent): void {
    const { books, step } = this.#present
    switch (event.type) {
      case 'contest.settled': {
        const { contestId, mode, result, stake, profit } = event.data
        const message = `${mode}: ${result}, ${formatUsdc(profit)} USDC on a stake of ${formatUsdc(stake)}`
        step.note('info', message, { contestId, result, profit })
        return
      }
      case 'contest.live': {
        const { contestId, mode, endsAt } = event.data
        const token = books.seats.get(contestId)?.token
        const on = token === undefined ? '' : ` on ${symbolOf(token)}`
        step.note('info', `${mode}: live${on} until ${new Date(endsAt).toISOString()}`, { contestId })
        return
      }
      case 'contest.cancelled':
        step.note('info', `contest cancelled: ${String(event.data.reason ?? 'no reason given')}`, { contestId: event.data.contestId })
        return
      case 'ticket.failed':
        step.note('warn', 'a ticket could not be seated', { ticketId: event.data.ticketId, error: event.data.error })
        return
      case 'match.found':
      case 'ticket.expired':
      case 'contest.joined':
        step.note('debug', event.type, event.data)
        return
      default:
        unreachable(event)
    }
  }
}

/** Whether a text was not said yet; it counts as said from now on. */
function isFirst(said: Set<string>, text: string): boolean {
  if (said.has(text) || said.size === MOST_UNKNOWN) return false
  said.add(text)
  return true
}
