import TinyQueue from 'tinyqueue'
import { invariant } from '../../core/error.ts'
import {
  type Applied,
  type Command,
  type CommandBody,
  type ContestsState,
  contestsInPlay,
  queuedTickets,
  SANDBOX_VENUE,
  type Venue,
} from '../index.ts'
import type { Act, HouseContext } from './act.ts'
import { OPENINGS, openingKeyOf, planOpening } from './openings.ts'
import { planPurse } from './planPurse.ts'
import { planSeat } from './planSeat.ts'
import { planTicket } from './planTicket.ts'
import { type HouseMember, rosterOf } from './roster.ts'
import type { PriceSource } from './skills.ts'

/** What a plan is about: a ticket to answer, a contest with seats of the house, an opening to fill, or what an agent has left over. */
type Topic = `ticket ${string}` | `contest ${string}` | `opening ${string}` | `purse ${string}`

interface Wake {
  readonly atMs: number
  readonly topic: Topic
}

/**
 * The house's agents: they answer tickets, keep contests joinable, and play their seats. Every plan is
 * a function of the state and the seed, so a restart makes the same ones again; what is kept here is only
 * when to look at which topic.
 */
export class House {
  readonly #context: HouseContext
  /** What is to be done at the same instant is done in the order of the topics, which a restart does not change. */
  readonly #queue = new TinyQueue<Wake>([], (a, b) => a.atMs - b.atMs || (a.topic < b.topic ? -1 : 1))
  /** The wake that counts for each topic; others in the queue are stale. */
  readonly #wakes = new Map<Topic, Wake>()
  readonly #joinable = new Map<string, Set<string>>()
  readonly #openingOf = new Map<string, string>()
  #refusals = 0
  #open = false

  /**
   * @param matchDelayMs the longest a ticket waits for its opponent
   * @param venue where its agents swap
   */
  constructor(seed: number, matchDelayMs: number, prices: PriceSource, venue: Venue = SANDBOX_VENUE) {
    this.#context = { seed, matchDelayMs, prices, venue, members: rosterOf(seed) }
  }

  /** The house's agents by id. */
  get members(): ReadonlyMap<string, HouseMember> {
    return this.#context.members
  }

  /** Commands of the house that the engine refused: each is a plan that was wrong, and is not tried again. */
  get refusals(): number {
    return this.#refusals
  }

