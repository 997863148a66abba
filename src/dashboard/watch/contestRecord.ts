import { type Mint, symbolOf, USDC_MINT } from '../../core/tokens.ts'
import type { PriceHistory } from '../../pipeline/index.ts'
import { Ring } from './ring.ts'
import { thin } from './thinned.ts'
import type { ContestRow, ContestView, EventRow, MoveRow, PriceSeriesView, ScoreRow, VerdictRow } from './views.ts'

const MOST_EVENTS = 50
const MOST_MOVES = 100
const MOST_TOKENS = 6
const LIVE_POINTS = 1000
/** Of a contest that is over: it is kept, while what the feed remembers goes on. */
const KEPT_POINTS = 300
const LEAD_MS = 60_000

/** What is remembered of one contest. */
export class ContestRecord {
  row: ContestRow
  #scores: readonly ScoreRow[] = []
  readonly #events = new Ring<EventRow>(MOST_EVENTS)
  readonly #moves = new Ring<MoveRow>(MOST_MOVES)
  readonly #verdicts = new Ring<VerdictRow>(MOST_MOVES)
  readonly #mints = new Set<Mint>()
  #kept: ContestView['prices'] | undefined

  constructor(contestId: string) {
    this.row = {
      ...{ contestId, phase: 'open', mode: undefined, stake: undefined, token: undefined, side: undefined, startsAt: undefined },
      ...{ endsAt: undefined, settledAt: undefined, versus: undefined, result: undefined, profit: undefined },
    }
  }

  get isOver(): boolean {
    return this.row.phase === 'settled' || this.row.phase === 'cancelled'
  }

  update(fields: Partial<ContestRow>): void {
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

  /** The contest is over: its prices are kept as they are now. */
  close(book: PriceHistory, tick: number, now: number): void {
    this.#kept = this.#pricesNow({ book, tick, now }, KEPT_POINTS)
  }

  view(bot: string, feed: Feed): ContestView {
    return {
      bot,
      row: this.row,
      prices: this.#kept ?? this.#pricesNow(feed, LIVE_POINTS),
      moves: this.#moves.items,
      verdicts: this.#verdicts.items,
      scores: this.#scores,
      events: this.#events.items,
    }
  }

  #pricesNow({ book, tick, now }: Feed, most: number): ContestView['prices'] {
    const { startsAt, endsAt } = this.row
    if (startsAt === undefined || tick === 0) return {}
    const snapshot = book.asOf(tick, now)
    const until = endsAt ?? now
    const seriesOf = (mint: Mint): PriceSeriesView => {
      const points = snapshot
        .history(mint, (now - startsAt + LEAD_MS) / 1000)
        .filter(({ at }) => at <= until)
        .map(({ at, price }) => ({ at, price: String(price) }))
      return { symbol: symbolOf(mint), points: thin(points, most) }
    }
    return Object.fromEntries([...this.#mints].map((mint) => [mint, seriesOf(mint)]))
  }
}

/** The price feed as of now. */
export interface Feed {
  readonly book: PriceHistory
  readonly tick: number
  readonly now: number
}
