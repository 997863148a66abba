import { apply } from '../../../src/contests/apply.ts'
import { commandAt, dueCommand } from '../../../src/contests/due.ts'
import type { AgentEvent } from '../../../src/contests/events.ts'
import { type ContestsState, createContests } from '../../../src/contests/state/state.ts'
import type {
  Applied,
  Command,
  CommandBody,
  Contest,
  CreateContestCommand,
  EnqueueCommand,
  RefusalCode,
} from '../../../src/contests/types.ts'
import type { Answer } from '../../../src/contests/views/page.ts'
import { invariant } from '../../../src/core/error.ts'
import { keyedUuid } from '../../../src/core/ids.ts'
import { type Price, scalePrice } from '../../../src/core/price.ts'
import { type Mint, tokenOf, tokenOfMint, USDC_MINT } from '../../../src/core/tokens.ts'
import { usdc } from '../../../src/core/usdc.ts'

// A world for tests: a clock one moves, prices one sets, and the log of what was run.

type CreateAgent = Extract<CommandBody, { readonly type: 'createAgent' }>

/** 12:00 UTC of a day. */
export const START_MS = Date.UTC(2025, 6, 21, 12)

export const mintOf = (symbol: string): Mint => {
  const mint = tokenOf(symbol)?.mint
  invariant(mint !== undefined, `no token ${symbol}`)
  return mint
}

export const SOL = mintOf('SOL')

type Leg = readonly [Mint, bigint]

export class TestWorld {
  readonly state: ContestsState
  readonly commands: Command[] = []
  readonly events: AgentEvent[] = []
  now = START_MS
  /** What a token costs at an instant; null: it has no price. */
  priceAt: (mint: Mint, atMs: number) => Price | null = () => '100'

  constructor(state: ContestsState = createContests({ seed: 7, rakeBps: 500, startMs: START_MS })) {
    this.state = state
  }

  /** Runs what has fallen due, as a shell does, then the command. */
  run(body: CommandBody): Applied {
    for (let due = dueCommand(this.state, this.now, this.priceAt); due !== null; due = dueCommand(this.state, this.now, this.priceAt))
      this.#apply(due)
    return this.#apply(commandAt(this.state, body, { now: this.now, priceAt: this.priceAt }))
  }

