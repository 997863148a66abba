import type { ReadEvent, ServiceEvent } from '../../contract/events.ts'
import { isUnknown } from '../../contract/refusals.ts'
import { CornermanError, unreachable } from '../../core/error.ts'
import { symbolOf } from '../../core/tokens.ts'
import { formatUsdc } from '../../core/usdc.ts'
import { atStakeText, statsOf } from '../books/views.ts'
import type { Stores } from '../coordinator/stores.ts'
import type { FactOf, HeardEvent } from '../protocol/facts.ts'
import type { InputOf } from '../protocol/input.ts'
import type { Present } from './present.ts'
import { StreamHistory } from './streamHistory.ts'

/** Kinds of events, codes of refusals and pieces that are not known: of more nothing is said. */
const MOST_UNKNOWN = 100

/** Deleted events are told of no more often. */
const EXPIRED_QUIET_MS = 60 * 60_000

/** What the log is told of what the service says: all that is news, and of what this bot does not understand once a kind. */
export class Remarks {
  readonly #present: Present
  readonly #stores: Pick<Stores, 'intents' | 'ledger'>
  readonly #history = new StreamHistory()
  /** Texts of what was said once. */
  readonly #said = { events: new Set<string>(), refusals: new Set<string>(), missing: new Set<string>() }
  #historyEvents = 0
  #expiredAt = Number.NEGATIVE_INFINITY

  constructor(present: Present, stores: Pick<Stores, 'intents' | 'ledger'>) {
    this.#present = present
    this.#stores = stores
  }

  start(input: InputOf<'started'>): void {
    for (const fault of input.faults ?? []) this.#present.step.note('error', fault)
    this.#history.start(input)
  }

  /** An event that is new, or of an entry that this bot made, is said; another one of before the journal is counted. */
  onEvent({ event, recorded, cursor, before, isRepeated, contradiction }: HeardEvent): void {
    if (recorded) return
    if (contradiction !== undefined) this.#contradicted(event, contradiction)
    if (isRepeated) return
    if (this.#history.holds(event, cursor) && !this.#isOfOwnEntry(event)) {
      this.#present.step.isHistory = true
      this.#historyEvents += 1
      return
    }
    this.#news(event)
    const seat = event.type === 'contest.settled' ? before.seats.get(event.data.contestId) : undefined
    this.#present.tell({ type: 'news', event, seat })
  }

  #isOfOwnEntry({ data }: ServiceEvent): boolean {
    const { intents, ledger } = this.#stores
    const ids = ['ticketId' in data ? data.ticketId : undefined, 'contestId' in data ? data.contestId : undefined]
    return ids.some((id) => typeof id === 'string' && (intents.names(id) || ledger.knows(id)))
  }

  /** A service tells of more than this bot knows of. */
  unreadable({ reason, message }: Extract<ReadEvent, { ok: false }>, raw: unknown): void {
    const { step } = this.#present
    if (reason !== 'unknown-type') step.note('error', `an event could not be read and was set aside: ${message}`, { reason, event: raw })
    else if (isFirst(this.#said.events, message))
      step.note('info', `${message}: it is set aside, and so is every other one of it`, { reason, event: raw })
  }

  /** What a refusal means for the bot, it can only be told. */
  onOutcome({ outcome }: InputOf<'outcome'>): void {
    if (outcome.status !== 'rejected') return
    const { refusal } = outcome
    const { code, message } = refusal
    if (!isUnknown(refusal) || !isFirst(this.#said.refusals, code)) return
    const told = new CornermanError(
      'REFUSAL_UNKNOWN',
      `the service refuses with ${code} (${message}), and nobody has said what that means: it counts as a refusal and no more. Add it to words.refusal of the service's shapes`,
    )
    this.#present.step.note('warn', told.message, { code: told.code, refusal: code })
  }

  /** An answer lacks a field that the bot needs. */
  onFolded({ answer: { request }, missing }: FactOf<'answerFolded'>): void {
    if (missing === undefined || !isFirst(this.#said.missing, missing.message)) return
    this.#present.step.note('error', missing.message, { code: missing.code, procedure: request.procedure })
  }

  #contradicted({ data }: ServiceEvent, contradiction: string): void {
    const { code, message } = new CornermanError('SETTLEMENT_CONTRADICTED', `the service contradicts itself: ${contradiction}`)
    this.#present.step.note('error', message, { code, ...('contestId' in data ? { contestId: data.contestId } : {}) })
  }

  onRestored({ reason, cause }: InputOf<'restored'>): void {
    if (cause === 'retention') this.#expired(reason)
    else this.#restored(reason)
  }

  /** The service has deleted events that it does not keep any longer: one with a short retention does so again and again. */
  #expired(reason: string): void {
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
  #restored(reason: string): void {
    const { code, message } = new CornermanError(
      'SERVICE_RESTORED',
      `the service has gone back to an older state: ${reason}. What was read of it stays counted, and all that is open is looked up: compare its money with this bot's`,
    )
    this.#present.step.note('error', message, { code })
  }

  /** The stream was read to its end: how much of it was of before the journal. */
  onCaughtUp(): void {
    this.#history.end()
    const events = this.#historyEvents
    if (events === 0) return
    this.#historyEvents = 0
    const { books, step } = this.#present
    const { settled } = statsOf(books)
    step.note('info', `${events} events of before this journal were read; ${settled} contests are settled by now`, { events, settled })
  }

  #news(event: ServiceEvent): void {
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
