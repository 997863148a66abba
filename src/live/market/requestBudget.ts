import type { Clock } from '../../core/clock.ts'
import { Backoff, type RefusalHead, readRetryAfter, TOO_MANY_REQUESTS } from '../retryAfter.ts'
import { readRateHeaders } from './rateHeaders.ts'

/** Jupiter counts by a sliding window of so long (docs of August 2026). */
const WINDOW_MS = 60_000
/** A place that a quote keeps for its build is given back after so long: no quote holds longer. */
const KEPT_MS = 6000
/** Rounds of prices in a minute that they get whatever swaps need: a swap at a price of over 15 s is refused (`guard.maxPriceAgeMs`). */
const LEAST_PRICE_ROUNDS = 6
/** Of the limit so much is kept from prices for swaps that nobody has seen coming. */
const SWAP_SHARE = 1 / 3
/** What swaps needed at their busiest is kept for them so long. */
const BUSY_MS = 5 * 60_000
/** A limit that was learnt from a refusal alone is believed so long. */
const LEARNT_MS = 10 * 60_000
/** A limit that was learnt is tried so often, and raised so much where it was wrong. */
const PROBE_MS = 10_000
const PROBED_GROWTH = 1.25
/** No host is known that takes fewer requests a minute: of a limit that nobody has stated a first refusal says no less. */
const LEAST_LEARNT = 30
const LONGEST_BACKOFF_MS = 15_000

/** Requests a minute of so many rounds of prices as keep them fresh. */
export const leastPricesOf = (requestsARound: number): number => LEAST_PRICE_ROUNDS * requestsARound

/** Purposes of requests, from the most urgent on: `first` is the quote that a stake depends on, `look` of a swap that is not sent, `lookup` of a token. */
const USES = ['build', 'first', 'quote', 'look', 'lookup', 'price'] as const
export type RequestUse = (typeof USES)[number]

export interface RequestBudgetOptions {
  /** Time that no answer of the service moves. */
  readonly clock: Clock
  /** The limit until headers state one; undefined: there is none. */
  readonly perMinute: number | undefined
}

export interface Asked {
  readonly use: RequestUse
  /** How long its turn is waited for, in milliseconds. */
  readonly patienceMs: number
  /** Places to keep for the requests that follow: a build takes one of them. */
  readonly keeps?: number
}

/** A request that may be sent, and counts. */
export interface Place {
  readonly use: RequestUse
  readonly sentAt: number
}

/** How the budget stands, in requests a minute. */
export interface BudgetStanding {
  readonly perMinute: number
  /** Requests that may still be sent in this minute. */
  readonly free: number
  /** Requests of a minute that prices need at their least pace. */
  readonly prices: number
  /** Requests of the last minute that were others', with the same key or from the same address. */
  readonly others: number
}

interface Waiting extends Asked {
  readonly order: number
  readonly until: number
  readonly go: (place: Place | undefined) => void
}

interface Counted extends Place {
  /** The request counts until then; infinite while it has no answer. */
  until: number
}

/**
 * Shares the requests that one host takes with one key: builds and quotes go first, and prices take what is left, but for the least that
 * keeps them fresh, since a swap at a stale price is refused. The limit is the one of the newest headers, or the config's.
 */
export class RequestBudget {
  readonly #clock: Clock
  readonly #configured: number | undefined
  /** The most urgent first; prices wait apart, since they have the least that is theirs alone. */
  #swaps: Waiting[] = []
  #prices: Waiting[] = []
  readonly #backoff = new Backoff(LONGEST_BACKOFF_MS)
  #counted: Counted[] = []
  /** When each place that is kept for a build is given back. */
  #kept: number[] = []
  #order = 0
  /** Hosts that take from the same limit. */
  #among = 1
  #stated: number | undefined
  #learnt: { readonly limit: number; readonly until: number; readonly probedAt: number } | undefined
  /** The limit that one refusal suggests, until another try has confirmed it. */
  #suspected: number | undefined
  #others = { count: 0, until: 0, resetAt: Number.POSITIVE_INFINITY }
  #busiest = { count: 0, at: 0 }
  #heldUntil = Number.NEGATIVE_INFINITY
  /** True once a request was answered since the newest refusal: only then does a refusal say something of a limit. */
  #hasAnswered = true
  #requestsARound = 0
  #pricedAt = Number.NEGATIVE_INFINITY
  #cancelTimer: () => void = () => {}
  #isClosed = false

  constructor({ clock, perMinute }: RequestBudgetOptions) {
    this.#clock = clock
    this.#configured = perMinute
  }

  /** So many hosts ask with one key: each has its part of the limit, until headers say what the others have taken. */
  divide(among: number): void {
    this.#among = Math.max(1, among)
    this.#serve()
  }

  /** Prices are asked for from now on, and a round of them takes so many requests. */
  expectPrices(requestsARound: number): void {
    this.#requestsARound = requestsARound
  }

