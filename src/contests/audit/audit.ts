import { dayOf } from '../../core/day.ts'
import { USDC_MINT } from '../../core/tokens.ts'
import type { Usdc } from '../../core/usdc.ts'
import { addTo } from '../money/ledger.ts'
import { START_POINTS } from '../settlement/ladder.ts'
import type { Agent, ContestsState } from '../state/state.ts'
import type { Contest, Ticket } from '../types.ts'
import { auditIndex, type Check } from './auditIndex.ts'

/**
 * Every invariant of the state that does not hold, as sentences; empty when all is well. It goes
 * through everything stored: for tests and simulations.
 */
export function auditContests(state: ContestsState): string[] {
  const problems: string[] = []
  const check: Check = (holds, problem) => {
    if (!holds) problems.push(problem())
  }
  const inPlay = new Map<string, Usdc>()
  const addInPlay = (agentId: string, stake: Usdc) => inPlay.set(agentId, (inPlay.get(agentId) ?? 0n) + stake)
  let rake = 0n

  for (const ticket of state.tickets.values()) {
    if (ticket.status === 'queued') addInPlay(ticket.agentId, ticket.stake)
    auditTicket(state, ticket, check)
  }
  for (const contest of state.contests.values()) {
    const isInPlay = contest.status === 'open' || contest.status === 'live'
    if (isInPlay) for (const { agentId } of contest.entries) addInPlay(agentId, contest.stake)
    else rake += potOf(contest) - paidOut(contest)
    auditContest(state, contest, check)
  }
  for (const agent of state.agents.values()) auditAgent(agent, inPlay.get(agent.agentId) ?? 0n, check)

  auditBalances(state, check)
  check(rake === state.rake, () => `rake ${state.rake} is not what settled contests kept: ${rake}`)
  const counted = [state.agents.size, state.tickets.size, state.contests.size].join()
  const { counters } = state
  check(
    counted === [counters.agent, counters.ticket, counters.contest].join(),
    () => `agents, tickets, contests ${counted} are not as counted`,
  )
  auditIndex(state, check)
  return problems
}

/**
 * The part of the audit that what has ended has no part in, so that it costs the same however much is
 * stored: for after every command of a long simulation.
 */
export function auditInPlay(state: ContestsState): string[] {
  const problems: string[] = []
  const check: Check = (holds, problem) => {
    if (!holds) problems.push(problem())
  }
  const { queued, open, live, members } = state.index
  for (const ticket of queued.keys()) auditTicket(state, ticket, check)
  for (const contests of [open, live]) for (const contest of contests) auditContest(state, contest, check)
  for (const { agentId, seq, inPlay } of state.agents.values()) {
    const own = members[seq - 1]
    const stakes = own === undefined ? [] : [...own.tickets, ...own.contests].map(({ stake }) => stake)
    check(inPlay === sum(stakes), () => `agent ${agentId} has ${inPlay} in play, its tickets and seats ${sum(stakes)}`)
  }
  auditBalances(state, check)
  return problems
}

/** Conservation, for every mint: wallets + stakes in play + rake + DEX = minted; and of lamports and points. */
function auditBalances(state: ContestsState, check: Check): void {
  const held = new Map(state.dex)
  addTo(held, USDC_MINT, state.rake)
  let lamports = state.burntLamports
  let points = 0
  for (const agent of state.agents.values()) {
    const { agentId, wallet, inPlay, tokens, gasLamports } = agent
    check(
      wallet >= 0n && inPlay >= 0n && gasLamports >= 0n,
      () => `agent ${agentId} has ${wallet} USDC, ${inPlay} in play, ${gasLamports} lamports`,
    )
    addTo(held, USDC_MINT, wallet + inPlay)
    for (const [mint, units] of tokens) {
      check(units > 0n, () => `agent ${agentId} has ${units} of ${mint}`)
      addTo(held, mint, units)
    }
    lamports += gasLamports
    points += agent.points - START_POINTS
  }
  for (const [mint, units] of state.dex) check(units > 0n, () => `the DEX has ${units} of ${mint}`)
  for (const mint of new Set([...held.keys(), ...state.minted.keys()])) {
    const [total, minted] = [held.get(mint) ?? 0n, state.minted.get(mint) ?? 0n]
    check(total === minted, () => `of ${mint}, ${total} are held and ${minted} were minted`)
  }
  check(lamports === state.mintedLamports, () => `of lamports, ${lamports} are held or burnt and ${state.mintedLamports} were minted`)
  check(points === 0, () => `ladder points gained and lost come to ${points}`)
}

