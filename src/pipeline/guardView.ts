import { isTradingMode, traitsOf } from '../contract/modes.ts'
import type { Price } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import type { Usdc } from '../core/usdc.ts'
import {
  type AgedPrice,
  type GuardLedger,
  type GuardView,
  identityOf,
  type OwnSeat,
  type Playable,
  type Reservations,
  type TradedContest,
} from '../guard/index.ts'
import type { GuardConfig } from '../strategy/guardConfig.ts'
import type { Attribution } from './books/attribution.ts'
import { type Books, inPlay, type Seat } from './books/books.ts'
import { joinableOf } from './books/views.ts'
import type { Results } from './money/results.ts'
import { type Modes, reasonOf } from './playable/modes.ts'
import { isPathUp, pathTrouble } from './playable/swapPath.ts'
import type { NewestPrices } from './prices/newestPrices.ts'
import type { EntryTerms } from './protocol/input.ts'
import type { Present } from './state/present.ts'
import { heldOf } from './swaps/portfolio.ts'
import type { Portfolios } from './swaps/portfolios.ts'
import type { ToldTokens } from './toldTokens.ts'

/** A list of open contests older than this is not joined from: its seats are likely gone. */
const LIST_MAX_AGE_MS = 15_000
const MINUTE_MS = 60_000

/** Whether a seat is asked for by side. */
export const isSided = (mode: string): boolean => (traitsOf(mode)?.sides.length ?? 0) > 0

/** What the guard asks of the swaps under way. */
export interface SwapCounts {
  readonly sentInMinute: number
  underWayIn(contestId: string): number
}

const noSwaps: SwapCounts = { sentInMinute: 0, underWayIn: () => 0 }

/** Where what the guard is shown is kept. */
export interface GuardSources {
  readonly present: Present
  readonly reservations: Reservations
  readonly ledger: GuardLedger
  readonly results: Results
  readonly portfolios: Portfolios
  readonly attribution: Attribution
  readonly modes: Modes
  readonly prices: NewestPrices
  readonly tokens: ToldTokens
}

/** Shows the guard how things stand, as of one input, to judge what `by` asks for. */
export type GuardSight = (by: string, swaps?: SwapCounts) => GuardView

/**
 * What the guard is shown of the books, as of one input.
 *
 * @param by who asks
 */
export const guardViewOf = (sources: GuardSources, by: string, swaps: SwapCounts = noSwaps): GuardView => new BooksView(sources, by, swaps)

/** Worked out where a rule asks: what a quote is judged by is a small part of what an entry is. */
class BooksView implements GuardView {
  readonly now: number
  readonly config: GuardConfig
  readonly reservations: Reservations
  readonly by: string
  readonly figuresHoldMs: number
  readonly #sources: GuardSources
  readonly #books: Books
  readonly #swaps: SwapCounts
  /** What was asked for last: the rules of a swap ask for the same again and again. */
  #priced: { readonly mint: Mint; readonly price: AgedPrice | undefined } | undefined
  #marked: { readonly pnl: Usdc | undefined } | undefined
  #traded: { readonly contestId: string; readonly contest: TradedContest | undefined } | undefined

  constructor(sources: GuardSources, by: string, swaps: SwapCounts) {
    const { present, reservations } = sources
    const { config, figuresHoldMs } = present.options
    this.now = present.now
    this.config = config.guard
    this.reservations = reservations
    this.by = by
    this.figuresHoldMs = figuresHoldMs
    this.#sources = sources
    this.#books = present.books
    this.#swaps = swaps
  }

  get runMode() {
    return this.#books.runMode
  }

  get stopped() {
    return this.#books.stopped
  }

  get caughtUp() {
    return this.#books.caughtUp
  }