  /** Resolves with a place once the request may be sent; undefined where its turn does not come in time. */
  take(asked: Asked): Promise<Place | undefined> {
    return new Promise((resolve) => {
      const waiting = { ...asked, order: this.#order++, until: this.#clock.now() + asked.patienceMs, go: resolve }
      if (asked.use === 'price') this.#prices.push(waiting)
      else this.#swaps = [...this.#swaps, waiting].sort((a, b) => USES.indexOf(a.use) - USES.indexOf(b.use) || a.order - b.order)
      this.#serve()
    })
  }

  /** The head of an answer: what it says of the limit holds from now on. */
  answered(place: Place, head: RefusalHead): void {
    const now = this.#clock.now()
    const isRefused = head.statusCode === TOO_MANY_REQUESTS
    // A refused request takes no place.
    if (isRefused) this.#counted = this.#counted.filter((counted) => counted !== place)
    this.#read(place, head, now)
    const ownUntil = this.#backoff.after(head.statusCode, place.sentAt, now)
    if (isRefused) this.#heldUntil = Math.max(this.#heldUntil, Math.min(readRetryAfter(head, now) ?? ownUntil ?? now, now + WINDOW_MS))
  }

  /** The request is over, whatever came of it. The host may have counted it as late as now. */
  done(place: Place): void {
    const counted = this.#counted.find((own) => own === place)
    if (counted !== undefined) counted.until = this.#clock.now() + WINDOW_MS
    this.#serve()
  }

  /** Unix milliseconds before which the host takes no request; in the past where it does. */
  get heldUntil(): number {
    return this.#heldUntil
  }

  /** Milliseconds from one round of prices to the next, at what is left of the limit. */
  get pricePaceMs(): number {
    const now = this.#clock.now()
    this.#forget(now)
    const limit = this.#limitAt(now)
    if (limit === undefined || this.#requestsARound === 0) return 0
    const left = limit - this.#othersAt(now) - this.#keptForSwaps(limit, now)
    return Math.ceil((WINDOW_MS * this.#requestsARound) / Math.max(this.#leastPrices(limit), left, 1))
  }

  /** Undefined where no limit is known. */
  standing(): BudgetStanding | undefined {
    const now = this.#clock.now()
    const perMinute = this.#limitAt(now)
    if (perMinute === undefined) return undefined
    this.#forget(now)
    const others = this.#othersAt(now)
    const free = Math.max(0, perMinute - others - this.#counted.length - this.#kept.length)
    return { perMinute, free, prices: leastPricesOf(this.#requestsARound), others }
  }

  /** Whoever waits, now and later, gets no place. */
  close(): void {
    this.#isClosed = true
    this.#serve()
  }

  #serve(): void {
    this.#cancelTimer()
    this.#cancelTimer = () => {}
    const now = this.#clock.now()
    this.#forget(now)
    for (const queue of this.#isPriceDue(now) ? [this.#prices, this.#swaps] : [this.#swaps, this.#prices]) {
      for (let next = queue[0]; next !== undefined && this.#mayGo(next, now); next = queue[0]) {
        queue.shift()
        this.#admit(next, now)
      }
    }
    this.#swaps = this.#patient(this.#swaps, now)
    this.#prices = this.#patient(this.#prices, now)
    if (this.#swaps.length + this.#prices.length > 0) this.#cancelTimer = this.#clock.at(this.#nextChange(now), () => this.#serve())
  }

  /** Those who go on waiting; the others are told that their turn did not come. */
  #patient(queue: readonly Waiting[], now: number): Waiting[] {
    const isOver = ({ until }: Waiting) => this.#isClosed || until <= now
    for (const waiting of queue) if (isOver(waiting)) waiting.go(undefined)
    return queue.filter((waiting) => !isOver(waiting))
  }

  #mayGo({ use, keeps = 0 }: Waiting, now: number): boolean {
    if (this.#isClosed || now < this.#heldUntil) return false
    const limit = this.#limitAt(now)
    if (limit === undefined) return true
    const own = limit - this.#othersAt(now)
    const prices = this.#count(true)
    const swaps = this.#count(false) + this.#kept.length
    if (use === 'build' && this.#kept.length > 0) return true
    if (this.#isPlaceDue(own - prices - swaps, now)) return true
    if (use !== 'price' && this.#isProbeDue(now)) return true
    if (use !== 'price') return swaps + Math.max(prices, this.#leastPrices(limit)) + 1 + keeps <= own
    if (prices + Math.max(swaps, this.#keptForSwaps(limit, now)) + 1 <= own) return true
    return (prices < this.#leastPrices(limit) || this.#isPriceDue(now)) && prices + swaps + 1 <= own
  }

  /** The least pace of prices would be missed: who waits for one goes before swaps that would be refused without it. */
  #isPriceDue(now: number): boolean {
    return this.#priceDueAt(now) <= now
  }

  #priceDueAt(now: number): number {
    const limit = this.#limitAt(now)
    if (limit === undefined || this.#requestsARound === 0) return Number.POSITIVE_INFINITY
    return this.#pricedAt + (WINDOW_MS * this.#requestsARound) / Math.max(1, this.#leastPrices(limit))
  }

  /** The host has said that a place frees up by now, and it may be one that others took: one request finds out. */
  #isPlaceDue(room: number, now: number): boolean {
    return room < 1 && now >= this.#others.resetAt && this.#counted.every(({ until }) => until !== Number.POSITIVE_INFINITY)
  }

  #admit({ use, keeps = 0, go }: Waiting, now: number): void {
    if (use === 'build') this.#kept.shift()
    if (this.#learnt !== undefined && this.#counted.length >= this.#learnt.limit) this.#learnt = { ...this.#learnt, probedAt: now }
    if (use === 'price') this.#pricedAt = now
    for (let place = 0; place < keeps; place++) this.#kept.push(now + KEPT_MS)
    const place: Counted = { use, sentAt: now, until: Number.POSITIVE_INFINITY }
    this.#counted.push(place)
    const swaps = this.#count(false) + this.#kept.length
    if (swaps >= this.#busiest.count || now - this.#busiest.at > BUSY_MS) this.#busiest = { count: swaps, at: now }
    go(place)
  }

  #read(place: Place, { statusCode, headers }: RefusalHead, now: number): void {
    const { remaining, current: told, resetAt } = readRateHeaders(headers)
    if (remaining !== undefined && told !== undefined && remaining + told > 0) this.#stated = remaining + told
    const limit = this.#limitAt(now)
    const current = told ?? (remaining === undefined || limit === undefined ? undefined : limit - remaining)
    if (current === undefined) {
      if (statusCode === TOO_MANY_REQUESTS) this.#refused(limit, now)
      else this.#took()
      return
    }
    const own = this.#counted.filter(({ sentAt, until }) => sentAt <= place.sentAt && until > now).length
    this.#others = { count: Math.max(0, current - own), until: now + WINDOW_MS, resetAt: resetAt ?? Number.POSITIVE_INFINITY }
  }

  /**
   * Learns the limit that nobody states, from a refusal that the next try meets as well: what was taken by then is the limit, or others took
   * much of it, and then half is tried. A host that refuses half of what it took before has another reason: no limit is learnt from that.
   */
  #refused(limit: number | undefined, now: number): void {
    const taken = this.#counted.length
    if (this.#hasAnswered) {
      this.#hasAnswered = false
      this.#suspected = limit === undefined ? Math.max(taken, LEAST_LEARNT) : Math.min(limit, Math.max(taken, Math.ceil(limit / 2)))
    } else if (this.#suspected !== undefined) {
      this.#learnt = { limit: this.#suspected, until: now + LEARNT_MS, probedAt: now }
      this.#suspected = undefined
    } else if (this.#learnt !== undefined && taken < this.#learnt.limit / 2) this.#learnt = undefined
  }

  /** A host that takes more than was learnt has a higher limit, or none. */
  #took(): void {
    this.#hasAnswered = true
    this.#suspected = undefined
    const learnt = this.#learnt
    if (learnt !== undefined && this.#counted.length > learnt.limit)
      this.#learnt = { ...learnt, limit: Math.ceil(learnt.limit * PROBED_GROWTH) }
  }

  /** Now and then one request finds out whether a limit that was learnt still holds. */
  #isProbeDue(now: number): boolean {
    if (this.#learnt === undefined || this.#stated !== undefined || now < this.#learnt.probedAt + PROBE_MS) return false
    return this.#counted.every(({ until }) => until !== Number.POSITIVE_INFINITY)
  }

  #limitAt(now: number): number | undefined {
    if (this.#stated !== undefined) return this.#stated
    if (this.#learnt !== undefined && now < this.#learnt.until) return this.#learnt.limit
    return this.#configured === undefined ? undefined : Math.max(1, Math.floor(this.#configured / this.#among))
  }

  #othersAt(now: number): number {
    return now < this.#others.until ? this.#others.count : 0
  }

  /** Requests of a minute that prices get whatever swaps need; of a small limit half. */
  #leastPrices(limit: number): number {
    return Math.min(leastPricesOf(this.#requestsARound), Math.floor(limit / 2))
  }

  #keptForSwaps(limit: number, now: number): number {
    const busiest = now - this.#busiest.at <= BUSY_MS ? this.#busiest.count : 0
    return Math.max(busiest, Math.ceil(SWAP_SHARE * limit), this.#count(false) + this.#kept.length)
  }

  #count(isPrice: boolean): number {
    let count = 0
    for (const { use } of this.#counted) if ((use === 'price') === isPrice) count += 1
    return count
  }

  #forget(now: number): void {
    if (this.#counted.some(({ until }) => until <= now)) this.#counted = this.#counted.filter(({ until }) => until > now)
    this.#kept = this.#kept.filter((until) => until > now)
  }

  /** When somebody who waits may go, or has waited long enough. An answer that comes earlier is heard of by itself. */
  #nextChange(now: number): number {
    const times = [
      ...this.#counted.map(({ until }) => until),
      ...this.#kept,
      ...[...this.#swaps, ...this.#prices].map(({ until }) => until),
      (this.#learnt?.probedAt ?? Number.NEGATIVE_INFINITY) + PROBE_MS,
      ...[this.#heldUntil, this.#others.until, this.#others.resetAt, this.#priceDueAt(now)],
    ]
    return Math.max(now + 1, Math.min(...times.filter((at) => at > now)))
  }
}
