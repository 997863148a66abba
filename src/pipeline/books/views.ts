import { type ExtraPaths, idOf } from '../../contract/paths.ts'
import type { Contest } from '../../contract/records.ts'
import { readOnly } from '../../core/readOnly.ts'
import { formatUsdc } from '../../core/usdc.ts'
import type { BotView, ContestView, OpenContestView, StatsView, TicketView } from '../../strategy/view.ts'
import { type Books, profitOf, type Seat, type WaitingTicket } from './books.ts'

// The books as strategies are shown them, and what others opened as the bot is shown it. All of it is read-only: the guard reads the
// same records.

/** By the terms they were made of, which change with every settlement: the rest of the stats changes with nothing else. */
const statsShown = new WeakMap<Books['byTerms'], Pick<Books, 'byMode' | 'staked'> & { readonly stats: StatsView }>()

export function statsOf(books: Books): StatsView {
  const { byMode, byTerms, staked } = books
  const shown = statsShown.get(byTerms)
  if (shown?.byMode === byMode && shown.staked === staked) return shown.stats
  const stats = readOnly(statsMadeOf(books))
  statsShown.set(byTerms, { byMode, staked, stats })
  return stats
}

function statsMadeOf(books: Books): StatsView {
  let settled = 0
  const byMode: Record<string, StatsView['byMode'][string]> = {}
  for (const [mode, tally] of books.byMode) {
    const { WIN, LOSS, DRAW, REFUND } = tally.results
    settled += WIN + LOSS + DRAW + REFUND
    byMode[mode] = { ...tally.results, profit: tally.profit }
  }
  return { settled, profit: profitOf(books.byMode), staked: books.staked, byMode, byTerms: [...books.byTerms.values()] }
}

/** What strategies are shown that is not in the books. */
export interface Beside {
  readonly modes: BotView['modes']
  readonly entering: BotView['entering']
  /** Whether a swap of the contest was executed, or may be. */
  hasSwapped(contestId: string): boolean
}

/** What strategies are shown. */
export function viewOf(books: Books, { modes, entering, hasSwapped }: Beside): BotView {
  const contests = [...books.seats.values()].map(contestViewOf)
  return readOnly({
    limits: books.limits?.value,
    bankroll: books.bankroll?.value,
    tickets: [...books.tickets.values()].map(ticketViewOf),
    entering,
    contests,
    swappedIn: contests.map(({ contestId }) => contestId).filter(hasSwapped),
    openContests: (books.openContests?.value ?? []).filter(({ contestId }) => !books.seats.has(contestId)),
    stats: statsOf(books),
    modes,
  })
}

const ticketViewOf = (ticket: WaitingTicket): TicketView => ({ ...ticket, mode: ticket.mode ?? 'unknown', stake: ticket.stake ?? 0n })

export const contestViewOf = (seat: Seat): ContestView =>
  readOnly({
    contestId: seat.contestId,
    mode: seat.mode ?? 'unknown',
    phase: seat.phase,
    stake: seat.stake ?? 0n,
    side: seat.side,
    token: seat.token,
    startsAt: seat.startsAt,
    endsAt: seat.endsAt,
    capacity: seat.capacity,
    filled: seat.filled,
    standings: seat.standings,
  })

/** A contest others opened, as it was last listed; undefined where this bot has a seat already, since it can take one only once. */
export function joinableOf(books: Books, contestId: string): OpenContestView | undefined {
  return books.seats.has(contestId) ? undefined : books.openContests?.value.find((contest) => contest.contestId === contestId)
}

/** A contest of a list as a strategy is shown it; undefined when the service leaves out what joining needs. */
export function openContestOf(contest: Contest, paths?: ExtraPaths): OpenContestView | undefined {
  const contestId = idOf(contest, 'contestId', paths)
  const { mode, stake, entries } = contest
  if (contestId === undefined || mode === undefined || stake === undefined) return undefined
  const filled = contest.filled ?? entries?.length ?? 0
  const capacity = contest.capacity ?? 2
  const format = contest.format ?? 'duel'
  const sides = (entries ?? []).flatMap((entry) => (typeof entry.side === 'string' ? [entry.side] : []))
  return {
    contestId,
    mode,
    format,
    chain: contest.chain,
    opponents: opponentsIn(contest, { isFilledByOneMore: capacity - filled <= 1 }),
    stake,
    durationSec: contest.durationSec ?? 0,
    capacity,
    filled,
    token: tokenOfParams(contest.params),
    sidesTaken: format === 'duel' ? sides : [],
    joinBy: typeof contest.joinBy === 'string' ? Date.parse(contest.joinBy) : undefined,
  }
}

/**
 * Whom the bot would play: who sits there and, while more than its own seat is free, whom the contest is open to. That is its lane, in
 * the words of results; where nobody says who sits there, the lane is all that is known.
 */
function opponentsIn({ lane, entries = [] }: Contest, { isFilledByOneMore }: { readonly isFilledByOneMore: boolean }): string | undefined {
  const seated = entries.map(({ kind }) => kind ?? lane)
  const others = isFilledByOneMore && seated.length > 0 ? seated : [...seated, lane]
  if (others.includes(undefined)) return undefined
  const [first, ...rest] = new Set(others)
  return rest.length > 0 || first === 'MIXED' ? 'ANY' : first
}

function tokenOfParams(params: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return typeof params?.token === 'string' ? params.token : undefined
}

/** Text of the total stake in open tickets and seats. */
export function atStakeText({ seats, tickets }: Pick<Books, 'seats' | 'tickets'>): string {
  const open = [...seats.values(), ...tickets.values()]
  const staked = open.reduce((sum, { stake = 0n }) => sum + stake, 0n)
  return open.length === 0 ? 'Nothing is at stake' : `${formatUsdc(staked)} USDC are at stake (open entries: ${open.length})`
}
