import { type SoloSeat, soloScore } from '../../contests/index.ts'
import { isPlayedBy } from '../../contract/modes.ts'
import { type Mint, symbolOf, USDC_MINT } from '../../core/tokens.ts'
import type { PriceHistory, PriceSnapshot, Seat } from '../../pipeline/index.ts'
import type { Fill } from '../../strategy/view.ts'
import { Ring } from './ring.ts'
import { placeOf } from './scores.ts'
import { thin } from './thinned.ts'
import type { ContestRow, ContestView, EventRow, MoveRow, PricePoint, PriceSeriesView, ScoreRow, VerdictRow } from './views.ts'

const MOST_EVENTS = 50
const MOST_MOVES = 100
const MOST_TOKENS = 6
const LIVE_POINTS = 1000
/** Of a contest that is over: it is kept, while what the feed remembers goes on. */
const KEPT_POINTS = 300
const LEAD_MS = 60_000
/** Of a contest with more no score is worked out. */
const MOST_FILLS = 1000

/** What is remembered of one contest. */
export class ContestRecord {
  row: ContestRow
  #scores: readonly ScoreRow[] = []
  readonly #events = new Ring<EventRow>(MOST_EVENTS)
  readonly #moves = new Ring<MoveRow>(MOST_MOVES)
  readonly #verdicts = new Ring<VerdictRow>(MOST_MOVES)
  readonly #mints = new Set<Mint>()
  readonly #fills: SoloSeat['fills'][number][] = []
  #seats: Pick<Seat, 'capacity' | 'filled'> | undefined
  /** Of each token the price at the start, or the first one known: a contest may last longer than the feed remembers. */
  readonly #startPrices = new Map<Mint, string>()
  #kept: ContestView['prices'] | undefined

  constructor(contestId: string) {
    this.row = {
      ...{
        contestId,
        phase: 'open',
        mode: undefined,
        strategy: undefined,
        stake: undefined,
        token: undefined,
        side: undefined,
        startsAt: undefined,
      },
      ...{ endsAt: undefined, settledAt: undefined, versus: undefined, result: undefined, profit: undefined },
    }
  }

  get isOver(): boolean {
    return this.row.phase === 'settled' || this.row.phase === 'cancelled'
  }

  update(fields: Partial<ContestRow>): void {
    if (fields.startsAt !== undefined && fields.startsAt !== this.row.startsAt) this.#startPrices.clear()
    this.row = { ...this.row, ...fields }
    if (this.row.token !== undefined) this.concern(this.row.token)
  }

  /** A token matters to it: its prices are shown. */
  concern(mint: Mint): void {
    if (mint !== USDC_MINT && this.#mints.size < MOST_TOKENS) this.#mints.add(mint)
  }

  setScores(scores: readonly ScoreRow[]): void {
    this.#scores = scores
  }

  setSeats(seats: Pick<Seat, 'capacity' | 'filled'>): void {
    this.#seats = seats
  }

  filled({ at, from, to, given, received }: Fill): void {
    if (this.#fills.length > MOST_FILLS) return
    const changes = [
      { mint: from, delta: -given },
      { mint: to, delta: received },
    ]
    this.#fills.push({ at, changes })
  }

  event(event: EventRow): void {
    this.#events.push(event)
  }

  move(move: MoveRow): void {
    if (move.mint !== undefined) this.concern(move.mint)
    this.#moves.push(move)
  }

  verdict(verdict: VerdictRow): void {
    this.#verdicts.push(verdict)
  }

  /** Once it has begun, and as often as one likes: keeps the prices of the start while the feed still has them. */
  keepStart({ book, tick, now }: Feed): void {
    const { startsAt } = this.row
    if (startsAt === undefined || now < startsAt || tick === 0 || this.#startPrices.size === this.#mints.size) return
    const snapshot = book.asOf(tick, now)
    for (const mint of this.#mints) {
      if (this.#startPrices.has(mint)) continue
      const price = startPriceOf(pointsSince(snapshot, mint, { startsAt, now }), startsAt)
      if (price !== undefined) this.#startPrices.set(mint, price)
    }
  }

  /** The contest is over: its prices are kept as they are now. */
  close(feed: Feed): void {
    this.keepStart(feed)
    this.#kept = this.#pricesNow(feed, KEPT_POINTS)
  }

  /** @param fills how many swaps of it the books have: of an earlier run this one may know too few to score them */
  view(bot: string, feed: Feed, fills: number): ContestView {
    const scores = this.#scoresNow(bot, feed, fills)
    return {
      bot,
      row: this.row,
      prices: this.#kept ?? this.#pricesNow(feed, LIVE_POINTS),
      moves: this.#moves.items,
      verdicts: this.#verdicts.items,
      scores,
      place: isPlayedBy(this.row.mode, 'sealedPrice') ? undefined : placeOf(scores),
      capacity: this.#seats?.capacity,
      filled: this.#seats?.filled,
      events: this.#events.items,
    }
  }

  /** What the service tells, and of a live contest the bot's own score by its own prices where it does not. */
  #scoresNow(bot: string, feed: Feed, fills: number): readonly ScoreRow[] {
    const own = this.#scores.find(({ isOwn }) => isOwn)
    if (this.row.phase !== 'live' || own?.score !== undefined || this.#fills.length !== fills) return this.#scores
    const score = this.#ownScore(feed)
    if (score === undefined) return this.#scores
    const others = this.#scores.filter((row) => row !== own)
    return [{ isOwn: true, who: bot, score, isEstimate: true }, ...others]
  }

  #ownScore({ book, tick, now }: Feed): string | undefined {
    const { mode, token, side, startsAt, endsAt } = this.row
    if (startsAt === undefined || endsAt === undefined || tick === 0) return undefined
    const seat: SoloSeat = {
      ...{ mode, token, side, startsAt, endsAt, fills: this.#fills },
      picks: this.#moves.items.flatMap(({ kind, mint }) => (kind === 'pick' && mint !== undefined ? [mint] : [])),
      priceAtStart: (mint) => this.#startPrices.get(mint),
      price: (mint) => book.latestText(mint, tick)?.price,
    }
    return soloScore(seat, now)
  }

  #pricesNow({ book, tick, now }: Feed, most: number): ContestView['prices'] {
    const { startsAt, endsAt } = this.row
    if (startsAt === undefined || tick === 0) return {}
    const snapshot = book.asOf(tick, now)
    const until = endsAt ?? now
    const seriesOf = (mint: Mint): PriceSeriesView => {
      const points = pointsSince(snapshot, mint, { startsAt, now }).filter(({ at }) => at <= until)
      const startPrice = this.#startPrices.get(mint) ?? startPriceOf(points, startsAt)
      return { symbol: symbolOf(mint), startPrice, points: thin(points, most) }
    }
    return Object.fromEntries([...this.#mints].map((mint) => [mint, seriesOf(mint)]))
  }
}

function pointsSince(snapshot: PriceSnapshot, mint: Mint, { startsAt, now }: { startsAt: number; now: number }): readonly PricePoint[] {
  return snapshot.history(mint, (now - startsAt + LEAD_MS) / 1000).map(({ at, price }) => ({ at, price: String(price) }))
}

const startPriceOf = (points: readonly PricePoint[], startsAt: number): string | undefined =>
  (points.findLast(({ at }) => at <= startsAt) ?? points[0])?.price

/** The price feed as of now. */
export interface Feed {
  readonly book: PriceHistory
  readonly tick: number
  readonly now: number
}
