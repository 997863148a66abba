import type { ServiceEvent } from '../../contract/events.ts'
import { idOf } from '../../contract/paths.ts'
import type { Contest } from '../../contract/records.ts'
import type { ServiceAction } from '../../strategy/action.ts'
import { seatShows } from '../actions/reconciliation.ts'
import { itemsOf } from '../books/foldAnswer.ts'
import type { InputOf } from '../protocol/input.ts'
import { Lifecycle } from '../state/lifecycle.ts'
import type { Present } from '../state/present.ts'
import { type RejoinEffect, type RejoinHappening, type RejoinSeen, type RejoinState, type Rematch, rejoinMachine } from './rejoinMachine.ts'
import type { Seats } from './seats.ts'

/** By the words that the books go by: a contest of any other is one that they take up. */
const isOver = ({ status }: Contest): boolean => status === 'settled' || status === 'cancelled'

/** Between two reads: of a lobby that was left a service may go on to tell of every join. */
const PACE_MS = 2000

interface RejoinsOptions {
  readonly seats: Seats
  /** When an action that would do the same was approved, in Unix milliseconds; undefined: none is under way. */
  readonly underWaySince: (action: ServiceAction) => number | undefined
}

/**
 * Seats that were given back and may be this bot's again: a later ticket was matched into the same contest, or a person took the seat.
 * The stream tells of contests that the agent is in alone, but it may tell late of the seat that was given back: whether
 * there is another one stands in `agent.contests.mine`, read after what was heard.
 */
export class Rejoins {
  readonly #present: Present
  readonly #seats: Seats
  readonly #underWaySince: RejoinsOptions['underWaySince']
  readonly #contests: Lifecycle<RejoinState, RejoinHappening, RejoinEffect, RejoinSeen>
  /** The time of the newest read that was planned. */
  #readAt = Number.NEGATIVE_INFINITY

  constructor(present: Present, { seats, underWaySince }: RejoinsOptions) {
    this.#present = present
    this.#seats = seats
    this.#underWaySince = underWaySince
    const perform = (effect: RejoinEffect, _: RejoinState, contestId: string) => this.#perform(effect, contestId)
    this.#contests = new Lifecycle(rejoinMachine, { present, seen: present, perform })
  }

  onEvent(event: ServiceEvent, { recorded }: { readonly recorded: boolean }): void {
    const { type, data } = event
    if (type === 'contest.settled' || type === 'contest.cancelled') this.#contests.tell(data.contestId, { type: 'over' })
    if (type !== 'match.found' && type !== 'contest.joined' && type !== 'contest.live') return
    const { contestId } = data
    const { books, ended } = this.#present
    // It waited until now, so that this is no late word of the first seat.
    const ticket = type === 'match.found' ? books.tickets.get(data.ticketId) : undefined
    const match = type === 'match.found' && ticket !== undefined ? { event, durationSec: ticket.durationSec || undefined } : undefined
    if (ended.has(contestId)) this.#onHeard(contestId, { match, isRecorded: recorded })
    else this.#onHeardWhileLeaving(contestId, match)
  }

  /** A seat that is there is in no doubt: should it be given back once more, what was heard before says nothing of that. */
  tend(): void {
    const { ended } = this.#present
    for (const [contestId, { is }] of this.#contests.states) {
      const isEnded = ended.has(contestId)
      if (is === 'heard' ? isEnded : this.#leftAt(contestId) !== undefined) continue
      this.#contests.tell(contestId, { type: is === 'leaving' && isEnded ? 'left' : 'seated' })
    }
  }

  /** Before the books take the answer in: a seat that it shows is none that was given back. */
  onAnswer({ request, result, begunAt }: InputOf<'answer'>): void {
    if (this.#contests.states.size === 0 || request.procedure !== 'agent.contests.mine' || !result.ok) return
    const { paths } = this.#present.options
    const listed = itemsOf(result.output as Contest[] | { items: Contest[] })
    const over = new Set(listed.filter(isOver).map((contest) => idOf(contest, 'contestId', paths)))
    for (const [contestId, { is }] of this.#contests.states) {
      const { evidence } = seatShows(result.output, contestId, { paths, whenThere: 'present' })
      // It may stand on another page.
      if (is === 'heard' && evidence !== 'inconclusive')
        this.#contests.tell(contestId, { type: 'listed', begunAt, isSeated: evidence === 'present' && !over.has(contestId) })
    }
  }

  /** Its stake stays in the books, and no other is put beside it. */
  #onHeard(contestId: string, { match, isRecorded }: { readonly match: Rematch | undefined; readonly isRecorded: boolean }): void {
    const { now } = this.#present
    if (match !== undefined) {
      this.#contests.tell(contestId, { type: 'seated' })
      this.#takeBack(contestId)
      return
    }
    const at = isRecorded ? Number.NEGATIVE_INFINITY : now
    // At the start they are read as it is.
    if (this.#contests.states.has(contestId))
      this.#contests.tell(contestId, { type: 'heard', at, isRecorded, isOver: true, rematch: undefined })
    else this.#contests.begin(contestId, { is: 'heard', first: at, last: at }, isRecorded ? [] : [{ type: 'read' }])
  }

  /** A match of before may have made the seat that is being given back, which a list can show before the stream tells of it. */
  #onHeardWhileLeaving(contestId: string, match: Rematch | undefined): void {
    const leftAt = this.#leftAt(contestId)
    if (leftAt === undefined) return
    const rematch = match !== undefined && match.event.createdAt >= leftAt ? match : undefined
    if (this.#contests.states.has(contestId))
      this.#contests.tell(contestId, { type: 'heard', at: this.#present.now, isRecorded: false, isOver: false, rematch })
    else this.#contests.begin(contestId, { is: 'leaving', rematch })
  }

  #leftAt(contestId: string): number | undefined {
    return this.#underWaySince({ type: 'leaveContest', contestId })
  }

  #perform(effect: RejoinEffect, contestId: string): void {
    if (effect.type === 'read') {
      this.#read()
      return
    }
    this.#takeBack(contestId)
    const { rematch } = effect
    if (rematch === undefined) return
    // By then the books no longer have the ticket.
    this.#seats.onEvent(rematch.event)
    this.#seats.change(contestId, { durationSec: rematch.durationSec })
  }

  /** At once, and then not again for a while. One that was begun in this very millisecond may have missed what is heard now. */
  #read(): void {
    const { deadlines, now } = this.#present
    if (this.#readAt > now) return
    this.#readAt = Math.max(now, this.#readAt + PACE_MS)
    deadlines.soon('seats', this.#readAt)
  }

  #takeBack(contestId: string): void {
    if (!this.#seats.takeBack(contestId)) return
    this.#present.step.note('warn', 'the bot has a seat again that it had given back: it is played', { contestId })
  }
}
