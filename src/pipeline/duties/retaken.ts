import type { ServiceEvent } from '../../contract/events.ts'
import { idOf } from '../../contract/paths.ts'
import type { Contest } from '../../contract/records.ts'
import type { Intents } from '../actions/intents.ts'
import { seatShows } from '../actions/reconciliation.ts'
import { itemsOf } from '../books/foldAnswer.ts'
import type { Bot } from '../bot.ts'
import type { InputOf } from '../protocol/input.ts'

/** By the words that the books go by: a contest of any other is one that they take up. */
const isOver = ({ status }: Contest): boolean => status === 'settled' || status === 'cancelled'

/** Between two reads: of a lobby that was left a service may go on to tell of every join. */
const PACE_MS = 2000

/** What was heard of a seat while it was being given back: a ticket that waited was matched there, or somebody may have a seat. */
type Taken =
  | {
      readonly type: 'match.found'
      readonly event: Extract<ServiceEvent, { type: 'match.found' }>
      readonly durationSec: number | undefined
    }
  | { readonly type: 'unclear' }

/**
 * Seats that were given back and may be this bot's again: a later ticket was matched into the same contest, or a person took the seat.
 * The stream tells of contests that the agent is in alone, but it may tell late of the seat that was given back: whether
 * there is another one stands in `agent.contests.mine`, read after what was heard.
 */
export class Retaken {
  readonly #bot: Bot
  readonly #intents: Intents
  /** By contest whose seat is being given back, what was heard since: if the service gives it back, this is of the seat after it. */
  readonly #meanwhile = new Map<string, Taken>()
  /** By contest, when it was first and last heard of; what the journal holds was heard before any read. */
  readonly #heard = new Map<string, { readonly first: number; readonly last: number }>()
  /** The time of the newest read that was planned. */
  #readAt = Number.NEGATIVE_INFINITY

  constructor(bot: Bot, intents: Intents) {
    this.#bot = bot
    this.#intents = intents
  }

  onEvent(event: ServiceEvent, { recorded }: { readonly recorded: boolean }): void {
    const { type, data } = event
    // Over for everybody, whatever a list that is on its way shows.
    if (type === 'contest.settled' || type === 'contest.cancelled') this.#forget(data.contestId)
    if (type !== 'match.found' && type !== 'contest.joined' && type !== 'contest.live') return
    const { contestId } = data
    const { books, ended } = this.#bot
    // It waited until now, so that this is no late word of the first seat.
    const isMatch = type === 'match.found' && books.tickets.has(data.ticketId)
    if (!ended.has(contestId)) {
      const leftAt = this.#intents.underWaySince({ type: 'leaveContest', contestId })
      // A match of before may have made the seat that is being given back, which a list can show before the stream tells of it.
      if (leftAt !== undefined && this.#meanwhile.get(contestId)?.type !== 'match.found')
        this.#meanwhile.set(
          contestId,
          isMatch && event.createdAt >= leftAt
            ? { type, event, durationSec: books.tickets.get(data.ticketId)?.durationSec || undefined }
            : { type: 'unclear' },
        )
      return
    }
    // Its stake stays in the books, and no other is put beside it.
    if (isMatch) {
      this.#takeBack(contestId)
      return
    }
    const last = recorded ? Number.NEGATIVE_INFINITY : this.#bot.now
    this.#heard.set(contestId, { first: this.#heard.get(contestId)?.first ?? last, last })
    // At the start they are read as it is.
    if (!recorded) this.#read()
  }

  /** A seat that is there is in no doubt: should it be given back once more, what was heard before says nothing of that. */
  tend(): void {
    for (const contestId of this.#heard.keys()) if (!this.#bot.ended.has(contestId)) this.#heard.delete(contestId)
    for (const [contestId, taken] of this.#meanwhile) {
      if (this.#isBeingLeft(contestId)) continue
      this.#meanwhile.delete(contestId)
      if (this.#bot.ended.has(contestId)) this.#onLeft(contestId, taken)
    }
  }

  /** Before the books take the answer in: a seat that it shows is none that was given back. */
  onAnswer({ request, result, begunAt }: InputOf<'answer'>): void {
    if (this.#heard.size === 0 || request.procedure !== 'agent.contests.mine' || !result.ok) return
    const { paths } = this.#bot.options
    const listed = itemsOf(result.output as Contest[] | { items: Contest[] })
    const over = new Set(listed.filter(isOver).map((contest) => idOf(contest, 'contestId', paths)))
    for (const [contestId, { first, last }] of this.#heard) {
      const { sight } = seatShows(result.output, contestId, { paths, whenThere: 'shown' })
      // It may stand on another page.
      if (begunAt < first || sight === 'silent') continue
      if (sight === 'shown' && !over.has(contestId)) this.#takeBack(contestId)
      else if (begunAt >= last) this.#heard.delete(contestId)
    }
  }

  #isBeingLeft(contestId: string): boolean {
    return this.#intents.isUnderWay({ type: 'leaveContest', contestId })
  }

  #onLeft(contestId: string, taken: Taken): void {
    if (taken.type === 'match.found') {
      this.#takeBack(contestId)
      // By then the books no longer have the ticket, which alone says how long the contest is to be.
      const { durationSec, event } = taken
      this.#bot.seats.onEvent(event)
      this.#bot.seats.change(contestId, { durationSec })
      return
    }
    this.#heard.set(contestId, { first: this.#bot.now, last: this.#bot.now })
    this.#read()
  }

  #forget(contestId: string): void {
    this.#heard.delete(contestId)
    this.#meanwhile.delete(contestId)
  }

  /** At once, and then not again for a while. One that was begun in this very millisecond may have missed what is heard now. */
  #read(): void {
    const { agenda, now } = this.#bot
    if (this.#readAt > now) return
    this.#readAt = Math.max(now, this.#readAt + PACE_MS)
    agenda.soon('seats', this.#readAt)
  }

  #takeBack(contestId: string): void {
    this.#heard.delete(contestId)
    if (!this.#bot.seats.takeBack(contestId)) return
    this.#bot.step.note('warn', 'the bot has a seat again that it had given back: it is played', { contestId })
  }
}
