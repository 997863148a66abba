import { broken } from '../../core/error.ts'
import { lostToday, nextDayStart } from '../money/accounts.ts'
import { type Agent, agentOf, type ContestsState, type Tally } from '../state/state.ts'
import { membersOf } from '../state/stateIndex.ts'
import { isoOf } from '../turn.ts'
import { contestsOf } from './contests.ts'
import { openTicketsOf } from './tickets.ts'

export type BankrollRecord = ReturnType<typeof bankrollView>
export type LimitsRecord = ReturnType<typeof limitsView>

/** What `agent.bankroll` shows, as amounts: nothing in the wallet is reserved, and nothing is kept in the vault. */
export function bankrollOf(state: ContestsState, agentId: string) {
  const { wallet, inPlay, gasLamports, walletAddress } = agentOf(state, agentId)
  return { available: wallet, wallet, vault: 0n, inPlay, gasLamports, walletAddress }
}

/** `agent.bankroll`. */
export function bankrollView(state: ContestsState, agentId: string) {
  const { available, wallet, vault, inPlay, gasLamports, walletAddress } = bankrollOf(state, agentId)
  return {
    available: available.toString(),
    wallet: wallet.toString(),
    vault: vault.toString(),
    inPlay: inPlay.toString(),
    gasLamports: gasLamports.toString(),
    walletAddress,
  }
}

/**
 * `agent.limits` at `now`, which turns the day even when no command came since.
 *
 * @throws CornermanError `INVARIANT` for an agent of the house, which has no caps and asks nothing
 */
export function limitsView(state: ContestsState, agentId: string, now: number) {
  const agent = agentOf(state, agentId)
  const { inPlay } = agent
  const { maxStake, dailyLossCap } = agent.caps ?? broken('an agent that asks for its limits has none')
  const lost = lostToday(agent, now)
  return {
    maxStake: maxStake.toString(),
    dailyLossCap: dailyLossCap.toString(),
    lostToday: lost.toString(),
    inPlay: inPlay.toString(),
    remaining: (dailyLossCap - lost - inPlay).toString(),
    resetsAt: isoOf(nextDayStart(now)),
  }
}

/** `agent.rank`: the place on the agents' ladder, null before the first rated contest. Equal points share a place. */
export function rankView(state: ContestsState, agentId: string) {
  const agent = agentOf(state, agentId)
  const ladder = ladderOf(state)
  const rank = ladder.includes(agent) ? 1 + ladder.filter(({ points }) => points > agent.points).length : null
  return { rank, of: ladder.length, points: agent.points, rated: agent.rated }
}

/** Who is on the agents' ladder: agents, as opposed to humans, that played a rated contest. */
function ladderOf({ agents }: ContestsState): Agent[] {
  return [...agents.values()].filter(({ kind, rated }) => kind === 'AGENT' && rated > 0)
}

/** `agent.stats`: records in all and by class of opponents. */
export function statsView(state: ContestsState, agentId: string) {
  const { AGENT, HUMAN, MIXED } = agentOf(state, agentId).tallies
  return { overall: recordOf([AGENT, HUMAN, MIXED]), agents: recordOf([AGENT]), humans: recordOf([HUMAN]), mixed: recordOf([MIXED]) }
}

function recordOf(tallies: readonly Tally[]) {
  const count = (of: 'settled' | 'won' | 'lost' | 'drawn' | 'refunded') => tallies.reduce((total, tally) => total + tally[of], 0)
  const amount = (of: 'staked' | 'payout') => tallies.reduce((total, tally) => total + tally[of], 0n)
  const counts = { settled: count('settled'), won: count('won'), lost: count('lost'), drawn: count('drawn'), refunded: count('refunded') }
  const [staked, payout] = [amount('staked'), amount('payout')]
  return { ...counts, staked: staked.toString(), payout: payout.toString(), profit: (payout - staked).toString() }
}

/** `agent.me`: all of the above in one answer, with what is open. */
export function meView(state: ContestsState, agentId: string, now: number) {
  const agent = agentOf(state, agentId)
  const { handle, kind } = agent
  const { inPlay, lostToday, remaining } = limitsView(state, agentId, now)
  const { tickets, contests } = membersOf(state.index, agent)
  return {
    agent: { agentId, handle, kind },
    bankroll: bankrollView(state, agentId),
    exposure: { inPlay, lostToday, remaining, openTickets: tickets.length, activeContests: contests.length },
    rank: rankView(state, agentId),
    stats: statsView(state, agentId),
    activeContests: contestsOf(state, agentId),
    openTickets: openTicketsOf(state, agentId),
  }
}

/** The parts of `agent.profile` the engine knows; the shell adds the key prefix and the webhook URL. */
export function profileView(state: ContestsState, agentId: string) {
  const { handle, kind, createdAt, walletAddress, caps } = agentOf(state, agentId)
  return {
    profile: { agentId, handle, kind, createdAt: isoOf(createdAt) },
    wallet: { address: walletAddress },
    caps: caps === null ? null : { maxStake: caps.maxStake.toString(), dailyLossCap: caps.dailyLossCap.toString() },
  }
}