  get swapLoss() {
    const openPnl = this.#openPnl()
    if (openPnl === undefined) return undefined
    return this.#sources.ledger.worstOfDay((startsAt) =>
      this.#sources.portfolios.loss(startsAt, { openPnl, priceOf: (mint) => this.#freshPrice(mint) }),
    )
  }

  get unpriced() {
    for (const { holdings } of this.#sources.portfolios.open.values())
      for (const mint of holdings.keys()) if (this.#freshPrice(mint) === undefined) return mint
    return undefined
  }

  get streak() {
    return this.#sources.ledger.streak
  }

  get drawdown() {
    const openPnl = this.#openPnl()
    const { peakProfit, profit } = this.#sources.results
    return peakProfit - profit + this.#books.doubted - (openPnl !== undefined && openPnl < 0n ? openPnl : 0n)
  }

  get wallet() {
    return this.#books.wallet
  }

  get gasLamports() {
    return this.#books.gasLamports
  }

  get swapsInMinute() {
    return this.#swaps.sentInMinute
  }

  unswapped(contestId?: string): number {
    const { portfolios } = this.#sources
    const isOwed = (mode: string | undefined) => mode !== undefined && isTradingMode(mode)
    let count = this.reservations.pendingEntriesOf(isOwed)
    for (const { mode } of this.#books.tickets.values()) if (isOwed(mode)) count += 1
    for (const seat of this.#books.seats.values()) {
      const { contestId: id, mode, endsAt } = seat
      const isOver = endsAt !== undefined && endsAt <= this.now
      if (id !== contestId && isOwed(mode) && !isOver && (portfolios.open.get(id)?.fills ?? 0) + this.#swaps.underWayIn(id) === 0)
        count += 1
    }
    return count
  }

  get pricesAgeMs() {
    const { at } = this.#sources.prices
    return at === undefined ? undefined : this.now - at
  }

  get limits() {
    return this.#books.limits
  }

  get available() {
    const { bankroll } = this.#books
    return bankroll === undefined ? undefined : { value: bankroll.value.available, begunAt: bankroll.begunAt }
  }

  get lostToday() {
    const { ledger } = this.#sources
    return ledger.lost() + ledger.unexplained
  }

  get inPlay() {
    const booked = inPlay(this.#books)
    const open = this.#sources.ledger.open()
    return booked === undefined || booked > open ? booked : open
  }

  get openContests() {
    return Math.max(this.#books.seats.size, this.#sources.ledger.openCount - this.openTickets)
  }

  get openTickets() {
    return this.#books.tickets.size
  }

  spentByMode(mode: string) {
    const { ledger } = this.#sources
    return ledger.lost({ mode }) + ledger.open({ mode })
  }

  spentByStrategy(strategy: string) {
    const { ledger } = this.#sources
    return ledger.lost({ by: strategy }) + ledger.open({ by: strategy })
  }
  get unexplained() {
    return this.#sources.ledger.unexplained
  }
  get clockGapMs() {
    return this.#sources.present.clockGapMs
  }
  get missingOnChain() {
    return this.#sources.ledger.missingOnChain
  }
  get smallestStake() {
    return this.#sources.ledger.smallestStake
  }
  get stakedInDay() {
    return this.#sources.ledger.stakedNet
  }
  get dayStartBankroll() {
    return this.#sources.ledger.dayStartBankroll
  }
  get entriesInMinute() {
    return this.#sources.ledger.entriesInMinute
  }

  price(mint: Mint) {
    if (this.#priced?.mint !== mint) this.#priced = { mint, price: agedPriceOf(this.#sources, mint) }
    return this.#priced.price
  }

  token(mint: Mint) {
    return this.#sources.tokens.of(mint)
  }

  traded(contestId: string) {
    if (this.#traded?.contestId !== contestId) this.#traded = { contestId, contest: tradedOf(this.#sources, contestId, this.#swaps) }
    return this.#traded.contest
  }

  get playable(): Playable | undefined {
    return this.#sources.modes.isKept ? playableOf(this.#sources, this.by) : undefined
  }

  joinable(contestId: string) {
    const listed = this.#books.openContests
    if (listed === undefined || this.now - listed.begunAt > LIST_MAX_AGE_MS) return undefined
    const contest = joinableOf(this.#books, contestId)
    return contest === undefined ? undefined : { ...contest, sided: isSided(contest.mode) }
  }

  seat(contestId: string) {
    const seat = this.#books.seats.get(contestId)
    return seat === undefined ? undefined : ownSeatOf(seat, { books: this.#books, reservations: this.reservations, now: this.now })
  }

  ticket(ticketId: string) {
    return this.#books.tickets.has(ticketId)
  }

  sibling(contest: Parameters<GuardView['sibling']>[0]) {
    const listed = 'contestId' in contest ? joinableOf(this.#books, contest.contestId) : undefined
    for (const { bot, contestId, ticket, making } of this.#books.siblings.values()) {
      if ('contestId' in contest) {
        if (contestId === contest.contestId || (listed !== undefined && areAlike(making, listed))) return bot
      } else if (areAlike(ticket, contest)) return bot
    }
    return undefined
  }

  /** At prices that are fresh enough to judge by. */
  #openPnl(): Usdc | undefined {
    this.#marked ??= { pnl: this.#sources.portfolios.openPnl((mint) => this.#freshPrice(mint)) }
    return this.#marked.pnl
  }

  #freshPrice(mint: Mint): Price | undefined {
    const known = this.price(mint)
    return known !== undefined && known.ageMs <= this.config.maxPriceAgeMs ? known.price : undefined
  }
}

/** A duration that the service does not say may be any. */
const areAlike = (a: EntryTerms | undefined, b: EntryTerms): boolean =>
  a?.mode === b.mode && a.stake === b.stake && (a.durationSec === b.durationSec || b.durationSec === 0)

function agedPriceOf({ present, prices }: GuardSources, mint: Mint): AgedPrice | undefined {
  const known = present.options.book.latestText(mint, prices.tick)
  return known === undefined ? undefined : { price: known.price, ageMs: Math.max(0, present.now - known.at) }
}

/** @param by who asks: a trial is the framework's alone, and all that it enters */
function playableOf({ present: { books, now }, modes }: GuardSources, by: string): Playable {
  return {
    unreadable: (mode) => modes.unreadable(mode),
    trialOut: (mode) => modes.trialOut(mode),
    unplayedBy: (mode) => modes.unplayedBy(mode),
    get path() {
      const path = modes.path()
      if (path === undefined) return undefined
      const { failedInRow, okAt } = path
      const { part, reason } = pathTrouble(path) ?? path
      return { isUp: isPathUp(path, now), failedInRow, part, reason, okAgoMs: okAt === undefined ? undefined : now - okAt }
    },
    get swapBudget() {
      const budget = modes.swapBudget()
      return budget === undefined ? undefined : { ...budget, contests: swapContests(books, now) }
    },
    closed: (mode) => {
      const closed = modes.closed(mode)
      if (closed === undefined) return undefined
      const { unplayed, stakes, at, trialAt, why } = closed
      if (by === 'framework' && trialAt !== undefined && trialAt <= now) return undefined
      return { unplayed, stakes, closedAt: at, trialAt, why: reasonOf(why) }
    },
  }
}

/** Contests and tickets of this bot and its siblings that are played by swaps, or whose mode nobody has said; and those of the last minute, whose swaps still count. */
function swapContests({ seats, tickets, siblings, realised }: Books, now: number): number {
  const isOfSwaps = (mode: string | undefined) => mode === undefined || isTradingMode(mode)
  let count = 0
  for (const seat of seats.values()) if (isOfSwaps(seat.mode)) count += 1
  for (const { mode } of tickets.values()) if (isOfSwaps(mode)) count += 1
  for (let newest = realised.length - 1; newest >= 0; newest--) {
    const { at, mode } = realised[newest] ?? { at: 0, mode: '' }
    if (at <= now - MINUTE_MS) break
    if (isTradingMode(mode)) count += 1
  }
  for (const { contestId, mode, ticket } of siblings.values())
    if ((contestId !== undefined || ticket !== undefined) && isOfSwaps(ticket?.mode ?? mode)) count += 1
  return count
}

/** A contest this bot has, or had, a seat in. */
function tradedOf(
  { present: { books, ended, now }, portfolios }: GuardSources,
  contestId: string,
  swaps: SwapCounts,
): TradedContest | undefined {
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
