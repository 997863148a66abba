import type { Contest } from '../../contests/index.ts'
import { countUpTo } from '../../core/countUpTo.ts'
import { type Mint, symbolOf, USDC_MINT } from '../../core/tokens.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { CompiledPrices } from '../../recording/tables.ts'
import type { Fill } from '../../strategy/view.ts'
import type { Ghost, OpponentClass, PlayedContest, PlayedMove, PriceLine } from '../result.ts'
import type { SimulatedService } from '../world/simulatedService.ts'
import type { Chronicle, Played } from './chronicle.ts'
import { movesOf } from './moves.ts'

/** What a chart of a contest needs. */
const MOST_POINTS = 120
const MOST_LINES = 12

export interface PlayedOptions {
  readonly chronicle: Chronicle
  readonly service: SimulatedService
  readonly prices: CompiledPrices
  /** Whether a report will draw them. */
  readonly withPrices: boolean
}

/** The contests that came to an end, in the order of their ends. */
export function playedContests({ chronicle, service, prices, withPrices }: PlayedOptions): PlayedContest[] {
  const played = [...chronicle.contests.values()].flatMap((known) => {
    const contest = service.state.contests.get(known.contestId)
    if (contest === undefined || known.ending === undefined) return []
    return playedContest(known, contest, service, withPrices ? prices : undefined)
  })
  return played.sort((a, b) => a.endedAt - b.endedAt || (a.contestId < b.contestId ? -1 : 1))
}

function playedContest(known: Played, contest: Contest, service: SimulatedService, prices: CompiledPrices | undefined): PlayedContest[] {
  const { contestId, enteredAt, ending } = known
  const { mode, stake, durationSec, startsAt, endsAt, entries } = contest
  const own = entries.find(({ agentId }) => agentId === service.agentId)
  if (own === undefined || ending === undefined) return []
  const settled = ending.type === 'contest.settled' ? ending.data : undefined
  return [
    {
      ...{ contestId, mode, stake, durationSec, enteredAt, startsAt, endsAt },
      get moves() {
        return movesOf(known)
      },
      opponents: (settled?.versus ?? 'AGENT') as OpponentClass,
      endedAt: contest.endedAt ?? ending.createdAt,
      result: settled?.result ?? null,
      payout: settled?.payout ?? stake,
      profit: settled?.profit ?? 0n,
      swapProfit: known.fills.reduce((sum, fill) => sum + cashOf(fill), 0n),
      score: own.score,
      others: entries.filter((entry) => entry !== own).map((entry) => ghostOf(entry.agentId, contest, service)),
      prices:
        prices === undefined
          ? []
          : priceLines([...known.tokens, ...tokensOf(contest)], { from: enteredAt, to: contest.endedAt ?? 0 }, prices),
    },
  ]
}

/** USDC that a swap brought, or cost. */
const cashOf = ({ from, to, given, received }: Fill): Usdc => (to === USDC_MINT ? received : 0n) - (from === USDC_MINT ? given : 0n)

function ghostOf(agentId: string, contest: Contest, service: SimulatedService): Ghost {
  const entry = contest.entries.find((seat) => seat.agentId === agentId)
  const recorded = service.replayed.get(contest.contestId)?.seats.get(agentId)
  const at = contest.startsAt ?? contest.createdAt
  const moves: PlayedMove[] = (recorded?.picks ?? []).map((mint) => ({ at, text: `pick ${symbolOf(mint)}` }))
  if (recorded?.predicted !== undefined) moves.push({ at, text: `predict ${recorded.predicted}` })
  return {
    kind: service.state.agents.get(agentId)?.kind ?? 'AGENT',
    source: recorded === undefined ? 'reference' : 'recorded',
    side: entry?.side ?? null,
    score: entry?.score ?? null,
    moves,
  }
}

/** Tokens that the contest itself is about. */
function tokensOf({ params }: Contest): Mint[] {
  const { token, pool } = params as { token?: unknown; pool?: unknown }
  return [token, ...(Array.isArray(pool) ? pool : [])].filter((mint): mint is Mint => typeof mint === 'string')
}

function priceLines(
  mints: readonly Mint[],
  { from, to }: { readonly from: number; readonly to: number },
  prices: CompiledPrices,
): PriceLine[] {
  const first = Math.max(1, countUpTo(prices.known, from))
  const last = countUpTo(prices.known, to)
  return [...new Set(mints)]
    .filter((mint) => mint !== USDC_MINT)
    .slice(0, MOST_LINES)
    .flatMap((mint) => {
      const column = prices.of(mint)
      if (column === undefined) return []
      const [begin, end] = [countUpTo(column.ticks, first - 1), countUpTo(column.ticks, last)]
      const step = Math.max(1, Math.ceil((end - begin) / MOST_POINTS))
      const points = []
      for (let row = begin; row < end; row += step)
        points.push([prices.known[(column.ticks[row] ?? 1) - 1] ?? 0, column.text(row)] as const)
      return [{ mint, points }]
    })
}
