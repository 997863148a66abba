import { Subject } from 'rxjs'
import { z } from 'zod'
import type { Clock } from '../core/clock.ts'
import { type Price, priceFromNumber } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import { type Market, PriceBook } from '../pipeline/index.ts'
import { Endpoint, readJson } from './endpoint.ts'

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
  /** Time that no answer of the service moves: between two rounds. Default: `clock`. */
  readonly steady?: Clock
  /** Told of the first failure of a row, and of the end of it (undefined). */
  readonly onTrouble: (reason: string | undefined) => void
}

/**
 * Prices for all bots of a process: one request a period for every 50 mints, slower while it fails, and none before the
 * time it was asked to wait until. A mint that an answer leaves out keeps the price it had, which grows older.
 */
export class PriceFeed implements Market {
  readonly book = new PriceBook()
  readonly tick$ = new Subject<number>()
  /** Kept once the first round is over, whatever came of it. */
  readonly begun: Promise<void>
  readonly #options: PriceFeedOptions
  readonly #endpoint: Endpoint
  readonly #begin: () => void
  #failures = 0
  #stopped = false
  #cancel: () => void = () => {}

  constructor(options: PriceFeedOptions) {
    this.#options = options
    const { url, apiKey, timeoutMs, clock, steady = clock } = options
    const { promise, resolve } = Promise.withResolvers<void>()
    this.begun = promise
    this.#begin = resolve
    this.#endpoint = new Endpoint({ name: 'the price feed', url, apiKey, timeoutMs, clock: steady })
  }

  start(): void {
    void this.#poll()
  }

  async close(): Promise<void> {
    this.#stopped = true
    this.#begin()
    this.#cancel()
    await this.#endpoint.close()
  }

  async #poll(): Promise<void> {
    const { clock, steady = clock, everyMs, onTrouble } = this.#options
    const begunAt = steady.now()
    const { update, trouble } = await this.#read()
    if (this.#stopped) return
    if (update !== undefined) this.tick$.next(this.book.append(update))
    this.#begin()
    if (trouble === undefined) {
      if (this.#failures > 0) onTrouble(undefined)
      this.#failures = 0
    } else {
      this.#failures += 1
      if (this.#failures === 1) onTrouble(trouble)
    }
    const delayMs = Math.max(everyMs, Math.min(MAX_BACKOFF_MS, everyMs * 2 ** this.#failures))
    this.#cancel = steady.at(Math.max(begunAt + delayMs, this.#endpoint.heldUntil), () => void this.#poll())
  }

  /** What came before a failure counts: it is as good as any other. All of it is dated by the first answer, the oldest. */
  async #read(): Promise<Round> {
    const { clock, mints } = this.#options
    const prices = new Map<Mint, Price>()
    let at: number | undefined
    for (let from = 0; from < mints.length; from += MAX_IDS) {
      const asked = mints.slice(from, from + MAX_IDS)
      const answer = await this.#request(asked)
      if (typeof answer === 'string') return { update: at === undefined ? undefined : { at, prices }, trouble: answer }
      at ??= clock.now()
      for (const mint of asked) {
        const usdPrice = answer[mint]?.usdPrice
        if (usdPrice === undefined || usdPrice < SMALLEST_PRICE || usdPrice > LARGEST_PRICE) continue
        prices.set(mint, priceFromNumber(usdPrice, 12))
      }
    }
    // A feed that knows none of them is as good as none.
    if (prices.size === 0) return { update: undefined, trouble: 'the price feed has none of them' }
    return { update: { at: at ?? clock.now(), prices }, trouble: undefined }
  }

  /** The answer to one request; a text says why there is none. */
  async #request(mints: readonly Mint[]): Promise<z.infer<typeof answerSchema> | string> {
    const { pathname } = new URL(this.#options.url)
    const ids = mints.map(encodeURIComponent).join(',')
    const answer = await this.#endpoint.send({ method: 'GET', path: `${pathname}?ids=${ids}` })
    if (!answer.ok) return answer.reason
    const read = answerSchema.safeParse(readJson(answer.text))
    return read.success ? read.data : this.#endpoint.trouble('answered with no prices').reason
  }
}

/** `trouble`: why the round is not whole. */
interface Round {
  readonly update: Parameters<PriceBook['append']>[0] | undefined
  readonly trouble: string | undefined
}
