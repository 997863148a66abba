import TinyQueue from 'tinyqueue'
import type { Clock } from '../core/clock.ts'
import { MAX_HOLD_MS } from './retryAfter.ts'

/** Under the service's 300, so that a clock that differs a little does not pass it. */
const READS_PER_MINUTE = 290
/** The service counts a read when it arrives, which is up to two seconds after it was sent. */
const WINDOW_MS = 62_000
const LEASE_READS = 10
/** Who starts knows all it must after a few, and may die again: it sets no more aside than it sends. */
const START_LEASE_READS = 1
/** Of what is left to the service's limit, so much is there for who starts, however much an earlier run has read. */
const START_SHARE = 0.02
/** Where setting aside takes its time, the next reads are set aside when so many of the last are left: none waits but the first. */
const AHEAD_READS = 3
/** A lease is used up by then, or what is left of it never is: after a death, so much can be said of it. */
const LEASE_MS = 10_000
/** How long a lease of a process that died may still count with the service. */
const LEASE_COUNTS_MS = LEASE_MS + WINDOW_MS

/** What of the budget is kept for the more urgent, by priority. */
const RESERVED = [0, 0, 0.05, 0.1, 0.2, 0.2] as const
/** The same of what is spare, while another process reads with the key: however much that begins to read at once, it has so much at least. */
const RESERVED_BESIDE_OTHERS = 0.5
/**
 * What of it the stream needs in a window: a poll a second and some. After a burst nothing comes free for a minute, and until then
 * it is kept from money: however much a bot asks of that, it goes on hearing what happens.
 */
const STREAM_SHARE = 0.25
/** Of a bot that does not play yet. */
export const START: ReadPriority = 0
const MONEY: ReadPriority = 3
const SPARE: ReadPriority = 5

/**
 * Smaller goes first: what a bot that starts must know before it plays, since a prediction may be due; then reveals and picks, the event
 * stream and what the bot has, money, and the rest; last what no bot needs.
 */
export type ReadPriority = 0 | 1 | 2 | 3 | 4 | 5

/** Reads set aside at a time, in Unix milliseconds, before any of them was sent. */
export interface ReadLease {
  readonly at: number
  readonly count: number
}

/** Where leases are kept, so that the next process knows what this one may have sent. */
export interface ReadLeases {
  /** Leases later than `sinceMs`. */
  leases(sinceMs: number): readonly ReadLease[]
  /**
   * Durable once it returns, or what it returns resolves; or it throws, or rejects. Leases of `sinceMs` and before are of no use any more.
   *
   * @param unspent reads of the lease before that were not sent, and will not be
   */
  lease(lease: ReadLease, sinceMs: number, unspent?: number): void | Promise<void>
  /** Leases later than `sinceMs` of another process that reads with the same key; absent where none does. */
  others?(sinceMs: number): readonly ReadLease[]
}

export interface ReadBudgetOptions {
  /** By which leases are kept for the next process. */
  readonly clock: Clock
  /** Time that no answer of the service moves. Default: `clock`. */
  readonly steady?: Clock
  readonly perMinute?: number
  /** Without them a process that dies leaves its successor ignorant of what it sent. */
  readonly leases?: ReadLeases | undefined
}

/** Reads that may be sent by then. */
interface SetAside {
  left: number
  readonly until: number
}

interface Waiting {
  readonly priority: ReadPriority
  readonly order: number
  readonly go: () => void
  readonly fail: (thrown: unknown) => void
}

/**
 * Keeps the reads of one agent key under the service's limit, in any minute (specification, part 8: 300 a
 * minute) and over any number of deaths of the process. Whoever asks waits for its turn; what is more urgent goes first.
 */
export class ReadBudget {
  readonly #clock: Clock
  readonly #steady: Clock
  readonly #perMinute: number
  readonly #leases: ReadLeases | undefined
  /** What earlier processes may have sent. */
  readonly #inherited: readonly ReadLease[]
  /** When reads of this process were sent, oldest first. */
  readonly #sent: number[] = []
  readonly #waiting = new TinyQueue<Waiting>([], (a, b) => a.priority - b.priority || a.order - b.order)
  /** The oldest first. */
  #setAside: SetAside[] = []
  /** Setting aside takes its time, here. */
  #takesTime = false
  /** More are being set aside. */
  #isLeasing = false
  #order = 0
  #notBefore = Number.NEGATIVE_INFINITY
  #cancelTimer: (() => void) | undefined
  #isClosed = false

