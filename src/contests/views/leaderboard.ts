import { DAY_MS } from '../../core/day.ts'
import { START_POINTS } from '../settlement/ladder.ts'
import type { Agent, ContestsState } from '../state/state.ts'
import { isoOf } from '../turn.ts'
import { type Answer, answer, badChoice, badCursor, DEFAULT_LIMIT, isOneOf, type Page } from './page.ts'

export interface LeaderboardQuery {
  /** `rank` by default, or `profit`. Any other is refused. */
  readonly metric?: string | undefined
  /** `all` by default, or `7d`. Any other is refused. */
  readonly period?: string | undefined
  /** How many agents to pass over. */
  readonly cursor?: number | null | undefined
  /** Default 20. */
  readonly limit?: number | undefined
  /** Unix milliseconds the seven days count back from. */
  readonly now: number
}

export type LeaderboardRecord = ReturnType<typeof boardRecord>

export interface LeaderboardPage extends Page<LeaderboardRecord> {
  readonly computedAt: string
  /** The asking agent's own line; null when it is not on the board. */
  readonly me: LeaderboardRecord | null
}

/** What an agent did in the period. */
interface Standing {
  readonly agent: Agent
  readonly settled: number
  readonly rated: number
  readonly pointsGained: number
  readonly profit: bigint
}

type Placed = Standing & { readonly rank: number }

const METRICS = ['rank', 'profit'] as const
const PERIODS = ['all', '7d'] as const
const WEEK_MS = 7 * DAY_MS

/**
 * Agents, as opposed to humans, by ladder points gained or by profit made in the period. On the board
 * is who played in it: rated contests for `rank`, any for `profit`. Equal ones share a place and stand
 * in order of creation.
 */
export function leaderboardPage(state: ContestsState, agentId: string, query: LeaderboardQuery): Answer<LeaderboardPage> {
  const { metric = 'rank', period = 'all', limit = DEFAULT_LIMIT, now } = query
  if (!isOneOf(METRICS, metric)) return badChoice('metric', metric, METRICS)
  if (!isOneOf(PERIODS, period)) return badChoice('period', period, PERIODS)
  const offset = query.cursor ?? 0
  const board = boardOf(state, metric, period === '7d' ? now - WEEK_MS : null)
  if (offset < 0 || (offset > 0 && offset >= board.length)) return badCursor(offset)
  const end = offset + limit
  const own = board.find(({ agent }) => agent.agentId === agentId)
  return answer({
    items: board.slice(offset, end).map(boardRecord),
    nextCursor: end < board.length ? end : null,
    computedAt: isoOf(now),
    me: own === undefined ? null : boardRecord(own),
  })
}

function boardOf({ agents }: ContestsState, metric: (typeof METRICS)[number], since: number | null): Placed[] {
  const standings = [...agents.values()]
    .filter(({ kind }) => kind === 'AGENT')
    .map((agent) => (since === null ? standingEver(agent) : standingSince(agent, since)))
    .filter(({ settled, rated }) => (metric === 'rank' ? rated : settled) > 0)
  const isAhead = (a: Standing, b: Standing) => (metric === 'rank' ? a.pointsGained > b.pointsGained : a.profit > b.profit)
  standings.sort((a, b) => (isAhead(a, b) ? -1 : isAhead(b, a) ? 1 : a.agent.seq - b.agent.seq))
  let rank = 0
  return standings.map((standing, place) => {
    const previous = standings[place - 1]
    if (previous === undefined || isAhead(previous, standing)) rank = place + 1
    return { ...standing, rank }
  })
}

function standingEver(agent: Agent): Standing {
  const tallies = Object.values(agent.tallies)
  const settled = tallies.reduce((total, tally) => total + tally.settled, 0)
  const profit = tallies.reduce((total, tally) => total + tally.payout - tally.staked, 0n)
  return { agent, settled, rated: agent.rated, pointsGained: agent.points - START_POINTS, profit }
}

function standingSince(agent: Agent, since: number): Standing {
  let standing: Standing = { agent, settled: 0, rated: 0, pointsGained: 0, profit: 0n }
  for (let position = agent.history.length - 1; position >= 0; position--) {
    const item = agent.history[position]
    if (item === undefined || item.settledAt < since) break
    standing = {
      agent,
      settled: standing.settled + 1,
      rated: standing.rated + (item.rpDelta === null ? 0 : 1),
      pointsGained: standing.pointsGained + (item.rpDelta ?? 0),
      profit: standing.profit + item.payout - item.stake,
    }
  }
  return standing
}

function boardRecord({ rank, agent, settled, pointsGained, profit }: Placed) {
  const { agentId, handle, points } = agent
  return { rank, userId: agentId, handle, points, pointsGained, settled, profit: profit.toString() }
}
