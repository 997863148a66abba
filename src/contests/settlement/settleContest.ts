import type { Lane } from '../../contract/enums.ts'
import { microText } from '../../core/usdc.ts'
import type { PlayedContest } from '../modes/contestMode.ts'
import { modeOf } from '../modes/index.ts'
import { bookProfit, endStake } from '../money/accounts.ts'
import { givenScore } from '../play/givenScore.ts'
import { rationalText } from '../rational.ts'
import { type Agent, type HistoryItem, seatedIn } from '../state/state.ts'
import { emit, type Turn } from '../turn.ts'
import type { Contest, Entry, ModeParams } from '../types.ts'
import { endContest } from './endContest.ts'
import { ratePair } from './ladder.ts'
import { payoutsOf } from './payouts.ts'
import { standingsOf } from './standings.ts'

const WINNER_TAKES_ALL = [1]

/** Ends a decided contest: scores, pays, rates, records, and tells every seat. */
export function settleContest(turn: Turn, contest: PlayedContest<ModeParams, unknown>): void {
  const { state } = turn
  const { entries, stake, params } = contest
  const mode = modeOf(contest)
  const scores = mode.scores(contest).map((score, seat) => givenScore(entries[seat]?.given) ?? score)
  const { outcomes, rake } = payoutsOf({
    standings: standingsOf(entries, scores),
    winner: mode.winner,
    stake,
    rakeBps: state.rakeBps,
    shares: params.payouts ?? WINNER_TAKES_ALL,
  })
  state.rake += rake
  entries.forEach((entry, seat) => {
    const score = scores[seat] ?? null
    entry.score = score === null ? null : rationalText(score)
    entry.result = outcomes[seat]?.result ?? null
    entry.payout = outcomes[seat]?.payout ?? 0n
  })
  const agents = seatedIn(state, contest)
  endContest(state, contest, agents, 'settled')
  const gained = rate(contest, agents)
  agents.forEach((agent, seat) => {
    const entry = entries[seat]
    if (entry !== undefined) recordResult(turn, contest, { agent, entry, versus: versusOf(agents, agent), rpDelta: gained?.[seat] ?? null })
  })
}

/** Points gained by seat, in a rated duel that was decided. */
function rate({ rated, entries }: Contest, [first, second]: readonly Agent[]): readonly number[] | null {
  const result = entries[0]?.result ?? null
  if (!rated || result === null || first === undefined || second === undefined) return null
  const gained = ratePair(first, second, result)
  return gained === null ? null : [gained.first, gained.second]
}

/** Whom an agent played: the kinds of all the others. */
function versusOf(agents: readonly Agent[], agent: Agent): Lane {
  let versus: Lane | undefined
  for (const other of agents) {
    if (other === agent) continue
    if (versus !== undefined && versus !== other.kind) return 'MIXED'
    versus = other.kind
  }
  return versus ?? 'MIXED'
}

interface Recorded {
  readonly agent: Agent
  readonly entry: Entry
  readonly versus: Lane
  readonly rpDelta: number | null
}

function recordResult(turn: Turn, contest: Contest, { agent, entry, versus, rpDelta }: Recorded): void {
  const { result, payout } = entry
  if (result === null) return
  const { now } = turn.state
  const { contestId, mode, stake } = contest
  const profit = payout - stake
  const rpAfter = rpDelta === null ? null : agent.points
  endStake(agent, stake, payout)
  bookProfit(agent, profit, now)
  const item: HistoryItem = { contestId, mode, result, stake, payout, versus, rpDelta, rpAfter, settledAt: now }
  agent.history.push(item)
  const tally = agent.tallies[versus]
  tally.settled += 1
  tally.staked += stake
  tally.payout += payout
  tally[TALLIED[result]] += 1
  emit(turn, agent.agentId, {
    type: 'contest.settled',
    data: {
      contestId,
      mode,
      result,
      stake: microText(stake),
      payout: microText(payout),
      profit: microText(profit),
      versus,
      rpDelta,
      rpAfter,
    },
  })
}

const TALLIED = { WIN: 'won', LOSS: 'lost', DRAW: 'drawn', REFUND: 'refunded' } as const
