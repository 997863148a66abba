import TinyQueue from 'tinyqueue'
import { isTradingMode } from '../contract/modes.ts'
import type { Contest } from '../contract/records.ts'
import type { ReadResult } from '../pipeline/index.ts'
import { Found } from './found.ts'
import { Sample } from './sample.ts'

/** A mode's state is looked at so long before the end of a contest: some of it a service may show no more after that. */
const BEFORE_END_MS = 3000
/** A contest itself so long after it: a service takes a moment to settle. */
const AFTER_END_MS = 1000
/** And again, each so long after the last, while it is not settled. */
const AGAIN_MS = [10_000, 60_000, 600_000] as const
/** After a read that was not answered. */
const UNANSWERED_MS = 10_000
/** Of contests that are over, so many are known by their ids, since a list may show them once more. */
const MOST_OVER = 50_000

/** A read of one contest that is due. `isLast`: its mode's state, once it is settled. */
export interface WatchedRead {
  readonly contestId: string
  readonly procedure: 'agent.contests.get' | 'agent.modes.state'
  readonly dueAt: number
  readonly isLast: boolean
}

/** A contest that is followed to its end. */
interface Watched {
  isLive: boolean
  /** Unix milliseconds; undefined where no read has said it. */
  endsAt: number | undefined
  /** No list has it any more: it is not looked for again. */
  isMissed: boolean
  /** Reads after its end that did not show it settled. */
  tries: number
  /** As it was read when it was settled, and the newest state of its mode. */
  settled: Contest | undefined
  state: unknown
}

export interface WatchFigures {
  /** That any list has shown. */
  readonly seen: number
  readonly settled: number
  readonly cancelled: number
  /** Given up: not settled after all tries. */
  readonly unsettled: number
  /** By mode, settled ones. */
  readonly byMode: Readonly<Record<string, number>>
}

/** Knows of every contest that was seen when it is to be read again, until it is settled. */
export class ContestWatch {
  readonly found = new Found()
  readonly #sample: Sample
  readonly #watched = new Map<string, Watched>()
  readonly #plan = new TinyQueue<WatchedRead>([], (a, b) => a.dueAt - b.dueAt)
  readonly #over = new Set<string>()
  readonly #byMode: Record<string, number> = {}
  /** By the newest whole list of what is open; undefined: it was cut short. */
  #open: ReadonlySet<string> | undefined
  #seen = 0
  #cancelled = 0
  #unsettled = 0

  constructor(now: number) {
    this.#sample = new Sample(now)
  }

  /** Of all contests, the share that is followed. */
  get share(): number {
    return this.#sample.share
  }

