import { auditInPlay } from '../../../src/contests/audit/audit.ts'
import type { AgentEvent } from '../../../src/contests/events.ts'
import { lostToday } from '../../../src/contests/money/accounts.ts'
import { addTo, solOf } from '../../../src/contests/money/ledger.ts'
import type { ContestsState } from '../../../src/contests/state/state.ts'
import type { CommandBody, Contest, Ticket } from '../../../src/contests/types.ts'
import { type Mint, SOL_MINT, USDC_MINT } from '../../../src/core/tokens.ts'
import type { Simulation, Step } from './simulation.ts'

/**
 * Watches a simulation and keeps books of its own, by what was commanded and what the events say. It
 * throws at the first step that the state and these books do not agree on.
 *
 * What has ended must never change again: it is frozen, so that a change of it throws by itself, and
 * a step costs the same however much has ended.
 */
export class Witness {
  readonly #world: Simulation
  /** What each agent owns by these books, stakes in play and lamports included: by agent, then mint. */
  readonly #owned = new Map<string, Map<Mint, bigint>>()
  readonly #tickets = new Map<Ticket, Ticket['status'] | null>()
  readonly #contests = new Map<Contest, { readonly seats: ReadonlySet<string>; readonly isLive: boolean }>()
  readonly #histories = new Map<string, number>()
  #eventsSeen = 0
  /** Of the state as the last command left it; null once something was done. */
  #before: readonly unknown[] | null = null

  constructor(world: Simulation) {
    this.#world = world
    for (const { agentId, wallet, gasLamports } of world.state.agents.values()) {
      this.#owned.set(
        agentId,
        new Map([
          [USDC_MINT, wallet],
          [SOL_MINT, gasLamports],
        ]),
      )
    }
  }

  /** Lets the step's time pass, runs its command, and checks all that must hold after every one. */
  take(next: Step): void {
    const world = this.#world
    world.now += next.passMs
    const ran = world.commands.length
    world.run({ type: 'advance' })
    if (world.commands.length > ran + 1) this.#before = null
    const command = world.commandOf(next)
    const before = this.#before ?? everythingIn(world.state)
    const applied = world.run(command)
    if (applied.ok) {
      this.#before = null
      if (applied.ticketId !== undefined) this.#know(applied.ticketId)
      this.#book(command)
      this.#checkCaps(command)
    } else {
      this.#before = everythingIn(world.state)
      hold(applied.events.length === 0, () => 'a refused command caused events')
      hold(isSame(this.#before, before), () => `a refused ${command.type} changed the state`)
    }
    this.#observe()
  }

  #book(command: CommandBody): void {
    if (command.type === 'deposit') this.#change(command.agentId, USDC_MINT, command.amount)
    if (command.type === 'depositToken') this.#change(command.agentId, command.mint, command.amount)
    if (command.type === 'depositLamports') this.#change(command.agentId, SOL_MINT, command.amount)
    if (command.type !== 'fill') return
    this.#change(command.agentId, SOL_MINT, -command.feeLamports)
    for (const { mint, delta } of command.changes) this.#change(command.agentId, mint, delta)
  }

  #change(agentId: string, mint: Mint, delta: bigint): void {
    addTo(this.#owned.get(agentId) ?? new Map(), mint, delta)
  }

  #know(ticketId: string): void {
    const ticket = this.#world.state.tickets.get(ticketId)
    if (ticket !== undefined && !this.#tickets.has(ticket) && !Object.isFrozen(ticket)) this.#tickets.set(ticket, null)
  }

  #observe(): void {
    const { state, events } = this.#world
    const fresh = events.slice(this.#eventsSeen)
    this.#eventsSeen = events.length
    this.#checkEvents(fresh)
    for (const { type, agentId, data } of fresh) {
      if (type === 'contest.settled') this.#change(agentId, USDC_MINT, BigInt(String(data.profit)))
    }
    const problems = auditInPlay(state)
    hold(problems.length === 0, () => problems.join('\n'))
    this.#checkOwned(state)
  }

  /** Every change has its event, and every event its change. */
  #checkEvents(events: readonly AgentEvent[]): void {
    const expected = [...this.#ticketChanges(), ...this.#contestChanges()].sort()
    const actual = events.map(({ type, agentId, data }) => `${type} ${agentId} ${data.ticketId ?? data.contestId}`).sort()
    hold(expected.join('\n') === actual.join('\n'), () => `changes:\n${expected.join('\n')}\nevents:\n${actual.join('\n')}`)
  }

  *#ticketChanges(): Generator<string> {
    for (const ticket of this.#world.state.index.queued.keys()) if (!this.#tickets.has(ticket)) this.#tickets.set(ticket, null)
    for (const [ticket, known] of this.#tickets) {
      const { status, agentId, ticketId } = ticket
      if (status === known) continue
      const type = TICKET_EVENTS[status]
      if (type !== null) yield `${type} ${agentId} ${ticketId}`
      if (status === 'queued') this.#tickets.set(ticket, status)
      else {
        this.#tickets.delete(ticket)
        Object.freeze(ticket)
      }
    }
  }

  *#contestChanges(): Generator<string> {
    const { index } = this.#world.state
    for (const contests of [index.open, index.live])
      for (const contest of contests) if (!this.#contests.has(contest)) this.#contests.set(contest, { seats: new Set(), isLive: false })
    for (const [contest, known] of this.#contests) {
      const { contestId, entries, status, play } = contest
      const told = (type: string) => entries.map(({ agentId }) => `${type} ${agentId} ${contestId}`)
      for (const { entryId } of entries) if (!known.seats.has(entryId)) yield* told('contest.joined')
      if (play !== null && !known.isLive) yield* told('contest.live')
      if (status === 'open' || status === 'live') {
        this.#contests.set(contest, { seats: new Set(entries.map(({ entryId }) => entryId)), isLive: play !== null })
      } else {
        yield* told(`contest.${status}`)
        this.#contests.delete(contest)
        freeze(contest)
      }
    }
  }

  #checkOwned({ agents }: ContestsState): void {
    for (const agent of agents.values()) {
      const { agentId, wallet, inPlay, tokens, history } = agent
      const owned = this.#owned.get(agentId) ?? new Map<Mint, bigint>()
      for (const [mint, units] of owned) {
        const has = mint === USDC_MINT ? wallet + inPlay : mint === SOL_MINT ? solOf(agent) : tokens.get(mint)
        hold(has === units, () => `agent ${agentId} has ${has} of ${mint}; what it did and won comes to ${units}`)
      }
      for (const mint of tokens.keys()) hold(owned.has(mint), () => `agent ${agentId} has ${mint} from nowhere`)
      for (let item = this.#histories.get(agentId) ?? 0; item < history.length; item++) Object.freeze(history[item])
      this.#histories.set(agentId, history.length)
    }
  }

  #checkCaps(command: CommandBody): void {
    if (command.type !== 'enqueue' && command.type !== 'createContest' && command.type !== 'joinContest') return
    const { state } = this.#world
    const agent = state.agents.get(command.agentId)
    if (agent === undefined || agent.caps === null) return
    const { maxStake, dailyLossCap } = agent.caps
    const stake = command.type === 'joinContest' ? (state.contests.get(command.contestId)?.stake ?? 0n) : command.stake
    hold(stake <= maxStake, () => `agent ${agent.agentId} staked ${stake} over its cap of ${maxStake}`)
    hold(
      lostToday(agent, state.now) + agent.inPlay <= dailyLossCap,
      () => `agent ${agent.agentId} can lose more than ${dailyLossCap} a day`,
    )
  }
}

