import { DAY_MS, dayOf } from '../../core/day.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Fill } from '../../strategy/view.ts'
import { REMEMBERED_MS } from '../books/books.ts'
import type { PortfoliosFacts } from '../protocol/pastFacts.ts'
import { emptyPortfolio, type Portfolio, type PriceOf, pnlOf, withFill } from './portfolio.ts'

/**
 * What the bot's swaps have made, contest by contest. A contest that is over and holds nothing any more is closed:
 * only its sum is kept, so that weeks of trading cost a decision no more than an hour.
 */
export class Portfolios {
  readonly #open = new Map<string, Portfolio>()
  /** All that is open together: every decision of the guard asks what it is worth. */
  #total = emptyPortfolio('')
  /** What closed contests came to, by the UTC day they were closed in. */
  readonly #closed = new Map<number, Usdc>()
  #closedCash: Usdc = 0n
  /** What `closedSince` last gave, until another contest is closed. */
  #sinceThen: { readonly since: number; readonly sum: Usdc } | undefined

  constructor(facts?: PortfoliosFacts) {
    if (facts !== undefined) this.restore(facts)
  }

  /** Begins where an earlier run was. */
  restore({ open, closed, closedCash }: PortfoliosFacts): void {
    for (const { holdings, ...portfolio } of open) {
      const held = new Map(holdings.map(({ mint, units }) => [mint, units]))
      this.#open.set(portfolio.contestId, { ...portfolio, holdings: held })
      const total = new Map(this.#total.holdings)
      for (const [mint, units] of held) total.set(mint, (total.get(mint) ?? 0n) + units)
      this.#total = { ...this.#total, holdings: total, cash: this.#total.cash + portfolio.cash, fills: this.#total.fills + portfolio.fills }
    }
    for (const { day, cash } of closed) this.#closed.set(day, cash)
    this.#closedCash = closedCash
  }

  get facts(): PortfoliosFacts {
    return {
      open: [...this.#open.values()].map(({ holdings, ...portfolio }) => ({
        ...portfolio,
        holdings: [...holdings].map(([mint, units]) => ({ mint, units })),
      })),
      closed: [...this.#closed].map(([day, cash]) => ({ day, cash })),
      closedCash: this.#closedCash,
    }
  }

  get open(): ReadonlyMap<string, Portfolio> {
    return this.#open
  }

  /** What all swaps of closed contests have made or lost, over the life of the journal. */
  get closedCash(): Usdc {
    return this.#closedCash
  }

  fold(fill: Fill): void {
    const { contestId } = fill
    this.#open.set(contestId, withFill(this.#open.get(contestId) ?? emptyPortfolio(contestId), fill))
    this.#total = withFill(this.#total, fill)
  }

  /**
   * Closes a contest that is over, once nothing of it is left: at its end or, later, at its last swap.
   *
   * @returns what its swaps came to; undefined where there were none, or not all of it is sold
   */
  close(contestId: string, endedAt: number): Usdc | undefined {
    const portfolio = this.#open.get(contestId)
    if (portfolio === undefined || portfolio.holdings.size > 0) return undefined
    // Of a journal all swaps are known before the first event.
    const at = Math.max(endedAt, portfolio.lastAt)
    this.#open.delete(contestId)
    this.#total = { ...this.#total, cash: this.#total.cash - portfolio.cash }
    this.#closedCash += portfolio.cash
    this.#sinceThen = undefined
    const day = dayOf(at)
    this.#closed.set(day, (this.#closed.get(day) ?? 0n) + portfolio.cash)
    for (const old of this.#closed.keys()) if ((old + 1) * DAY_MS <= at - REMEMBERED_MS) this.#closed.delete(old)
    return portfolio.cash
  }

  /** Profit or loss of the contests that are not closed, at these prices; undefined while a holding has none. */
  openPnl(priceOf: PriceOf): Usdc | undefined {
    return pnlOf(this.#total, priceOf)
  }

  /** What contests closed since the beginning of that UTC day have made. A contest counts whole on the day it is closed. */
  closedSince(since: number): Usdc {
    if (this.#sinceThen?.since === since) return this.#sinceThen.sum
    let sum = 0n
    const first = dayOf(since)
    for (const [day, cash] of this.#closed) if (day >= first) sum += cash
    this.#sinceThen = { since, sum }
    return sum
  }

  /**
   * What swaps have lost since the beginning of that UTC day, realised and marked together, never negative. A contest that is not
   * closed counts whole; where it has swapped since before that day, a gain of it does not count, since nobody knows of which day it is.
   * Both err on the side of the cap.
   *
   * @param openPnl what `openPnl` gives at these prices: a decision of the guard has it already
   */
  loss(since: number, { openPnl, priceOf }: { readonly openPnl: Usdc; readonly priceOf: PriceOf }): Usdc {
    const sum = openPnl - this.#gainsFromBefore(since, priceOf) + this.closedSince(since)
    return sum < 0n ? -sum : 0n
  }

  #gainsFromBefore(since: number, priceOf: PriceOf): Usdc {
    let gains = 0n
    for (const portfolio of this.#open.values()) {
      if (portfolio.firstAt >= since) continue
      const pnl = pnlOf(portfolio, priceOf) ?? 0n
      if (pnl > 0n) gains += pnl
    }
    return gains
  }
}
