import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commitmentOf } from '../contract/commitment.ts'
import { keyedRandom } from '../core/random.ts'
import { usdc } from '../core/usdc.ts'
import { lostToday } from './accounts.ts'
import { apply } from './apply.ts'
import { auditContests } from './audit.ts'
import type { AgentEvent } from './events.ts'
import { loadContests, saveContests } from './snapshot.ts'
import { createContests } from './state.ts'
import { creating, enqueueing, mintOf, START_MS, TestWorld } from './testWorld.ts'
import type { Command, CommandBody, Contest, Ticket } from './types.ts'

// Random agents do random things, sensible or not; nothing they do may break an invariant.

const MODES = ['up_down', 'draft_basket', 'price_prediction', 'price_prediction'] as const
const POOL = ['SOL', 'JUP', 'WIF', 'JTO', 'PYTH', 'W', 'IO', 'MEW', 'GOAT', 'BOME'].map(mintOf)
const SALT = 'salt-of-the-simulation'
const ACTS = {
  ...{ enqueue: 5, answer: 3, cancelTicket: 1, create: 4, join: 6, ready: 8, unready: 1, leave: 1 },
  ...{ draftPick: 4, commit: 5, reveal: 5, setCaps: 2, deposit: 1 },
}
type Act = keyof typeof ACTS
/** Milliseconds that pass before an act, by how often: mostly none, now and then past every deadline, or back. */
const PASSES_MS = Object.entries({ 0: 40, 1: 2, 500: 8, 1000: 6, 3000: 5, 15000: 3, 70000: 1, 46800000: 1, '-5000': 1 }).flatMap(
  ([ms, weight]) => Array<number>(weight).fill(Number(ms)),
)

