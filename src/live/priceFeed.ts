import { BehaviorSubject, distinctUntilChanged, Subject, skipWhile } from 'rxjs'
import { z } from 'zod'
import { backoffMs } from '../core/backoff.ts'
import type { Clock } from '../core/clock.ts'
import { type Price, priceFromNumber } from '../core/price.ts'
import type { Mint } from '../core/tokens.ts'
import { type Market, PriceBook } from '../pipeline/index.ts'
import { type EndpointOptions, type EndpointTrouble, readJson } from './endpoint.ts'
import { BudgetedEndpoint } from './market/budgetedEndpoint.ts'
import { type FeedAnswer, FeedMotion } from './market/feedMotion.ts'
import type { RequestBudget } from './market/requestBudget.ts'

/** Most ids the Price API takes in one request. */
const MAX_IDS = 50
const MAX_BACKOFF_MS = 30_000
/** A round that does not get its requests by then is a failure, and told of. */
const PATIENCE_MS = 15_000
const MAX_PRICE_AGE_MS = 15_000
/** Outside of these a figure is a fault of the feed, or nothing that decimal text of ours can hold. */
const [SMALLEST_PRICE, LARGEST_PRICE] = [1e-12, 1e15]

/** `blockId`: the slot that the price is of. */
const answerSchema = z.record(
  z.string(),
  z
    .looseObject({ usdPrice: z.number(), blockId: z.number().optional().catch(undefined) })
    .nullable()
    .catch(null),
)

/** How many requests the prices of so many mints take. */
export const requestsARound = (mints: number): number => Math.ceil(mints / MAX_IDS)

export interface PriceFeedOptions {
  /** A Jupiter Price API v3 endpoint, such as `https://api.jup.ag/price/v3`. */
  readonly url: string
  readonly apiKey: string | undefined
  readonly mints: readonly Mint[]
  readonly everyMs: number
  /** A feed that is new here may stand still for so long. Default: `guard.maxPriceAgeMs` by default. */
  readonly maxPriceAgeMs?: number
  readonly timeoutMs: number
  readonly clock: Clock
  /** Time that no answer of the service moves: between two rounds. Default: `clock`. */
  readonly steady?: Clock
  /** What all that is asked of the host shares; undefined: prices are asked for at their pace, and nothing is counted. */
  readonly budget?: RequestBudget
  /** Default: real connections. */
  readonly connect?: EndpointOptions['connect']
  /** Told of the first failure of a row, and of the end of it (undefined); `isKeyRefused`: it does not take the key, or none. */
  readonly onTrouble: (reason: string | undefined, isKeyRefused?: boolean) => void
}

/**
 * Prices for all bots of a process: one request a period for every 50 mints, slower while it fails or swaps need the requests, and none
 * before the time it was asked to wait until. A mint that an answer leaves out keeps the price it had, which grows older.
 */
