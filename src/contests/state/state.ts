import type { Lane, Mode, Result } from '../../contract/enums.ts'
import { invariant } from '../../core/error.ts'
import { type Mint, TOKENS, USDC_MINT } from '../../core/tokens.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { AgentCaps, AgentKind, Contest, Ticket } from '../types.ts'
import { type ContestsIndex, emptyIndex } from './stateIndex.ts'

/** One settled contest of one agent, as history and records count it. */
export interface HistoryItem {
  readonly contestId: string
  readonly mode: Mode
  readonly result: Result
  readonly stake: Usdc
  readonly payout: Usdc
  readonly versus: Lane
  /** Null where the contest was not rated. */
  readonly rpDelta: number | null
  readonly rpAfter: number | null
  readonly settledAt: number
}

/** Results against one class of opponents. */
export interface Tally {
  settled: number
  won: number
  lost: number
  drawn: number
  refunded: number
  staked: Usdc
  payout: Usdc
}

export interface Agent {
  readonly agentId: string
  /** Place in the order of creation, from 1. */
  readonly seq: number
  readonly handle: string
  readonly kind: AgentKind
  readonly house: boolean
  readonly walletAddress: string
  readonly createdAt: number
  /** Lamports for transaction fees. */
  gasLamports: bigint
  /** Null: no caps, as house agents have. */
  caps: AgentCaps | null
  /** USDC in the wallet; stakes in play have left it. */
  wallet: Usdc
  /** Base units of every other token held; a mint with none is left out. */
  readonly tokens: Map<Mint, bigint>
  /** Stakes of queued tickets and of seats in open and live contests. */
  inPlay: Usdc
  /** The UTC day, counted from 1970, that `dayProfit` is of. */
  day: number
  /** Payouts less stakes of what was settled on that day. */
  dayProfit: Usdc
  /** Ladder points, and how many rated contests made them. */
  points: number
  rated: number
  readonly tallies: Readonly<Record<Lane, Tally>>
  /** Oldest first. */
  readonly history: HistoryItem[]
  /** Tickets made so far. */
  tickets: number
  /** The last 20, oldest first. */
  readonly ticketIds: string[]
}

/** The last number given of each kind. */
export interface Counters {
  agent: number
  ticket: number
  contest: number
  entry: number
  event: number
  due: number
}

/**
 * Everything the engine knows: plain data that a snapshot holds, and an index derived from it.
 * Only `apply` changes it; reads go through the views.
 */
export interface ContestsState {
  readonly seed: number
  /** The service's share of a decided pot, in basis points. */
  readonly rakeBps: number
  /** Tokens drawn from where a contest names none. */
  readonly mints: readonly Mint[]
  /** Unix milliseconds of the last command or transition. */
  now: number
  /** Base units of each token that came in from outside, the DEX's own included. */
  readonly minted: Map<Mint, bigint>
  /** What the DEX holds of each token: the other side of every fill. */
  readonly dex: Map<Mint, bigint>
  /** Lamports that came in from outside, and those burnt as fees. */
  mintedLamports: bigint
  burntLamports: bigint
  /** Rake and rounding remainders taken so far. */
  rake: Usdc
  readonly counters: Counters
  readonly agents: Map<string, Agent>
  readonly tickets: Map<string, Ticket>
  readonly contests: Map<string, Contest>
  readonly index: ContestsIndex
}

export interface CreateContestsOptions {
  readonly seed: number
  /** Basis points, 0 to 10,000. */
  readonly rakeBps: number
  /** Unix milliseconds. */
  readonly startMs: number
  /** Tokens drawn from where a contest names none: those the world has prices for. Default: all known but USDC. */
  readonly mints?: readonly Mint[]
  /** Base units of each token the DEX begins with. Default: `DEX_INVENTORY` of USDC and of every one of `mints`. */
  readonly dex?: ReadonlyMap<Mint, bigint>
}

/**
 * Base units of each token the DEX begins with: more than trading at these tokens' depths can drain,
 * and well inside the 64 bits of an SPL token account.
 */
export const DEX_INVENTORY = 10n ** 18n

/** An empty contest service. */
export function createContests(options: CreateContestsOptions): ContestsState {
  const { seed, rakeBps, startMs, mints = defaultMints() } = options
  const dex = new Map(options.dex ?? [USDC_MINT, ...mints].map((mint) => [mint, DEX_INVENTORY]))
  return {
    seed,
    rakeBps,
    mints,
    now: startMs,
    minted: new Map(dex),
    dex,
    mintedLamports: 0n,
    burntLamports: 0n,
    rake: 0n,
    counters: { agent: 0, ticket: 0, contest: 0, entry: 0, event: 0, due: 0 },
    agents: new Map(),
    tickets: new Map(),
    contests: new Map(),
    index: emptyIndex(seed),
  }
}

function defaultMints(): Mint[] {
  return TOKENS.map((token) => token.mint).filter((mint) => mint !== USDC_MINT)
}

/** The agents of a contest, by seat. */
export const seatedIn = (state: ContestsState, { entries }: Contest): Agent[] => entries.map(({ agentId }) => agentOf(state, agentId))

/** An agent that must be there: its id came from the state, or from the shell's own key store. */
export function agentOf({ agents }: ContestsState, agentId: string): Agent {
  const agent = agents.get(agentId)
  invariant(agent !== undefined, `there is no agent ${agentId}`)
  return agent
}
