import { Subject } from 'rxjs'
import { Pool } from 'undici'
import { z } from 'zod'
import type { Clock } from '../core/clock.ts'
import { messageOf } from '../core/error.ts'
import { type Price, priceFromNumber } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import { type Market, PriceBook } from '../pipeline/index.ts'

/** Most ids the Price API takes in one request. */
const MAX_IDS = 50
const MAX_BACKOFF_MS = 30_000
/** Outside of these a figure is a fault of the feed, or nothing that decimal text of ours can hold. */
const [SMALLEST_PRICE, LARGEST_PRICE] = [1e-12, 1e15]

const answerSchema = z.record(z.string(), z.looseObject({ usdPrice: z.number() }).nullable().catch(null))

export interface PriceFeedOptions {
  /** A Jupiter Price API v3 endpoint, such as `https://lite-api.jup.ag/price/v3`. */
  readonly url: string
  readonly apiKey: string | undefined
  readonly mints: readonly Mint[]
  readonly everyMs: number
  readonly timeoutMs: number
  readonly clock: Clock
  /** Told of the first failure of a row, and of the end of it (undefined). */
  readonly onTrouble: (reason: string | undefined) => void
}

/** Prices for all bots of a process: one request a period for every 50 mints, slower while it fails. */
export class PriceFeed implements Market {
  readonly book = new PriceBook()
  readonly tick$ = new Subject<number>()
  readonly #options: PriceFeedOptions
  readonly #pool: Pool
  #failures = 0
  #stopped = false
  #cancel: () => void = () => {}

  constructor(options: PriceFeedOptions) {
    this.#options = options
    const { timeoutMs } = options
    this.#pool = new Pool(new URL(options.url).origin, {
      connections: 2,
      connectTimeout: timeoutMs,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
  }

  start(): void {
    void this.#poll()
  }

  async close(): Promise<void> {
    this.#stopped = true
    this.#cancel()
    await this.#pool.destroy()
  }

  async #poll(): Promise<void> {
    const { clock, everyMs, onTrouble } = this.#options
    const begunAt = clock.now()
    let delayMs: number
    try {
      const prices = await this.#read()
      if (this.#stopped) return
      if (this.#failures > 0) onTrouble(undefined)
      this.#failures = 0
      this.tick$.next(this.book.append({ at: clock.now(), prices }))
      delayMs = everyMs
    } catch (thrown) {
      if (this.#stopped) return
      this.#failures += 1
      if (this.#failures === 1) onTrouble(messageOf(thrown))
      delayMs = Math.min(MAX_BACKOFF_MS, everyMs * 2 ** this.#failures)
    }
    this.#cancel = clock.at(begunAt + delayMs, () => void this.#poll())
  }

  async #read(): Promise<Map<Mint, Price>> {
    const { mints } = this.#options
    const prices = new Map<Mint, Price>()
    for (let from = 0; from < mints.length; from += MAX_IDS) {
      const answer = await this.#request(mints.slice(from, from + MAX_IDS))
      // A mint without a price is left out of the answer, and stays without one here.
      for (const [mint, item] of Object.entries(answer)) {
        if (item === null || item.usdPrice < SMALLEST_PRICE || item.usdPrice > LARGEST_PRICE) continue
        prices.set(mint, priceFromNumber(item.usdPrice, 12))
      }
    }
    return prices
  }

  async #request(mints: readonly Mint[]): Promise<z.infer<typeof answerSchema>> {
    const { url, apiKey, timeoutMs } = this.#options
    const { pathname } = new URL(url)
    const { statusCode, body } = await this.#pool.request({
      method: 'GET',
      path: `${pathname}?ids=${mints.join(',')}`,
      headers: apiKey === undefined ? {} : { 'x-api-key': apiKey },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (statusCode !== 200) {
      await body.dump()
      throw new Error(`the price feed answered HTTP ${statusCode}`)
    }
    return answerSchema.parse(await body.json())
  }
}