  #apply(command: Command): Applied {
    this.commands.push(command)
    const applied = apply(this.state, command)
    this.events.push(...applied.events)
    return applied
  }

  /** Lets time pass, in seconds. */
  pass(seconds: number): void {
    this.now += Math.round(seconds * 1000)
    this.run({ type: 'advance' })
  }

  /** An agent with 1,000 USDC, a stake cap of 50 and a daily loss cap of 200. */
  agent(name: string, options: Partial<CreateAgent> = {}): string {
    const agentId = keyedUuid('agent', name)
    const caps = { maxStake: usdc('50'), dailyLossCap: usdc('200') }
    const common = {
      handle: name,
      kind: 'AGENT',
      house: false,
      walletAddress: `${name}-wallet`,
      balance: usdc('1000'),
      gasLamports: 10n ** 9n,
    } as const
    this.accept({ type: 'createAgent', agentId, caps, ...common, ...options })
    return agentId
  }

  /** Runs a command that must not be refused. */
  accept(body: CommandBody): Extract<Applied, { readonly ok: true }> {
    const applied = this.run(body)
    invariant(applied.ok, applied.ok ? '' : `${body.type} was refused: ${applied.refusal.code}, ${applied.refusal.message}`)
    return applied
  }

  /** The code a command is refused with. */
  refusalOf(body: CommandBody): RefusalCode | 'accepted' {
    const applied = this.run(body)
    return applied.ok ? 'accepted' : applied.refusal.code
  }

  enqueue(agentId: string, options: Partial<EnqueueCommand> = {}): { readonly ticketId: string; readonly contestId: string | undefined } {
    const { ticketId, contestId } = this.accept(enqueueing(agentId, options))
    invariant(ticketId !== undefined, 'no ticket was made')
    return { ticketId, contestId }
  }

  create(agentId: string, options: Partial<CreateContestCommand> = {}): string {
    const { contestId } = this.accept(creating(agentId, options))
    invariant(contestId !== undefined, 'no contest was made')
    return contestId
  }

  join(agentId: string, contestId: string, side: string | null = null): void {
    this.accept({ type: 'joinContest', agentId, contestId, side })
  }

  ready(contestId: string, ...agentIds: readonly string[]): void {
    for (const agentId of agentIds) this.accept({ type: 'readyContest', agentId, contestId, ready: true })
  }

  /** A live duel of these two, made by the first. */
  duel(first: string, second: string, options: Partial<CreateContestCommand> = {}): string {
    const contestId = this.create(first, options)
    this.join(second, contestId)
    this.ready(contestId, first, second)
    return contestId
  }

  /** A swap of so many base units for so many, at no fee. Untagged where no contest is named. */
  swap(agentId: string, [from, given]: Leg, [to, received]: Leg, contestId: string | null = null): Applied {
    const changes = [
      { mint: from, delta: -given },
      { mint: to, delta: received },
    ]
    return this.run({ type: 'fill', agentId, contestId, signature: `swap ${this.commands.length}`, changes, feeLamports: 0n })
  }

  /** A swap of USDC for a token or back, tagged, at the price of now and not a unit worse. */
  trade(agentId: string, contestId: string, { buy, sell, usd }: { buy?: Mint; sell?: Mint; usd: string }): void {
    const mint = buy ?? sell ?? SOL
    const units = (usdc(usd) * 10n ** BigInt(12 + (tokenOfMint(mint)?.decimals ?? 0))) / scalePrice(this.priceAt(mint, this.now) ?? '1')
    const cash: Leg = [USDC_MINT, usdc(usd)]
    const token: Leg = [mint, units]
    const applied = buy === undefined ? this.swap(agentId, token, cash, contestId) : this.swap(agentId, cash, token, contestId)
    invariant(applied.ok, applied.ok ? '' : `the trade was refused: ${applied.refusal.code}, ${applied.refusal.message}`)
  }

  contest(contestId: string): Contest {
    const contest = this.state.contests.get(contestId)
    invariant(contest !== undefined, `no contest ${contestId}`)
    return contest
  }

  entryId(contestId: string, agentId: string): string {
    return this.contest(contestId).entries.find((entry) => entry.agentId === agentId)?.entryId ?? ''
  }

  wallet(agentId: string): bigint {
    return this.state.agents.get(agentId)?.wallet ?? -1n
  }

  /** An agent's events of a type, their data. */
  dataOf(agentId: string, type: AgentEvent['type']): readonly AgentEvent['data'][] {
    return this.events.filter((event) => event.agentId === agentId && event.type === type).map(({ data }) => data)
  }
}

/** What a read that must not be refused comes to. */
export function valueIn<T>(answer: Answer<T>): T {
  invariant(answer.ok, answer.ok ? '' : `refused: ${answer.refusal.code}, ${answer.refusal.message}`)
  return answer.value
}

/** A ticket for an up_down duel of 1 USDC and 15 seconds, that waits 30. */
export function enqueueing(agentId: string, options: Partial<EnqueueCommand> = {}): EnqueueCommand {
  const terms = { mode: 'up_down', stake: usdc('1'), durationSec: 15, opponents: 'ANY', chain: 'solana', waitSec: 30 } as const
  return { type: 'enqueue', agentId, ...terms, ...options }
}

/** A public up_down duel of 1 USDC and 15 seconds on SOL, open for 60, its creator on UP. */
export function creating(agentId: string, options: Partial<CreateContestCommand> = {}): CreateContestCommand {
  const mode = options.mode ?? 'up_down'
  const terms = { chain: 'solana', format: 'duel', stake: usdc('1'), durationSec: 15, opponents: 'ANY' } as const
  const form = { visibility: 'public', capacity: 2, teamSize: null, joinWindowSec: 60 } as const
  const play = mode === 'up_down' ? { params: { token: SOL }, side: 'UP' } : { params: {}, side: null }
  return { type: 'createContest', agentId, mode, ...terms, ...form, ...play, ...options }
}