  constructor({ clock, steady = clock, perMinute = READS_PER_MINUTE, leases }: ReadBudgetOptions) {
    this.#clock = clock
    this.#steady = steady
    this.#perMinute = perMinute
    this.#leases = leases
    const [now, steadyNow] = [clock.now(), steady.now()]
    // The clock may have been ahead: what was sent by then counts as sent now, at the latest.
    this.#inherited = (leases?.leases(now - LEASE_COUNTS_MS) ?? []).map(({ at, count }) => ({
      at: steadyNow - Math.max(0, now - at),
      count,
    }))
  }

  /** Resolves when a read may be sent; it then counts as sent. Rejects where that cannot be kept: then it must not be sent. */
  take(priority: ReadPriority): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ priority, order: this.#order++, go: resolve, fail: reject })
      this.#serve()
    })
  }

  /** The service asked this key to wait: every read of it does. */
  hold(forMs: number): void {
    this.#notBefore = Math.max(this.#notBefore, this.#steady.now() + Math.min(forMs, MAX_HOLD_MS))
  }

  /** How many more may be sent now, whoever asks. */
  get left(): number {
    return Math.max(0, this.#roomAt(this.#steady.now()))
  }

  /** Lets everyone go, now and later: what is sent then fails by itself, and no timer keeps the process alive. */
  close(): void {
    this.#isClosed = true
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#serve()
  }

  #serve(): void {
    const now = this.#steady.now()
    for (;;) {
      try {
        if (!this.#isNextFree(now)) break
      } catch (thrown) {
        this.#waiting.pop()?.fail(thrown)
        continue
      }
      this.#waiting.pop()?.go()
    }
    const next = this.#waiting.peek()
    const isLeaseAwaited = this.#isLeasing && this.#setAside.every(({ left }) => left === 0)
    if (next === undefined || this.#cancelTimer !== undefined || isLeaseAwaited) return
    const freeAt = this.#hasRoom(now, next.priority) ? now : this.#freeAt(now, next.priority)
    this.#cancelTimer = this.#steady.at(Math.max(freeAt, this.#notBefore), () => {
      this.#cancelTimer = undefined
      this.#serve()
    })
  }

  #isNextFree(now: number): boolean {
    const next = this.#waiting.peek()
    if (next === undefined || this.#isClosed) return next !== undefined
    if (now < this.#notBefore || !this.#hasRoom(now, next.priority)) return false
    return this.#spend(now, next.priority)
  }

  #hasRoom(now: number, priority: ReadPriority): boolean {
    const reserved = priority === SPARE && this.#othersAt(now).length > 0 ? RESERVED_BESIDE_OTHERS : RESERVED[priority]
    const room = this.#roomFor(now, priority) - Math.floor(reserved * this.#perMinute)
    return room > 0 && (priority !== MONEY || room > this.#streamNeeds(now))
  }

  /** How many reads the stream will have made, at the most, beyond those that have come free by then. */
  #streamNeeds(now: number): number {
    const perMs = (STREAM_SHARE * this.#perMinute) / WINDOW_MS
    let most = 0
    for (const [freed, freeAt] of this.#freeTimes(now).entries()) most = Math.max(most, Math.floor((freeAt - now) * perMs) - freed)
    return most
  }

  /** When each read that counts stops counting, the next first. */
  #freeTimes(now: number): number[] {
    const sent = this.#sent.map((at) => at + WINDOW_MS)
    const inherited = this.#leasedAt(now).flatMap(({ at, count }) => new Array<number>(count).fill(at + LEASE_COUNTS_MS))
    return [...inherited, ...sent].sort((a, b) => a - b)
  }

  #roomAt(now: number): number {
    while (this.#sent[0] !== undefined && this.#sent[0] <= now - WINDOW_MS) this.#sent.shift()
    const inherited = this.#leasedAt(now).reduce((sum, { count }) => sum + count, 0)
    return this.#perMinute - this.#sent.length - inherited
  }

  #roomFor(now: number, priority: ReadPriority): number {
    return this.#roomAt(now) + (priority === START ? Math.floor(START_SHARE * this.#perMinute) : 0)
  }

  /** One is sent now, of those set aside: of new ones where need be. False while those are not durable yet. */
  #spend(now: number, priority: ReadPriority): boolean {
    const inTime = this.#setAside.filter(({ left, until }) => left > 0 && now < until)
    const unspent = this.#setAside.reduce((sum, { left }) => sum + left, 0) - inTime.reduce((sum, { left }) => sum + left, 0)
    this.#setAside = inTime
    if (inTime.length === 0) this.#lease(now, { unspent, priority })
    const [oldest] = this.#setAside
    if (oldest === undefined) return false
    oldest.left -= 1
    this.#sent.push(now)
    if (this.#takesTime && inTime.reduce((sum, { left }) => sum + left, 0) <= AHEAD_READS) this.#lease(now, { unspent: 0, priority })
    return true
  }

  #lease(now: number, { unspent, priority }: { readonly unspent: number; readonly priority: ReadPriority }): void {
    if (this.#isLeasing) return
    const left = this.#setAside.reduce((sum, aside) => sum + aside.left, 0)
    const most = priority === START ? START_LEASE_READS : LEASE_READS
    const aside = { left: Math.min(most, this.#roomFor(now, priority) - left), until: now + LEASE_MS }
    if (aside.left <= 0) return
    const at = this.#clock.now()
    const kept = this.#leases?.lease({ at, count: aside.left }, at - LEASE_COUNTS_MS, unspent)
    if (kept === undefined) {
      this.#setAside.push(aside)
      return
    }
    this.#isLeasing = this.#takesTime = true
    const done = (settle: () => void) => {
      this.#isLeasing = false
      settle()
      this.#serve()
    }
    kept.then(
      () => done(() => this.#setAside.push(aside)),
      (thrown: unknown) => done(() => this.#waiting.pop()?.fail(thrown)),
    )
  }

  /** Leases of earlier processes, and of one beside this, that still count. */
  #leasedAt(now: number): readonly ReadLease[] {
    return [...this.#inherited.filter(({ at }) => at > now - LEASE_COUNTS_MS), ...this.#othersAt(now)]
  }

  /** The two processes have clocks of their own: what was sent by then counts as sent now, at the latest. */
  #othersAt(now: number): readonly ReadLease[] {
    if (this.#leases?.others === undefined) return []
    const clockNow = this.#clock.now()
    return this.#leases.others(clockNow - LEASE_COUNTS_MS).map(({ at, count }) => ({ at: now - Math.max(0, clockNow - at), count }))
  }

  /** When there may be room for who has none now: with the next read that comes free, or as the stream's needs until then grow less. */
  #freeAt(now: number, priority: ReadPriority): number {
    const [freeAt = now] = this.#freeTimes(now)
    return priority !== MONEY ? freeAt : Math.min(freeAt, now + Math.ceil(WINDOW_MS / (STREAM_SHARE * this.#perMinute)))
  }
}