  get figures(): WatchFigures {
    const [seen, cancelled, unsettled] = [this.#seen, this.#cancelled, this.#unsettled]
    return { seen, settled: this.found.settled, cancelled, unsettled, byMode: this.#byMode }
  }

  /** Contests that are followed, and are not over. */
  get size(): number {
    return this.#watched.size
  }

  /**
   * Takes the contests of a list.
   *
   * @param isWhole the list was read to its end: what it does not have is not so any more
   * @returns those that are followed
   */
  listed(status: 'open' | 'live', contests: readonly Contest[], { now, isWhole }: { now: number; isWhole: boolean }): Contest[] {
    const followed = contests.filter((contest) => this.#take(contest, status, now))
    const ids = new Set(contests.flatMap(({ contestId }) => contestId ?? []))
    if (status === 'open') this.#open = isWhole ? ids : undefined
    else if (isWhole) this.#lookForMissing(ids, now)
    return followed
  }

  /** When the next read is due, in Unix milliseconds; undefined: none is planned. */
  nextAt(): number | undefined {
    this.#dropStale()
    return this.#plan.peek()?.dueAt
  }

  /** The read that has been due the longest, which then counts as under way. */
  next(now: number): WatchedRead | undefined {
    this.#dropStale()
    const first = this.#plan.peek()
    this.#sample.look(now, first === undefined ? 0 : now - first.dueAt)
    this.#dropStale()
    const due = this.#plan.peek()
    return due !== undefined && due.dueAt <= now ? this.#plan.pop() : undefined
  }

  answered(read: WatchedRead, result: ReadResult, now: number): void {
    const watched = this.#watched.get(read.contestId)
    if (watched === undefined) return
    // Nobody has said anything of it: it is asked once more.
    if (!result.ok && result.refusal === undefined) this.#plan.push({ ...read, dueAt: now + UNANSWERED_MS })
    else if (read.procedure === 'agent.modes.state') this.#onState(read, watched, result)
    else this.#onContest(read.contestId, watched, result, now)
  }

  /** False of one that is not followed. */
  #take(contest: Contest, status: 'open' | 'live', now: number): boolean {
    const { contestId } = contest
    if (contestId === undefined || this.#over.has(contestId)) return false
    const known = this.#watched.get(contestId)
    if (known === undefined) this.#seen += 1
    if (!this.#sample.has(contestId)) {
      this.#end(contestId)
      return false
    }
    const watched = known ?? { isLive: false, endsAt: undefined, isMissed: false, tries: 0, settled: undefined, state: undefined }
    this.#watched.set(contestId, watched)
    watched.isMissed = false
    if (status === 'live' && !watched.isLive) this.#follow(contestId, watched, contest, now)
    return true
  }

  /** Plans the reads of one that is live. */
  #follow(contestId: string, watched: Watched, { startsAt, endsAt, durationSec }: Contest, now: number): void {
    watched.isLive = true
    const lastsMs = durationSec === undefined ? undefined : durationSec * 1000
    watched.endsAt = endsAt ?? (typeof startsAt === 'number' && lastsMs !== undefined ? startsAt + lastsMs : undefined)
    if (watched.endsAt === undefined) return
    this.#read(contestId, 'agent.modes.state', Math.max(now, watched.endsAt - BEFORE_END_MS))
    this.#read(contestId, 'agent.contests.get', Math.max(now, watched.endsAt + AFTER_END_MS))
  }

  /** One that neither list has is over, or was never listed while it is played: only it can say so itself. */
  #lookForMissing(live: ReadonlySet<string>, now: number): void {
    for (const [contestId, watched] of this.#watched) {
      const isListed = live.has(contestId) || (!watched.isLive && (this.#open?.has(contestId) ?? true))
      if (isListed || watched.isMissed || watched.settled !== undefined) continue
      watched.isMissed = true
      // One whose end has come is read anyway.
      if (watched.endsAt === undefined || watched.endsAt > now) this.#read(contestId, 'agent.contests.get', now)
    }
  }

  #onState({ contestId, isLast }: WatchedRead, watched: Watched, result: ReadResult): void {
    if (result.ok) watched.state = result.output
    if (isLast) this.#settle(contestId, watched)
  }

  #onContest(contestId: string, watched: Watched, result: ReadResult, now: number): void {
    const contest = result.ok ? (result.output as Contest) : undefined
    if (contest?.status === 'settled') {
      watched.settled = contest
      // What a move came to, and by which prices, is shown when all is over.
      if (contest.mode === undefined || isTradingMode(contest.mode)) this.#settle(contestId, watched)
      else this.#read(contestId, 'agent.modes.state', now, true)
    } else if (contest?.status === 'cancelled') {
      this.#cancelled += 1
      this.#end(contestId)
    } else if (contest?.status === 'live' && !watched.isLive) {
      this.#follow(contestId, watched, contest, now)
    } else if (watched.endsAt === undefined || now >= watched.endsAt) {
      this.#again(contestId, watched, now)
    }
  }

  #again(contestId: string, watched: Watched, now: number): void {
    const waitMs = AGAIN_MS[watched.tries]
    watched.tries += 1
    if (waitMs !== undefined) {
      this.#read(contestId, 'agent.contests.get', now + waitMs)
      return
    }
    this.#unsettled += 1
    this.#end(contestId)
  }

  #settle(contestId: string, { settled, state }: Watched): void {
    if (settled === undefined) return
    this.found.settledAs(settled, state)
    const mode = settled.mode ?? 'unknown'
    this.#byMode[mode] = (this.#byMode[mode] ?? 0) + 1
    this.#end(contestId)
  }

  #end(contestId: string): void {
    this.#watched.delete(contestId)
    this.#over.add(contestId)
    const [oldest] = this.#over
    if (this.#over.size > MOST_OVER && oldest !== undefined) this.#over.delete(oldest)
  }

  #read(contestId: string, procedure: WatchedRead['procedure'], dueAt: number, isLast = false): void {
    this.#plan.push({ contestId, procedure, dueAt, isLast })
  }

  /** Reads of contests that are over, or are not followed any more. */
  #dropStale(): void {
    for (let first = this.#plan.peek(); first !== undefined; first = this.#plan.peek()) {
      const watched = this.#watched.get(first.contestId)
      if (watched !== undefined && this.#sample.has(first.contestId)) return
      if (watched !== undefined) this.#end(first.contestId)
      this.#plan.pop()
    }
  }
}