  /** Forgets every plan, and makes those for tickets and seats from the state. */
  resume(state: ContestsState): void {
    while (this.#queue.length > 0) this.#queue.pop()
    this.#wakes.clear()
    this.#joinable.clear()
    this.#openingOf.clear()
    this.#open = false
    for (const ticket of queuedTickets(state)) this.#wake(state, `ticket ${ticket.ticketId}`)
    for (const contest of contestsInPlay(state)) this.#look(state, contest.contestId)
    for (const agentId of this.members.keys()) this.#wake(state, `purse ${agentId}`)
  }

  /** Keeps contests joinable from the state's time on: not for the time the sandbox was down. */
  open(state: ContestsState): void {
    this.#open = true
    for (const { key } of OPENINGS) this.#wake(state, `opening ${key}`)
  }

  /** When the house next has something to do. */
  nextAt(): number | null {
    for (let wake = this.#queue.peek(); wake !== undefined; wake = this.#queue.peek()) {
      if (this.#wakes.get(wake.topic) === wake) return wake.atMs
      this.#queue.pop()
    }
    return null
  }

  /** Does the next thing, as the state has it now; `run` gives a command to the engine. */
  act(state: ContestsState, run: (body: CommandBody, atMs: number) => Applied): void {
    if (this.nextAt() === null) return
    const wake = this.#queue.pop()
    if (wake === undefined) return
    const { topic } = wake
    this.#wakes.delete(topic)
    const act = this.#plan(state, topic, wake.atMs)
    if (act === null) return
    if (act.atMs > wake.atMs) {
      this.#set(topic, act.atMs)
      return
    }
    const body = act.decide()
    if (body !== null) this.#done(state, wake, body, run(body, wake.atMs))
  }

  #done(state: ContestsState, wake: Wake, body: CommandBody, applied: Applied): void {
    if (!applied.ok) {
      this.#refusals++
      return
    }
    const { topic, atMs } = wake
    this.#wake(state, topic)
    // Without this, a contest that does not count as joinable would be followed by another one for ever.
    const isFilled = body.type !== 'createContest' || this.#wakes.get(topic)?.atMs !== atMs
    invariant(isFilled, 'the house opened a contest that nobody can join', { topic })
  }

  /** Looks again at everything a command touched. */
  notice(state: ContestsState, command: Command, applied: Applied): void {
    // Time that went by and brought nothing about: a race that is looked at every second is most of what there is.
    if (!applied.ok || (command.type === 'advance' && applied.events.length === 0)) return
    const tickets = new Set<string>()
    const contests = new Set<string>()
    for (const source of [command, applied, ...applied.events.map(({ data }) => data)]) {
      if ('ticketId' in source && typeof source.ticketId === 'string') tickets.add(source.ticketId)
      if ('contestId' in source && typeof source.contestId === 'string') contests.add(source.contestId)
    }
    for (const ticketId of tickets) this.#wake(state, `ticket ${ticketId}`)
    for (const contestId of contests) this.#look(state, contestId)
  }

  #look(state: ContestsState, contestId: string): void {
    this.#wake(state, `contest ${contestId}`)
    const contest = state.contests.get(contestId)
    const hasEnded = contest !== undefined && contest.endedAt !== null
    if (hasEnded) for (const { agentId } of contest.entries) if (this.members.has(agentId)) this.#wake(state, `purse ${agentId}`)
    const before = this.#openingOf.get(contestId)
    const after = contest === undefined ? null : openingKeyOf(state, contest)
    if (after === (before ?? null)) return
    if (before !== undefined) {
      this.#openingOf.delete(contestId)
      this.#joinable.get(before)?.delete(contestId)
      this.#wake(state, `opening ${before}`)
    }
    if (after !== null) {
      this.#openingOf.set(contestId, after)
      this.#joinable.set(after, (this.#joinable.get(after) ?? new Set()).add(contestId))
      this.#wake(state, `opening ${after}`)
    }
  }

  #wake(state: ContestsState, topic: Topic): void {
    const act = this.#plan(state, topic, state.now)
    if (act === null) this.#wakes.delete(topic)
    else this.#set(topic, act.atMs)
  }

  #set(topic: Topic, atMs: number): void {
    const wake: Wake = { atMs, topic }
    this.#wakes.set(topic, wake)
    this.#queue.push(wake)
  }

  /** @param now the instant it is for: the state's, or that of a wake that has come */
  #plan(state: ContestsState, topic: Topic, now: number): Act | null {
    const id = topic.slice(topic.indexOf(' ') + 1)
    if (topic.startsWith('ticket ')) {
      const ticket = state.tickets.get(id)
      return ticket === undefined ? null : planTicket(this.#context, state, ticket)
    }
    if (topic.startsWith('opening ')) {
      const opening = OPENINGS.find(({ key }) => key === id)
      const joinable = [...(this.#joinable.get(id) ?? [])].flatMap((contestId) => state.contests.get(contestId) ?? [])
      return opening === undefined || !this.#open ? null : planOpening(this.#context, state, { opening, joinable })
    }
    if (topic.startsWith('purse ')) return planPurse(this.#context, state, { agentId: id, now })
    return this.#planContest(state, id, now)
  }

  #planContest(state: ContestsState, contestId: string, now: number): Act | null {
    const contest = state.contests.get(contestId)
    if (contest === undefined) return null
    let first: Act | null = null
    for (const entry of contest.entries) {
      if (state.agents.get(entry.agentId)?.house !== true) continue
      const act = planSeat(this.#context, state, { contest, entry, now })
      if (act !== null && (first === null || act.atMs < first.atMs)) first = act
    }
    return first
  }
}
