import type { Usdc } from '../core/usdc.ts'
import { type GuardView, identityOf, type OwnSeat, type Reservations, type TradedContest } from '../guard/index.ts'
import type { Bot } from './bot.ts'
import { type Books, dayStart, type InPlay, inPlay, isActive, joinableOf, lostToday, type Realised, type Seat } from './state.ts'
import { heldOf } from './swaps/portfolio.ts'

/** A list of open contests older than this is not joined from: its seats are likely gone. */
const LIST_MAX_AGE_MS = 15_000
/** Modes in which a seat is asked for by side. */
const SIDED_MODES: ReadonlySet<string> = new Set(['up_down'])

export const isSided = (mode: string): boolean => SIDED_MODES.has(mode)

/** What the guard asks of the swaps under way. */
export interface SwapCounts {
  readonly sentInMinute: number
  underWayIn(contestId: string): number
}

const noSwaps: SwapCounts = { sentInMinute: 0, underWayIn: () => 0 }

/**
 * What the guard is shown of the books, as of one input.
 *
 * @param by who asks
 */
export function guardViewOf(bot: Bot, by: string, swaps: SwapCounts = noSwaps): GuardView {
  const { attribution, books, portfolios, reservations, now, tick } = bot
  const { book, config } = bot.options
  const seats = [...books.seats.values()].filter(isActive)
  const listed = books.openContests
  const prices = book.asOf(tick, now)
  const markAt = (mint: string) =>
    (prices.age(mint) ?? Number.POSITIVE_INFINITY) <= config.guard.maxPriceAgeMs ? prices.text(mint) : undefined
  const openPnl = portfolios.openPnl(markAt)
  return {
    now,
    config: config.guard,
    reservations,
    by,
    runMode: books.runMode,
    stopped: books.stopped,
    caughtUp: books.caughtUp,
    swapLoss: portfolios.loss(dayStart(books, now), openPnl),
    spentByMode: (mode) => spentBy(books, now, { settled: (item) => item.mode === mode, open: (item) => item.mode === mode }),
    spentByStrategy: (strategy) => {
      const isOf = (id: string) => attribution.of(id) === strategy
      return spentBy(books, now, { settled: ({ contestId }) => isOf(contestId), open: ({ id }) => isOf(id) })
    },
    streak: books.streak,
    drawdown: bot.peakProfit - bot.profit - (openPnl !== undefined && openPnl < 0n ? openPnl : 0n),
    wallet: books.wallet,
    gasLamports: books.gasLamports,
    swapsInMinute: swaps.sentInMinute,
    price: (mint) => {
      const [price, ageMs] = [prices.text(mint), prices.age(mint)]
      return price === undefined || ageMs === undefined ? undefined : { price, ageMs }
    },
    traded: (contestId) => tradedOf(bot, contestId, swaps),
    figuresHoldMs: bot.options.figuresHoldMs,
    limits: books.limits,
    available: books.bankroll === undefined ? undefined : { value: books.bankroll.value.available, begunAt: books.bankroll.begunAt },
    lostToday: lostToday(books, now),
    inPlay: inPlay(books),
    openContests: seats.length,
    openTickets: books.tickets.size,
    joinable: (contestId) => {
      if (listed === undefined || now - listed.begunAt > LIST_MAX_AGE_MS) return undefined
      const contest = joinableOf(books, contestId)
      return contest === undefined ? undefined : { ...contest, sided: isSided(contest.mode) }
    },
    seat: (contestId) => {
      const seat = books.seats.get(contestId)
      return seat === undefined ? undefined : ownSeatOf(seat, { books, reservations, now })
    },
    ticket: (ticketId) => books.tickets.has(ticketId),
    sibling: (contest) => {
      for (const entry of books.siblings.values()) {
        if ('contestId' in contest) {
          if (entry.contestId === contest.contestId) return entry.bot
        } else if (
          entry.ticket?.mode === contest.mode &&
          entry.ticket.stake === contest.stake &&
          entry.ticket.durationSec === contest.durationSec
        ) {
          return entry.bot
        }
      }
      return undefined
    },
  }
}

/** Lost today and in play, of what counts; a stake that is not known yet is refused elsewhere. */
function spentBy(books: Books, now: number, counts: { settled: (item: Realised) => boolean; open: (item: InPlay) => boolean }): Usdc {
  return lostToday(books, now, counts.settled) + (inPlay(books, counts.open) ?? 0n)
}

/** A contest this bot has, or had, a seat in. */
function tradedOf({ books, ended, now, portfolios }: Bot, contestId: string, swaps: SwapCounts): TradedContest | undefined {
  const seat = books.seats.get(contestId)
  const portfolio = portfolios.open.get(contestId)
  const isOver = ended.has(contestId)
  if (seat === undefined && !isOver) return undefined
  return {
    mode: seat?.mode ?? books.realised.find((item) => item.contestId === contestId)?.mode ?? 'unknown',
    phase: seat === undefined || isOver ? 'settled' : tradedPhaseOf(seat, now),
    token: seat?.token,
    held: (mint) => heldOf(portfolio, mint),
    swaps: (portfolio?.fills ?? 0) + swaps.underWayIn(contestId),
  }
}

/** A contest is called live before its window opens, and until it is settled: swaps count in the window alone. */
function tradedPhaseOf({ phase, startsAt, endsAt }: Seat, now: number): TradedContest['phase'] {
  if (phase !== 'live') return phase
  if (startsAt !== undefined && now < startsAt) return 'open'
  return endsAt !== undefined && endsAt <= now ? 'settled' : 'live'
}

/**
 * Whether a prediction of this bot can be revealed. One whose commitment is still without an answer
 * can: if it was taken, its stake is lost without a reveal; if it was not, the service says no.
 */
export function isRevealable(contestId: string, { books, reservations }: { books: Books; reservations: Reservations }): boolean {
  const status = books.custody.get(contestId)?.status
  const commit = identityOf({ type: 'commitPrediction', contestId, price: '' })
  return status === 'committed' || (status === 'made' && reservations.pendingTwin(commit) !== undefined)
}

function ownSeatOf(seat: Seat, view: { books: Books; reservations: Reservations; now: number }): OwnSeat {
  return {
    mode: seat.mode ?? 'unknown',
    phase: seat.phase,
    draftable: seat.turn?.available,
    commitOpen: seat.entryId !== undefined && seat.committed !== true && seat.commitBy !== undefined && view.now < seat.commitBy,
    revealable: isRevealable(seat.contestId, view),
  }
}
