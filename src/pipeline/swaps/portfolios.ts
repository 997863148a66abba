import type { Usdc } from '../../core/usdc.ts'
import type { Fill } from '../../strategy/view.ts'
import { REMEMBERED_MS } from '../state.ts'
import { emptyPortfolio, type Portfolio, type PriceOf, pnlOf, withFill } from './portfolio.ts'

/** What was closed is summed by quarters of an hour, since every day of the service's begins with one. */
const BUCKET_MS = 15 * 60_000

/**
 * What the bot's swaps have made, contest by contest. A contest that is over and holds nothing any more is closed:
 * only its sum is kept, so that weeks of trading cost a decision no more than an hour.
 */
export class Portfolios {
  readonly #open = new Map<string, Portfolio>()
  /** All that is open together: every decision of the guard asks what it is worth. */
  #total = emptyPortfolio('')
  /** What closed contests came to, by the quarter of an hour they were closed in. */
  readonly #closed = new Map<number, Usdc>()
  #closedCash: Usdc = 0n
  /** What `closedSince` last gave, until another contest is closed. */
  #sinceThen: { readonly since: number; readonly sum: Usdc } | undefined

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

  /** Closes a contest that is over, once nothing of it is left: at its end or, later, at its last swap. */
  close(contestId: string, endedAt: number): void {
    const portfolio = this.#open.get(contestId)
    if (portfolio === undefined || portfolio.holdings.size > 0) return
    // Of a journal all swaps are known before the first event.
    const at = Math.max(endedAt, portfolio.lastAt)
    this.#open.delete(contestId)
    this.#total = { ...this.#total, cash: this.#total.cash - portfolio.cash }
    this.#closedCash += portfolio.cash
    this.#sinceThen = undefined
    const bucket = Math.floor(at / BUCKET_MS)
    this.#closed.set(bucket, (this.#closed.get(bucket) ?? 0n) + portfolio.cash)
    for (const old of this.#closed.keys()) if ((old + 1) * BUCKET_MS <= at - REMEMBERED_MS) this.#closed.delete(old)
  }

  /** Profit or loss of the contests that are not closed, at these prices; undefined while a holding has none. */
  openPnl(priceOf: PriceOf): Usdc | undefined {
    return pnlOf(this.#total, priceOf)
  }

  /** What contests closed since then have made. A contest counts whole on the day it is closed. */
  closedSince(since: number): Usdc {
    if (this.#sinceThen?.since === since) return this.#sinceThen.sum
    let sum = 0n
    for (const [bucket, cash] of this.#closed) if (bucket * BUCKET_MS >= since) sum += cash
    this.#sinceThen = { since, sum }
    return sum
  }

  /**
   * What swaps have lost since then, realised and marked together, never negative; undefined while a holding has no
   * price. A contest that is not closed counts whole, which errs on the side of the cap.
   *
   * @param openPnl what `openPnl` gives: a decision of the guard has it already
   */
  loss(since: number, openPnl: Usdc | undefined): Usdc | undefined {
    if (openPnl === undefined) return undefined
    const sum = openPnl + this.closedSince(since)
    return sum < 0n ? -sum : 0n
  }
}
