import type { Lane } from '../../contract/enums.ts'
import { DAY_MS, dayOf } from '../../core/day.ts'
import { type Mint, USDC_MINT } from '../../core/tokens.ts'
import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import { refusal, refuse } from '../refuse.ts'
import { START_POINTS } from '../settlement/ladder.ts'
import type { Agent, Tally } from '../state/state.ts'
import { addMember } from '../state/stateIndex.ts'
import { isoOf, type Turn } from '../turn.ts'
import type { AgentCaps, CommandBody, Outcome, Refusal } from '../types.ts'
import { mintLamports, mintTokens } from './ledger.ts'

type Body<T extends CommandBody['type']> = Extract<CommandBody, { readonly type: T }>

export function createAgent({ state }: Turn, command: Body<'createAgent'>): Outcome {
  const { agentId, handle, kind, house, walletAddress, balance, gasLamports, caps } = command
  if (state.agents.has(agentId)) return refuse('INVALID_INPUT', `agentId ${agentId} is taken: use one that is not`, { agentId })
  if (balance < 0n) return refuse('INVALID_INPUT', `balance ${balance} must be 0 or more micro-USDC`, { balance: balance.toString() })
  if (gasLamports < 0n)
    return refuse('INVALID_INPUT', `gasLamports ${gasLamports} must be 0 or more`, { gasLamports: gasLamports.toString() })
  const problem = caps === null ? null : capsProblem(caps)
  if (problem !== null) return { ok: false, refusal: problem }
  state.counters.agent += 1
  const agent: Agent = {
    agentId,
    seq: state.counters.agent,
    handle,
    kind,
    house,
    walletAddress,
    createdAt: state.now,
    gasLamports: 0n,
    caps,
    wallet: 0n,
    tokens: new Map(),
    inPlay: 0n,
    day: dayOf(state.now),
    dayProfit: 0n,
    points: START_POINTS,
    rated: 0,
    tallies: { AGENT: emptyTally(), HUMAN: emptyTally(), MIXED: emptyTally() } satisfies Record<Lane, Tally>,
    history: [],
    tickets: 0,
    ticketIds: [],
  }
  state.agents.set(agentId, agent)
  mintTokens(state, agent, USDC_MINT, balance)
  mintLamports(state, agent, gasLamports)
  addMember(state.index, state.seed, agentId)
  return { ok: true }
}

/** Puts tokens from outside into a wallet, in base units: USDC unless another mint is named. */
export function deposit({ state }: Turn, agent: Agent, { mint = USDC_MINT, amount }: Deposit): Outcome {
  if (amount <= 0n) return refuse('INVALID_INPUT', `amount ${amount} must be above 0 base units`, { amount: amount.toString() })
  mintTokens(state, agent, mint, amount)
  return { ok: true }
}

interface Deposit {
  readonly mint?: Mint
  readonly amount: bigint
}

export function depositLamports({ state }: Turn, agent: Agent, amount: bigint): Outcome {
  if (amount <= 0n) return refuse('INVALID_INPUT', `amount ${amount} must be above 0 lamports`, { amount: amount.toString() })
  mintLamports(state, agent, amount)
  return { ok: true }
}

/** New caps hold for what is entered or seated from now on; seats already taken stay. */
export function setCaps(agent: Agent, caps: AgentCaps): Outcome {
  const problem = capsProblem(caps)
  if (problem !== null) return { ok: false, refusal: problem }
  agent.caps = caps
  return { ok: true }
}

function capsProblem({ maxStake, dailyLossCap }: AgentCaps): Refusal | null {
  if (maxStake >= 0n && dailyLossCap >= 0n) return null
  return refusal('INVALID_INPUT', `caps must be 0 or more micro-USDC, not maxStake ${maxStake} and dailyLossCap ${dailyLossCap}`)
}

const emptyTally = (): Tally => ({ settled: 0, won: 0, lost: 0, drawn: 0, refunded: 0, staked: 0n, payout: 0n })

/** The next 00:00 UTC, Unix milliseconds. */
export const nextDayStart = (ms: number): number => (dayOf(ms) + 1) * DAY_MS

/** Net realised loss of the UTC day of `now`, never below 0. */
export function lostToday(agent: Agent, now: number): Usdc {
  return agent.day === dayOf(now) && agent.dayProfit < 0n ? -agent.dayProfit : 0n
}

/** Counts a realised profit or loss on the UTC day of `now`. */
export function bookProfit(agent: Agent, profit: Usdc, now: number): void {
  if (agent.day !== dayOf(now)) {
    agent.day = dayOf(now)
    agent.dayProfit = 0n
  }
  agent.dayProfit += profit
}

/** Why this agent may not stake this much more; null when it may. */
export function stakeProblem(agent: Agent, stake: Usdc, now: number): Refusal | null {
  const problem = capProblem(agent, stake, agent.inPlay + stake, now)
  if (problem !== null) return problem
  if (stake <= agent.wallet) return null
  return refusal(
    'INSUFFICIENT_BANKROLL',
    `a stake of ${formatUsdc(stake)} USDC is over the ${formatUsdc(agent.wallet)} available: stake less or deposit`,
    {
      stake: stake.toString(),
      available: agent.wallet.toString(),
    },
  )
}

/** Why a seat for a stake already in play may not be taken: the caps can have been lowered since. */
export function seatingProblem(agent: Agent, stake: Usdc, now: number): Refusal | null {
  return capProblem(agent, stake, agent.inPlay, now)
}

/** The worst case counts: all that is in play can be lost on top of what was lost today. */
function capProblem(agent: Agent, stake: Usdc, inPlay: Usdc, now: number): Refusal | null {
  if (agent.caps === null) return null
  const { maxStake, dailyLossCap } = agent.caps
  if (stake > maxStake) {
    return refusal(
      'STAKE_OVER_CAP',
      `stake ${formatUsdc(stake)} USDC is over the agent's cap of ${formatUsdc(maxStake)}: stake at most that`,
      {
        stake: stake.toString(),
        maxStake: maxStake.toString(),
      },
    )
  }
  const lost = lostToday(agent, now)
  if (lost + inPlay <= dailyLossCap) return null
  const worst = formatUsdc(lost + inPlay)
  return refusal(
    'DAILY_LOSS_CAP',
    `lost today and in play would come to ${worst} USDC, over the daily loss cap of ${formatUsdc(dailyLossCap)}: wait for results or for ${isoOf(nextDayStart(now))}`,
    { lostToday: lost.toString(), inPlay: inPlay.toString(), dailyLossCap: dailyLossCap.toString() },
  )
}

/** Moves a stake from the wallet into play: once, when a ticket or a seat is taken. */
export function takeStake(agent: Agent, stake: Usdc): void {
  agent.wallet -= stake
  agent.inPlay += stake
}

/** Ends a stake's time in play and pays out what came of it: the whole stake for a refund. */
export function endStake(agent: Agent, stake: Usdc, payout: Usdc): void {
  agent.inPlay -= stake
  agent.wallet += payout
}