export class PriceFeed implements Market {
  readonly book = new PriceBook()
  readonly tick$ = new Subject<number>()
  readonly #trouble$ = new BehaviorSubject<string | undefined>(undefined)
  /** Why there are no prices to swap at, from the first round on that fails or finds the feed standing still; undefined: there are. */
  readonly trouble$ = this.#trouble$.pipe(
    distinctUntilChanged((a, b) => (a === undefined) === (b === undefined)),
    skipWhile((trouble) => trouble === undefined),
  )
  /** Kept once the first round is over, whatever came of it. */
  readonly begun: Promise<void>
  readonly #options: PriceFeedOptions
  readonly #endpoint: BudgetedEndpoint
  readonly #motion: FeedMotion
  readonly #begin: () => void
  #failures = 0
  #stopped = false
  #cancel: () => void = () => {}

  constructor(options: PriceFeedOptions) {
    this.#options = options
    const { url, apiKey, mints, timeoutMs, clock, steady = clock, budget, connect, maxPriceAgeMs = MAX_PRICE_AGE_MS } = options
    this.#motion = new FeedMotion({ newMs: maxPriceAgeMs })
    const { promise, resolve } = Promise.withResolvers<void>()
    this.begun = promise
    this.#begin = resolve
    this.#endpoint = new BudgetedEndpoint({
      ...{ name: 'the price feed', url, apiKey, timeoutMs, clock: steady, timer: options.steady, keyField: 'market.apiKey', budget },
      ...(connect === undefined ? {} : { connect }),
    })
    budget?.expectPrices(requestsARound(mints.length))
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
    const { clock, steady = clock, everyMs, budget, onTrouble } = this.#options
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
      this.#motion.missed()
      if (this.#failures === 1) onTrouble(trouble.reason, trouble.isKeyRefused === true)
    }
    this.#trouble$.next(trouble?.reason)
    // Whoever did not get a turn has waited for one.
    const failureMs = budget !== undefined && trouble?.isHeldBack === true ? 0 : backoffMs(this.#failures, everyMs, MAX_BACKOFF_MS)
    const delayMs = Math.max(everyMs, budget?.pricePaceMs ?? 0, failureMs)
    this.#cancel = steady.at(Math.max(begunAt + delayMs, this.#endpoint.heldUntil), () => void this.#poll())
  }

  /** What came before a failure counts: it is as good as any other. All of it is dated by the first answer, the oldest. */
  async #read(): Promise<Round> {
    const { clock, mints } = this.#options
    const prices = new Map<Mint, Price>()
    const bodies: string[] = []
    let time: number | undefined
    let at: number | undefined
    for (let from = 0; from < mints.length; from += MAX_IDS) {
      const asked = mints.slice(from, from + MAX_IDS)
      const answer = await this.#request(asked)
      if (!answer.ok) return { update: at === undefined ? undefined : { at, prices }, trouble: answer }
      at ??= clock.now()
      bodies.push(answer.text)
      for (const mint of asked) {
        const { usdPrice, blockId } = answer.prices[mint] ?? {}
        if (blockId !== undefined) time = Math.max(blockId, time ?? blockId)
        if (usdPrice === undefined || usdPrice < SMALLEST_PRICE || usdPrice > LARGEST_PRICE) continue
        prices.set(mint, priceFromNumber(usdPrice, 12))
      }
    }
    // A feed that knows none of them is as good as none.
    if (prices.size === 0) return { update: undefined, trouble: this.#endpoint.trouble('has none of them') }
    const stood = this.#stoodStill({ time, body: bodies.join('\n') })
    // Prices that stand still are no news: the known ones grow older.
    return stood === undefined ? { update: { at: at ?? clock.now(), prices }, trouble: undefined } : { update: undefined, trouble: stood }
  }

  #stoodStill(answer: FeedAnswer): EndpointTrouble | undefined {
    const { clock, steady = clock } = this.#options
    const stoodMs = this.#motion.take(answer, steady.now())
    if (stoodMs === undefined) return undefined
    const what = answer.time === undefined ? 'has given the same answer' : `has had no price newer than slot ${answer.time}`
    return this.#endpoint.trouble(`${what} for ${Math.round(stoodMs / 1000)} s`)
  }

  /** The answer to one request, or why there is none. */
  async #request(mints: readonly Mint[]): Promise<Answered | EndpointTrouble> {
    const { pathname } = new URL(this.#options.url)
    const ids = mints.map(encodeURIComponent).join(',')
    const answer = await this.#endpoint.ask({ method: 'GET', path: `${pathname}?ids=${ids}` }, { use: 'price', patienceMs: PATIENCE_MS })
    if (!answer.ok) return answer
    const read = answerSchema.safeParse(readJson(answer.text))
    return read.success ? { ok: true, prices: read.data, text: answer.text } : this.#endpoint.trouble('answered with no prices')
  }
}

interface Answered {
  readonly ok: true
  readonly prices: z.infer<typeof answerSchema>
  readonly text: string
}

/** `trouble`: why the round is not whole. */
interface Round {
  readonly update: Parameters<PriceBook['append']>[0] | undefined
  readonly trouble: EndpointTrouble | undefined
}
