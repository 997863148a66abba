import type { Random } from '../../../src/core/random.ts'
import type { AgentFile, Player } from './agentFile.ts'
import type { Mode } from './contest.ts'
import type { Contests } from './contests.ts'
import type { EventStream } from './eventStream.ts'
import { type Ledger, ticketAccount, walletOf } from './ledger.ts'
import { msOf, type Pace } from './pace.ts'
import { Refusal } from './refusal.ts'
import type { Timetable } from './timetable.ts'

/** The service's own words for what has become of a ticket. */
export type TicketState = 'WAITING' | 'SEATED' | 'LAPSED' | 'BROKEN' | 'WITHDRAWN'

export interface Ticket {
  readonly ref: string
  readonly player: Player
  readonly mode: Mode
  readonly stake: bigint
  readonly durationSec: number
  readonly opponents: 'HUMAN' | 'AGENT' | 'ANY'
  readonly chain: 'solana' | 'robinhood'
  readonly lapsesAtMs: number
  state: TicketState
  contestId: string | null
  trouble: { readonly word: string; readonly says: string } | null
}

/** Which tickets of an agent go wrong, counted from one: every so many; 0 is none. */
export interface Trouble {
  /** Fail when they are seated. */
  readonly failEvery: number
  /** Find nobody. */
  readonly neglectEvery: number
}

interface Parts {
  readonly timetable: Timetable
  readonly pace: Pace
  readonly ledger: Ledger
  readonly events: EventStream
  readonly contests: Contests
  readonly random: Random
  readonly trouble: Trouble
  readonly newId: () => string
  readonly fileOf: (player: Player) => AgentFile
  /** Somebody of the house who will play. */
  readonly opponentFor: (ticket: Ticket) => Player | undefined
}

/** The match queue. A stake is held from the moment of the ticket on. */
export class Queue {
  readonly tickets: Ticket[] = []
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  enqueue(
    player: Player,
    asked: Pick<Ticket, 'mode' | 'stake' | 'durationSec' | 'opponents' | 'chain'> & { waitSec: number | undefined },
  ): Ticket {
    const { timetable, pace, ledger, contests, random, trouble, newId, fileOf } = this.#parts
    contests.checkStake(player, asked.stake)
    const { waitSec, ...wants } = asked
    const lapsesAtMs = timetable.now() + msOf(pace, waitSec ?? pace.waitSec)
    const ticket: Ticket = { ref: newId(), player, ...wants, lapsesAtMs, state: 'WAITING', contestId: null, trouble: null }
    ledger.move(walletOf(player.agentId), ticketAccount(ticket.ref), ticket.stake)
    fileOf(player).inPlay += ticket.stake
    this.tickets.push(ticket)
    const count = this.of(player).length
    const isDue = (every: number) => every > 0 && count % every === 0
    const soon = () => msOf(pace, pace.matchSec * (1 / 3 + (2 / 3) * random.next()))
    timetable.at(lapsesAtMs, () => this.#lapse(ticket))
    if (isDue(trouble.failEvery)) timetable.after(soon(), () => this.#break(ticket))
    else if (!isDue(trouble.neglectEvery)) timetable.after(soon(), () => this.#match(ticket))
    return ticket
  }

  of(player: Player): Ticket[] {
    return this.tickets.filter((ticket) => ticket.player === player)
  }

  byRef(player: Player, ref: string): Ticket {
    const ticket = this.of(player).find((candidate) => candidate.ref === ref)
    if (ticket === undefined) throw new Refusal('NO_SUCH_TICKET', 'you have no ticket of that number', { ticketId: ref })
    return ticket
  }

  withdraw(player: Player, ref: string): Ticket {
    const ticket = this.byRef(player, ref)
    if (ticket.state !== 'WAITING') throw new Refusal('LATE', 'that ticket does not wait any more', { state: ticket.state })
    this.#giveBack(ticket, 'WITHDRAWN')
    return ticket
  }

  #match(ticket: Ticket): void {
    const { contests, events } = this.#parts
    if (ticket.state !== 'WAITING') return
    const other = this.tickets.find(
      (candidate) => candidate.state === 'WAITING' && candidate.player !== ticket.player && areAlike(candidate, ticket),
    )
    const opponent = other === undefined ? this.#parts.opponentFor(ticket) : undefined
    if (other === undefined && opponent === undefined) return
    const { mode, stake, durationSec, chain } = ticket
    const contest = contests.open({ mode, stake, durationSec, chain, format: 'duel', opponents: 'ANY' }, false)
    for (const seated of other === undefined ? [ticket] : [ticket, other]) {
      seated.state = 'SEATED'
      seated.contestId = contest.uid
      const { ref: ticketId, opponents } = seated
      const data = { ticketId, contestId: contest.uid, opponents, mode, stake: stake.toString(), error: null }
      events.append(seated.player.agentId, 'match.found', data)
      contests.sit(contest, seated.player, { purse: ticketAccount(ticketId), isReady: true })
    }
    if (opponent !== undefined) contests.sit(contest, opponent, { isReady: true })
  }

  #lapse(ticket: Ticket): void {
    if (ticket.state !== 'WAITING') return
    this.#giveBack(ticket, 'LAPSED')
    this.#parts.events.append(ticket.player.agentId, 'ticket.expired', { ticketId: ticket.ref })
  }

  #break(ticket: Ticket): void {
    if (ticket.state !== 'WAITING') return
    ticket.trouble = { word: 'SEAT_LOST', says: 'the place was gone before you sat down' }
    this.#giveBack(ticket, 'BROKEN')
    const { ref: ticketId, opponents, mode, stake, trouble: error } = ticket
    // The form of `error` is not shown: here it is an object.
    this.#parts.events.append(ticket.player.agentId, 'ticket.failed', {
      ticketId,
      contestId: null,
      opponents,
      mode,
      stake: stake.toString(),
      error,
    })
  }

  #giveBack(ticket: Ticket, state: TicketState): void {
    const { ledger, fileOf } = this.#parts
    ticket.state = state
    ledger.empty(ticketAccount(ticket.ref), walletOf(ticket.player.agentId))
    fileOf(ticket.player).inPlay -= ticket.stake
  }
}

const areAlike = (one: Ticket, two: Ticket): boolean =>
  one.mode === two.mode &&
  one.stake === two.stake &&
  one.durationSec === two.durationSec &&
  one.chain === two.chain &&
  one.opponents !== 'HUMAN' &&
  two.opponents !== 'HUMAN'