const step = fc.record({
  act: fc.constantFrom(...Object.entries(ACTS).flatMap(([act, weight]) => Array<Act>(weight).fill(act as Act))),
  actor: fc.nat(7),
  pick: fc.nat(1000),
  choice: fc.nat(1000),
  passMs: fc.constantFrom(...PASSES_MS),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

class Simulation extends TestWorld {
  readonly agents: string[]
  readonly deposited = new Map<string, bigint>()

  constructor() {
    super(createContests({ seed: 11, rakeBps: 500, startMs: START_MS }))
    this.priceAt = (mint, at) => {
      const random = keyedRandom(mint, at)
      return random.next() < 0.02 ? null : `${random.integer(98, 102)}.5`
    }
    const caps = { maxStake: usdc('5'), dailyLossCap: usdc('12') }
    const balance = usdc('40')
    this.agents = Array.from({ length: 8 }, (_, index) => {
      const kind = index % 3 === 2 ? 'HUMAN' : 'AGENT'
      return this.agent(`agent ${index}`, index === 7 ? { house: true, caps: null, balance } : { kind, caps, balance })
    })
    for (const agent of this.agents) this.deposited.set(agent, balance)
  }

  /** What a step comes to in the state as it is: mostly something that can be done, at times nonsense. */
  commandOf({ act, actor, pick, choice }: Step): CommandBody {
    const agentId = this.agents[actor] ?? ''
    const stake = [usdc('1'), usdc('1'), usdc('1'), usdc('1.000001'), usdc('6'), 0n][choice % 6] ?? 1n
    const mode = MODES[pick % MODES.length] ?? 'up_down'
    const opponents = (['ANY', 'ANY', 'AGENT', 'HUMAN'] as const)[choice % 4] ?? 'ANY'
    const contest = chosen<Contest>(this.#contestsFor(act, choice), pick)
    const contestId = contest?.contestId ?? 'none'
    const ticket = chosen<Ticket>(choice % 5 === 0 ? [...this.state.tickets.values()] : [...this.state.index.queued], pick)
    switch (act) {
      case 'enqueue':
        return enqueueing(agentId, { mode, stake, opponents, waitSec: 1 + (choice % 20) })
      case 'answer': {
        const answering = ticket?.ticketId ?? 'none'
        return ticket === undefined
          ? enqueueing(agentId, { answering })
          : enqueueing(agentId, { mode: ticket.mode, stake: ticket.stake, answering })
      }
      case 'cancelTicket':
        return { type: 'cancelTicket', agentId, ticketId: ticket?.ticketId ?? 'none' }
      case 'create':
        return creating(agentId, { mode, stake, opponents, joinWindowSec: 5 + (choice % 40), ...this.#formOf(mode, choice) })
      case 'join':
        return { type: 'joinContest', agentId, contestId, side: choice % 3 === 0 ? null : choice % 3 === 1 ? 'UP' : 'DOWN' }
      case 'ready':
      case 'unready':
        return { type: 'readyContest', agentId: this.#seated(contest, choice) ?? agentId, contestId, ready: act === 'ready' }
      case 'leave':
        return { type: 'leaveContest', agentId, contestId }
      case 'setCaps':
        return {
          type: 'setCaps',
          agentId: ticket?.agentId ?? agentId,
          caps: { maxStake: usdc(String((choice % 3) * 2)), dailyLossCap: usdc('12') },
        }
      case 'deposit':
        return { type: 'deposit', agentId, amount: BigInt(choice % 10) }
      case 'draftPick':
      case 'commit':
      case 'reveal':
        return { type: 'move', agentId: this.#seated(contest, choice) ?? agentId, contestId, move: this.#moveOf(act, contest, choice) }
    }
  }

  /** Contests the act can do something in; now and then any. */
  #contestsFor(act: Act, choice: number): readonly Contest[] {
    const all = [...this.state.contests.values()]
    const fitting = all.filter(({ status, mode, entries, capacity }) => {
      if (act === 'join') return status === 'open' && entries.length < capacity
      if (act === 'ready') return status === 'open' && entries.length > 1
      if (act === 'draftPick') return status === 'live' && mode === 'draft_basket'
      if (act === 'commit' || act === 'reveal') return status === 'live' && mode === 'price_prediction'
      return status === 'open'
    })
    return choice % 10 === 0 || fitting.length === 0 ? all.slice(-6) : fitting
  }

  #formOf(mode: string, choice: number) {
    const form = choice % 4 === 0 ? ({ format: 'lobby', capacity: 4 } as const) : {}
    const teams = choice % 8 === 0 && mode !== 'up_down' ? { teamSize: 2 } : {}
    const payouts = choice % 9 === 0 ? { payouts: [3, 2] } : {}
    const own = mode === 'draft_basket' ? { pool: POOL, picks: 1 + (choice % 2) } : { token: POOL[choice % 3] ?? '' }
    return { ...form, ...teams, params: { ...own, ...payouts, hidden: choice % 2 === 0 } }
  }

  /** One of the contest's own agents, most of the time. */
  #seated(contest: Contest | undefined, choice: number): string | undefined {
    return choice % 7 === 0 ? undefined : chosen(contest?.entries ?? [], choice)?.agentId
  }

  #moveOf(act: 'draftPick' | 'commit' | 'reveal', contest: Contest | undefined, choice: number) {
    const { entryId = '0' } = chosen(contest?.entries ?? [], choice) ?? {}
    const value = `${98 + (entryId.charCodeAt(0) % 5)}.25`
    if (act === 'draftPick') return { type: 'draftPick', token: POOL[choice % POOL.length] ?? '' } as const
    if (act === 'commit') return { type: 'commitPrediction', commitment: commitmentOf(value, SALT, entryId) } as const
    return { type: 'revealPrediction', value: choice % 11 === 0 ? '1' : value, salt: choice % 13 === 0 ? 'x' : SALT } as const
  }
}

function chosen<T>(values: readonly T[], choice: number): T | undefined {
  return values[choice % Math.max(1, values.length)]
}

/** Runs one step and checks what must hold after every one. */
function take(world: Simulation, next: Step): void {
  world.now += next.passMs
  world.run({ type: 'advance' })
  const before = saveContests(world.state)
  const command = world.commandOf(next)
  const applied = world.run(command)
  expect(auditContests(world.state)).toEqual([])
  if (!applied.ok) {
    expect(saveContests(world.state)).toBe(before)
    expect(applied.events).toEqual([])
    return
  }
  if (command.type === 'deposit') world.deposited.set(command.agentId, (world.deposited.get(command.agentId) ?? 0n) + command.amount)
  if (command.type === 'enqueue' || command.type === 'createContest' || command.type === 'joinContest')
    expectWithinCaps(world, command.agentId)
}

function expectWithinCaps({ state }: Simulation, agentId: string): void {
  const agent = state.agents.get(agentId)
  if (agent === undefined || agent.caps === null) return
  expect(lostToday(agent, state.now) + agent.inPlay <= agent.caps.dailyLossCap).toBe(true)
}

/** Every change has its event and every event its change. */
function expectEventsOfState({ state, events }: Simulation): void {
  const expected: string[] = []
  const ticketEvents = {
    matched: 'match.found',
    expired: 'ticket.expired',
    failed: 'ticket.failed',
    queued: null,
    cancelled: null,
  } as const
  for (const { status, agentId, ticketId } of state.tickets.values()) {
    if (ticketEvents[status] !== null) expected.push(`${ticketEvents[status]} ${agentId} ${ticketId}`)
  }
  for (const { contestId, status, play, entries } of state.contests.values()) {
    for (const { agentId } of entries) {
      if (play !== null) expected.push(`contest.live ${agentId} ${contestId}`)
      if (status === 'settled' || status === 'cancelled') expected.push(`contest.${status} ${agentId} ${contestId}`)
    }
  }
  const actual = events
    .filter(({ type }) => type !== 'contest.joined')
    .map(({ type, agentId, data }) => `${type} ${agentId} ${data.ticketId ?? data.contestId}`)
  expect(actual.toSorted()).toEqual(expected.toSorted())
}

/** What the events say an agent won and lost is what it has. */
function expectMoneyOfEvents({ state, events, deposited }: Simulation): void {
  for (const { agentId, wallet, inPlay } of state.agents.values()) {
    const settled = events.filter((event) => event.agentId === agentId && event.type === 'contest.settled')
    const profit = settled.reduce((total, { data }) => total + BigInt(String(data.profit)), 0n)
    expect(wallet + inPlay).toBe((deposited.get(agentId) ?? 0n) + profit)
  }
}

/** The events of a log, on a fresh state or one that has gone through a snapshot after `savedAfter` commands. */
function replay(commands: readonly Command[], savedAfter = Number.POSITIVE_INFINITY): string {
  let state = createContests({ seed: 11, rakeBps: 500, startMs: START_MS })
  const events: AgentEvent[] = []
  for (const [index, command] of commands.entries()) {
    if (index === savedAfter) {
      const text = saveContests(state)
      state = loadContests(text)
      expect(saveContests(state)).toBe(text)
    }
    events.push(...apply(state, command).events)
  }
  return JSON.stringify(events)
}

/** What the runs came to, in all: runs that reach nothing prove nothing. */
function outcomesOf({ state }: Simulation): string[] {
  const contests = [...state.contests.values()].flatMap(({ mode, status, cancelReason, entries }) => [
    cancelReason ?? `${mode} ${status}`,
    ...entries.flatMap(({ result }) => result ?? []),
  ])
  return [...contests, ...[...state.tickets.values()].map(({ status }) => `ticket ${status}`)]
}

const REACHED = [
  ...['up_down settled', 'draft_basket settled', 'price_prediction settled'],
  ...['not_filled', 'not_ready', 'left', 'no_price'],
  ...['WIN', 'LOSS', 'DRAW', 'REFUND'],
  ...['ticket queued', 'ticket matched', 'ticket expired', 'ticket failed', 'ticket cancelled'],
]

describe('simulation', () => {
  test('invariants hold after every command; events, state and money agree; a log and a snapshot give the same events', () => {
    const reached = new Set<string>()
    fc.assert(
      fc.property(fc.noBias(fc.array(step, { minLength: 1, maxLength: 200, size: 'max' })), fc.nat(200), (steps, savedAfter) => {
        const world = new Simulation()
        for (const next of steps) take(world, next)
        expectEventsOfState(world)
        expectMoneyOfEvents(world)
        const events = JSON.stringify(world.events)
        expect(replay(world.commands)).toBe(events)
        expect(replay(world.commands, savedAfter)).toBe(events)
        for (const outcome of outcomesOf(world)) reached.add(outcome)
      }),
      { numRuns: 40, seed: 20250721 },
    )
    expect(REACHED.filter((outcome) => !reached.has(outcome))).toEqual([])
  }, 60_000)
})
