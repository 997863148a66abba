import type { ServiceEvent } from '../../contract/events.ts'
import { saysNo } from '../../contract/refusals.ts'
import { type CornermanError, unreachable } from '../../core/error.ts'
import type { Reservations } from '../../guard/index.ts'
import type { Action, ServiceAction } from '../../strategy/action.ts'
import { emptySeat, type Seat } from '../books/books.ts'
import { type Accepted, saidByAction } from '../books/foldAccepted.ts'
import { type Answered, saidByAnswer } from '../books/foldAnswer.ts'
import { saidByEvent } from '../books/foldEvent.ts'
import type { Pen } from '../books/ownedBooks.ts'
import type { Said } from '../books/said.ts'
import { withEntry } from '../books/withEntry.ts'
import { isRevealable } from '../guardView.ts'
import type { InputOf } from '../protocol/input.ts'
import type { Outcome } from '../protocol/outcome.ts'
import { parseTaskKey, type TaskKeyOf } from '../protocol/taskKey.ts'
import type { AnsweredRead, Reads } from '../reads.ts'
import { Lifecycle } from '../state/lifecycle.ts'
import type { Present } from '../state/present.ts'
import { isMoving, mayMoveEarly } from './polling.ts'
import { seated, seatMachine } from './seatMachine.ts'
import type { SeatEffect, SeatHappening, SeatRead, SeatSeen, SeatState } from './seatState.ts'
import { type TicketEffect, type TicketHappening, type TicketSeen, type TicketState, ticketMachine } from './ticketMachine.ts'
import { Withdrawals } from './withdrawals.ts'

/** Those that wind up are looked after so often. */
const WIND_UP_MS = 1000

interface SeatsOptions {
  readonly reservations: Reservations
  readonly reads: Pick<Reads, 'ask' | 'isUnderWay'>
  readonly isStreamRead: () => boolean
  /** Whether an action that would do the same is under way. */
  readonly isUnderWay: (action: ServiceAction) => boolean
  /** Takes a wish of the framework's own to the guard. */
  readonly propose: (action: ServiceAction) => void
}

/** The bot's tickets and seats, and which of them are over: whoever learns something of one tells it here. */
export class Seats {
  readonly #present: Present
  readonly #write: Pen<'tickets' | 'seats' | 'openContests'>
  readonly #options: SeatsOptions
  /** An answer that comes late must not open one again. */
  readonly #ended: Set<string>
  readonly #tickets: Lifecycle<TicketState, TicketHappening, TicketEffect, TicketSeen>
  readonly #seats: Lifecycle<SeatState, SeatHappening, SeatEffect, SeatSeen>
  /** Contests whose seat the policy of an earlier run said that it readies itself. */
  readonly #readiedByPolicy = new Set<string>()
  readonly #withdrawals: Withdrawals