const TICKET_EVENTS = { matched: 'match.found', expired: 'ticket.expired', failed: 'ticket.failed', queued: null, cancelled: null } as const

function hold(condition: boolean, problem: () => string): void {
  if (!condition) throw new Error(problem())
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const part of Object.values(value)) freeze(part)
}

/** All that can change, part by part: everything but what has ended, and the time. */
function everythingIn({
  rake,
  burntLamports,
  mintedLamports,
  minted,
  dex,
  counters,
  agents,
  tickets,
  contests,
  index,
}: ContestsState): unknown[] {
  const { queued, open, live } = index
  const parts: unknown[] = [rake, burntLamports, mintedLamports, ...minted.values(), ...dex.values(), ...Object.values(counters)]
  parts.push(agents.size, tickets.size, contests.size, queued.size, open.size, live.size)
  for (const agent of agents.values()) {
    const { wallet, inPlay, gasLamports, caps, day, dayProfit, points, rated, tokens, tallies, history, ticketIds } = agent
    parts.push(
      wallet,
      inPlay,
      gasLamports,
      caps?.maxStake,
      caps?.dailyLossCap,
      day,
      dayProfit,
      points,
      rated,
      history.length,
      ticketIds.at(-1),
    )
    for (const { settled, won, lost, drawn, refunded, staked, payout } of [tallies.AGENT, tallies.HUMAN, tallies.MIXED])
      parts.push(settled, won, lost, drawn, refunded, staked, payout)
    for (const [mint, units] of tokens) parts.push(mint, units)
  }
  for (const { status, contestId } of queued.keys()) parts.push(status, contestId)
  for (const seats of [open, live]) {
    for (const { status, startsAt, endsAt, endedAt, cancelReason, dueAt, dueOrder, entries, play } of seats) {
      parts.push(status, startsAt, endsAt, endedAt, cancelReason, dueAt, dueOrder)
      for (const { entryId, ready, score, result, payout } of entries) parts.push(entryId, ready, score, result, payout)
      addParts(parts, play)
    }
  }
  return parts
}

function addParts(parts: unknown[], value: unknown): void {
  if (typeof value !== 'object' || value === null) parts.push(value)
  else
    for (const [key, part] of Object.entries(value)) {
      parts.push(key)
      addParts(parts, part)
    }
}

function isSame(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((part, place) => part === after[place])
}