function auditTicket({ contests, now }: ContestsState, { ticketId, agentId, status, contestId, expiresAt }: Ticket, check: Check): void {
  const isSeated = contestId !== null && contests.get(contestId)?.entries.some((entry) => entry.agentId === agentId) === true
  check((status === 'matched') === isSeated, () => `ticket ${ticketId} is ${status}, seated: ${isSeated}`)
  check(status !== 'queued' || expiresAt > now, () => `ticket ${ticketId} is queued past its time`)
}

function auditContest({ now }: ContestsState, contest: Contest, check: Check): void {
  const { contestId, status, format, stake, capacity, entries, startsAt, endsAt, play, dueAt, endedAt, cancelReason } = contest
  const name = `contest ${contestId}, ${status},`
  check(entries.length >= 1 && entries.length <= capacity, () => `${name} has ${entries.length} seats of ${capacity}`)
  check(new Set(entries.map(({ agentId }) => agentId)).size === entries.length, () => `${name} seats an agent twice`)
  const sides = entries.flatMap(({ side }) => (side === null ? [] : [side]))
  check(format === 'lobby' || new Set(sides).size === sides.length, () => `${name} gave a side twice`)
  const isInPlay = status === 'open' || status === 'live'
  check(isInPlay === (dueAt !== null && dueAt > now), () => `${name} is due at ${dueAt}`)
  check(isInPlay === (endedAt === null), () => `${name} ended at ${endedAt}`)
  check((status === 'cancelled') === (cancelReason !== null), () => `${name} has the reason ${cancelReason}`)
  check(
    (startsAt !== null && endsAt !== null && play !== null) === (status === 'live' || status === 'settled' || cancelReason === 'no_price'),
    () => `${name} started at ${startsAt}`,
  )
  check(
    entries.every(({ result }) => (result !== null) === (status === 'settled')),
    () => `${name} has results ${entries.map(({ result }) => result).join()}`,
  )
  check(
    entries.every(({ payout }) => payout >= 0n) && paidOut(contest) <= potOf(contest),
    () => `${name} paid ${paidOut(contest)} of ${potOf(contest)}`,
  )
  check(status !== 'cancelled' || entries.every(({ payout }) => payout === stake), () => `${name} kept a stake`)
}

function auditAgent({ agentId, inPlay, day, dayProfit, history, tallies, rated }: Agent, expectedInPlay: Usdc, check: Check): void {
  const name = `agent ${agentId}`
  check(inPlay === expectedInPlay, () => `${name} has ${inPlay} in play, its tickets and seats ${expectedInPlay}`)
  const ofDay = sum(history.filter(({ settledAt }) => dayOf(settledAt) === day).map(({ payout, stake }) => payout - stake))
  check(dayProfit === ofDay, () => `${name} has a day's profit of ${dayProfit}, by its history ${ofDay}`)
  check(rated === history.filter(({ rpDelta }) => rpDelta !== null).length, () => `${name} counts ${rated} rated contests`)
  for (const [versus, tally] of Object.entries(tallies)) {
    const items = history.filter((item) => item.versus === versus)
    const counts = tally.won + tally.lost + tally.drawn + tally.refunded
    check(
      tally.settled === items.length && counts === items.length,
      () => `${name} counts ${tally.settled} results against ${versus}, by its history ${items.length}`,
    )
    check(
      tally.staked === sum(items.map(({ stake }) => stake)),
      () => `${name} staked ${tally.staked} against ${versus}, not as its history`,
    )
    check(
      tally.payout === sum(items.map(({ payout }) => payout)),
      () => `${name} was paid ${tally.payout} against ${versus}, not as its history`,
    )
  }
}

const potOf = ({ stake, entries }: Contest): Usdc => stake * BigInt(entries.length)

const paidOut = ({ entries }: Contest): Usdc => sum(entries.map(({ payout }) => payout))

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