  constructor(present: Present, options: SeatsOptions) {
    this.#present = present
    this.#options = options
    this.#withdrawals = new Withdrawals(present)
    this.#ended = present.owned.penForEnded()
    this.#write = present.owned.penFor('tickets', 'seats', 'openContests')
    const seen = this.#seen()
    this.#tickets = new Lifecycle(ticketMachine, {
      ...{ present, seen, show: (ticketId, state) => this.#showTicket(ticketId, state) },
      perform: ({ action }) => this.#options.propose(action),
    })
    this.#seats = new Lifecycle(seatMachine, {
      ...{ present, seen, show: (contestId, state) => this.#showSeat(contestId, state) },
      perform: (effect, _, contestId) => this.#perform(effect, contestId),
    })
  }

  /** What was over in an earlier run. */
  recover(ended: Iterable<string>): void {
    for (const id of ended) this.#ended.add(id)
  }

  start({ ownReadies = [] }: InputOf<'started'>): void {
    for (const contestId of ownReadies) this.#readiedByPolicy.add(contestId)
  }

  onEvent(event: ServiceEvent): void {
    this.#hear(saidByEvent(this.#present.books, event))
  }

  /** @returns a field that the bot needs and the answer does not have, or has in words that are not known */
  onAnswer(answer: Answered): CornermanError | undefined {
    const { said, openContests, missing } = saidByAnswer(this.#present.books, answer)
    if (openContests !== undefined) this.#write({ openContests })
    this.#hear(said)
    return missing
  }

  /** A read came to an answer, or to none. */
  onRead({ request: { purpose }, result }: InputOf<'answer'>, { againAt }: AnsweredRead): void {
    const { kind, subjectId: contestId } = parseTaskKey(purpose)
    if (kind !== 'contest' && kind !== 'state') return
    // A look for early moves, or for standings, has its pace, whatever it comes to.
    if (againAt !== undefined) this.#seats.tell(contestId, { type: 'unread', read: kind, at: againAt })
    // A service that does not show a contest does not say there what the mode's state leaves out either.
    const isRefused = kind === 'contest' && !result.ok && saysNo(result.refusal)
    if (isRefused && this.#present.books.seats.get(contestId)?.lacksPiece === true) this.change(contestId, { isRead: true })
  }

  /** A read is made once more, no later than `at`. */
  lookAgain(purpose: TaskKeyOf<'seats'>, at: number): void {
    const { kind, subjectId: contestId } = parseTaskKey(purpose)
    if (kind === 'ready' || kind === 'leave') return
    // Of a contest that has begun since it was asked for there is no early look any more.
    const read = kind === 'early' && this.#seats.states.get(contestId)?.is === 'live' ? 'state' : kind
    this.#seats.tell(contestId, { type: 'unread', read, at })
  }

  /** An action took effect. */
  onAccepted(accepted: Accepted): void {
    this.#hear(saidByAction(this.#present.books, accepted, this.#ended))
  }

  /** An action came to nothing. */
  onFailed(action: Action, outcome: Outcome): void {
    const { tickets, seats } = this.#present.books
    if (outcome.status === 'rejected' && action.type === 'leaveContest')
      this.#withdrawals.onRefused({ kind: 'contest', id: action.contestId, stake: seats.get(action.contestId)?.stake }, outcome.refusal)
    if (outcome.status === 'rejected' && action.type === 'cancelTicket')
      this.#withdrawals.onRefused({ kind: 'ticket', id: action.ticketId, stake: tickets.get(action.ticketId)?.stake }, outcome.refusal)
    if ('contestId' in action) this.#seats.tell(action.contestId, { type: 'failed', action, outcome })
  }

  onDue(purpose: TaskKeyOf<'seats'>): void {
    const { kind, subjectId } = parseTaskKey(purpose)
    if (kind === 'leave' && this.#tickets.states.has(subjectId)) this.#tickets.tell(subjectId, { type: 'due' })
    else this.#seats.tell(subjectId, { type: 'due', task: kind })
  }

  /** Something is known of a seat; nothing where the bot has none there. */
  change(contestId: string, change: Partial<Seat>): void {
    this.#seats.tell(contestId, { type: 'learnt', change })
  }

  /** Moves every time that the service has named of the seats. */
  moveTimes(byMs: number): void {
    for (const seat of this.#present.books.seats.values()) this.change(seat.contestId, timesMoved(seat, byMs))
  }

  /** The bot has a seat, also where it had given one back there. */
  take(contestId: string, change: Partial<Seat>): void {
    this.#ended.delete(contestId)
    this.#learn(contestId, () => change)
  }

  /** A seat is over. */
  end(contestId: string): void {
    this.#ended.add(contestId)
    this.#withdrawals.over(contestId)
    this.#seats.tell(contestId, { type: 'over' })
  }

  endTicket(ticketId: string): void {
    this.#ended.add(ticketId)
    this.#withdrawals.over(ticketId)
    this.#tickets.tell(ticketId, { type: 'over' })
  }

  /**
   * A seat that was given back is the bot's again, or may be: what is heard of the contest from now on is of the new one.
   *
   * @returns whether there was one
   */
  takeBack(contestId: string): boolean {
    return this.#ended.delete(contestId)
  }

  /** Looks after a seat as the books now have it. */
  tend(contestId: string): void {
    this.#seats.tell(contestId, { type: 'tended' })
  }

  /** The bot plays on. */
  resumed(): void {
    this.#withdrawals.resumed()
  }

  /** Gives back the tickets that wait for a contest of such a mode: nobody could move in it now. */
  cancelTickets(isOf: (mode: string) => boolean): void {
    const { deadlines, now } = this.#present
    for (const [ticketId, { ticket }] of this.#tickets.states) {
      if (ticket.mode === undefined || !isOf(ticket.mode)) continue
      this.#tickets.tell(ticketId, { type: 'windUp' })
      // It is asked for again where the service does not answer.
      deadlines.soon('tend', now + WIND_UP_MS)
    }
  }

  /** The run ends, or is stopped: what can still be taken back is. */
  windUp(): void {
    const { deadlines, now } = this.#present
    for (const ticketId of this.#tickets.states.keys()) this.#tickets.tell(ticketId, { type: 'windUp' })
    for (const [contestId, { is }] of this.#seats.states) if (is === 'open') this.#seats.tell(contestId, { type: 'windUp' })
    // Whoever lost the race to withdraw learns from the stream what happened instead.
    if (this.#tickets.states.size > 0) deadlines.soon('tend', now + WIND_UP_MS)
  }

  #hear(said: readonly Said[]): void {
    for (const one of said)
      switch (one.of) {
        case 'ticket':
          this.#onWaiting(one)
          break
        case 'ticketOver':
          this.endTicket(one.ticketId)
          break
        case 'seat':
          this.#learn(one.contestId, one.change)
          break
        case 'seatOver':
          this.end(one.contestId)
          break
        default:
          unreachable(one)
      }
  }

  #onWaiting({ ticketId, waits }: Extract<Said, { readonly of: 'ticket' }>): void {
    if (this.#ended.has(ticketId)) return
    const known = this.#tickets.states.get(ticketId)?.ticket
    const ticket = waits(known)
    if (known === undefined) this.#tickets.begin(ticketId, { is: 'waiting', ticket, leaveAt: undefined })
    else this.#tickets.tell(ticketId, { type: 'learnt', ticket })
  }

  /** What is said of a contest that is over, or of one whose seat was given back, makes no seat. */
  #learn(contestId: string, changeOf: (known: Seat | undefined) => Partial<Seat>): void {
    if (this.#ended.has(contestId)) return
    const state = this.#seats.states.get(contestId)
    const change = changeOf(state?.seat)
    if (state === undefined) this.#seats.begin(contestId, seated({ ...emptySeat(contestId), ...change }))
    else this.#seats.tell(contestId, { type: state.is === 'open' && change.phase === 'live' ? 'started' : 'learnt', change })
  }

  #showTicket(ticketId: string, state: TicketState | undefined): void {
    const { tickets } = this.#present.books
    if (state?.ticket !== tickets.get(ticketId)) this.#write({ tickets: withEntry(tickets, ticketId, state?.ticket) })
  }

  #showSeat(contestId: string, state: SeatState | undefined): void {
    const { seats } = this.#present.books
    if (state?.seat !== seats.get(contestId)) this.#write({ seats: withEntry(seats, contestId, state?.seat) })
  }

  #perform(effect: SeatEffect, contestId: string): void {
    if (effect.type === 'propose') {
      this.#options.propose(effect.action)
      return
    }
    const { read } = effect
    const at = this.#ask(read, contestId)
    if (at !== undefined) this.#seats.tell(contestId, { type: 'unread', read, at })
  }

  /** @returns when it is due again, where it has to wait */
  #ask(read: SeatRead, contestId: string): number | undefined {
    const { reads } = this.#options
    switch (read) {
      case 'contest':
      case 'standings':
        return reads.ask(`${read}:${contestId}`, 'agent.contests.get', { contestId })
      case 'early':
      case 'state':
        return reads.ask(`${read}:${contestId}`, 'agent.modes.state', { contestId })
      default:
        return unreachable(read)
    }
  }

  #seen(): SeatSeen & TicketSeen {
    const present = this.#present
    const { reads, reservations, isStreamRead, isUnderWay } = this.#options
    const readiedByPolicy = this.#readiedByPolicy
    const withdrawals = this.#withdrawals
    const count = (isOne: (seat: Seat) => boolean) => {
      let counted = 0
      for (const seat of present.books.seats.values()) if (isOne(seat)) counted += 1
      return counted
    }
    const seen: SeatSeen & TicketSeen = {
      get now() {
        return present.now
      },
      get runMode() {
        return present.books.runMode
      },
      get stopped() {
        return present.books.stopped
      },
      get isStreamRead() {
        return isStreamRead()
      },
      get isRecorded() {
        return isRecorded(present)
      },
      get predictions() {
        return present.books.custody.size
      },
      custodyOf: (contestId) => present.books.custody.get(contestId)?.status,
      isRevealable: (contestId) => isRevealable(contestId, { books: present.books, reservations }),
      isReadUnderWay: (read, contestId) => reads.isUnderWay(`${read}:${contestId}`),
      isUnderWay,
      leaveRetryMs: (id) => withdrawals.retryMs(id),
      isReadiedByPolicy: (contestId) => readiedByPolicy.has(contestId),
      moving: () => count((seat) => isMoving(seat, seen)),
      early: () => count((seat) => mayMoveEarly(seat, seen)),
    }
    return seen
  }
}

/** What the journal holds is being read back: it is not yet how things stand. */
export const isRecorded = ({ step: { input } }: Present): boolean => input.type === 'event' && input.recorded

const TIMES = ['startsAt', 'endsAt', 'commitBy', 'commitsUntil', 'revealFrom', 'turnEndsAt'] as const

function timesMoved(seat: Seat, byMs: number): Partial<Seat> {
  const { turn } = seat
  const moved = TIMES.flatMap((name) => (seat[name] === undefined ? [] : [[name, seat[name] + byMs]]))
  const pickBy = turn?.pickBy === undefined ? {} : { turn: { ...turn, pickBy: turn.pickBy + byMs } }
  return { ...(Object.fromEntries(moved) as Partial<Seat>), ...pickBy }
}
