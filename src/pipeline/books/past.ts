import type { Result } from '../../contract/enums.ts'
import type { ServiceEvent } from '../../contract/events.ts'
import { isOrderedByTime } from '../../core/ids.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Fill } from '../../strategy/view.ts'
import type { PastFacts } from '../protocol/pastFacts.ts'
import { Portfolios } from '../swaps/portfolios.ts'
import { type Books, emptyBooks, profitOf, type Realised, type Results, remembered } from './books.ts'
import { foldEvent } from './foldEvent.ts'
import { Settlements } from './settlements.ts'

/** Of things that are over so many ids are kept, the newest: an answer that was late must not open one again. */
const MOST_ENDED = 4000
/** Events of one time, and of several makers, need not come in the order of their ids: so many are known each by its own. */
const MOST_SEEN = 1000

/** The results that the facts say. */
export function resultsOf({ byMode, byTerms, cancelled, staked, realised, streak, doubted }: PastFacts): Results {
  return {
    byMode: new Map(byMode.map(({ mode, results, profit }) => [mode, { results, profit }])),
    byTerms: new Map(
      byTerms.map((terms) => {
        const { mode, versus, stake, durationSec } = terms
        return [`${mode} ${versus} ${stake} ${durationSec}`, { ...terms, durationSec }]
      }),
    ),
    cancelled,
    staked,
    realised: realised.map(({ strategy: _, result, ...item }) => ({ ...item, result })),
    streak,
    doubted,
  }
}

/** A contest that came to its end. */
export interface PastContest {
  readonly contestId: string
  readonly endedAt: number
  /** Undefined of one that was cancelled before its mode was told. */
  readonly mode: string | undefined
  readonly strategy: string | undefined
  readonly versus: string | undefined
  readonly chain: string | undefined
  readonly stake: Usdc | undefined
  readonly result: Result | 'CANCELLED'
  readonly profit: Usdc
}

/**
 * Folds events and swaps in the order in which a bot takes them in (`BotState`), into the same figures. It asks nobody, and plans nothing.
 */
export class Past {
  /** Without what was realised: a list that is made anew for every contest would take most of the time. */
  #books: Books
  #realised: Realised[] = []
  readonly #ended: Set<string>
  readonly #portfolios: Portfolios
  readonly #settlements: Settlements
  readonly #chains = new Map<string, string | undefined>()
  /** By contest of the newest two days, who entered it. */
  readonly #strategies = new Map<string, string | undefined>()
  readonly #closed = new Map<string, Usdc>()
  #peakProfit: Usdc
  readonly #seen: Set<string>
  #before: string | null
  /** What it was made of, while nothing has come to it: a start does no more. */
  #unchanged: PastFacts | undefined

  constructor(facts: PastFacts) {
    this.#unchanged = facts
    this.#books = { ...emptyBooks, ...resultsOf({ ...facts, realised: [] }) }
    this.#ended = new Set(facts.ended)
    this.#portfolios = new Portfolios(facts.portfolios)
    this.#settlements = new Settlements(facts.settlements)
    this.#peakProfit = facts.peakProfit
    this.#seen = new Set(facts.seen.ids)
    this.#before = facts.seen.before
  }

  /** Something comes to it. */
  #change(): void {
    const facts = this.#unchanged
    if (facts === undefined) return
    this.#unchanged = undefined
    this.#realised = [...resultsOf(facts).realised]
    for (const { contestId, strategy } of facts.realised) this.#strategies.set(contestId, strategy)
  }

  /** Contests that began and have no end yet, by id, with the ticket that led there. */
  get open(): ReadonlyMap<string, { readonly ticketId: string | undefined }> {
    return this.#books.seats
  }

  /** Tells a folded event of an open contest again: the facts leave the seat out. */
  again(event: ServiceEvent): void {
    this.#fold(event)
    if (event.type === 'contest.live') this.#chains.set(event.data.contestId, event.data.chain)
  }

  /**
   * @param strategyOf who asked for a ticket or a contest
   * @returns the contest that it ends; undefined where it ends none that had not ended
   */
  event(event: ServiceEvent, strategyOf: (id: string) => string | undefined): PastContest | undefined {
    const { id, type, data, createdAt } = event
    // A journal of before may hold an event twice: it counts once.
    if (this.#seen.has(id)) return undefined
    this.#change()
    this.#seen.add(id)
    const seat = 'contestId' in data && typeof data.contestId === 'string' ? this.#books.seats.get(data.contestId) : undefined
    const { books, isRepeated } = this.#settlements.take({ ...this.#books, realised: this.#realised }, event)
    if (books.realised !== this.#realised) this.#realised = [...books.realised]
    this.#books = { ...books, realised: [] }
    if (isRepeated) return undefined
    this.#fold(event)
    if (type === 'contest.live') this.#chains.set(data.contestId, data.chain)
    if (type !== 'contest.settled' && type !== 'contest.cancelled') return undefined
    const { contestId } = data
    this.#close(contestId, createdAt)
    const chain = this.#chains.get(contestId)
    this.#chains.delete(contestId)
    const strategy = strategyOf(contestId) ?? (seat?.ticketId === undefined ? undefined : strategyOf(seat.ticketId))
    const of = { contestId, endedAt: createdAt, strategy, chain }
    if (type === 'contest.cancelled')
      return { ...of, mode: seat?.mode, versus: undefined, stake: seat?.stake, result: 'CANCELLED', profit: 0n }
    this.#strategies.set(contestId, strategy)
    return { ...of, mode: data.mode, versus: data.versus, stake: data.stake, result: data.result, profit: data.profit }
  }

  #fold(event: ServiceEvent): void {
    const { realised, ...books } = foldEvent(this.#books, event, this.#ended)
    this.#realised.push(...realised)
    this.#books = { ...books, realised: [] }
  }

  fill(fill: Fill): void {
    this.#change()
    this.#portfolios.fold(fill)
    if (this.#ended.has(fill.contestId)) this.#close(fill.contestId, fill.at)
    else this.#notePeak()
  }

  /** What the swaps came to of contests that were closed since this was last asked. */
  takeClosed(): ReadonlyMap<string, Usdc> {
    const closed = new Map(this.#closed)
    this.#closed.clear()
    return closed
  }

  get facts(): PastFacts {
    if (this.#unchanged !== undefined) return this.#unchanged
    const { byMode, byTerms, cancelled, staked, streak, doubted } = this.#books
    this.#realised = remembered(this.#realised)
    const realised = this.#realised
    for (const id of [...this.#seen].slice(0, -MOST_SEEN)) {
      this.#seen.delete(id)
      if (isOrderedByTime(id) && (this.#before === null || id > this.#before)) this.#before = id
    }
    for (const id of [...this.#ended].slice(0, -MOST_ENDED)) this.#ended.delete(id)
    const withStrategies = realised.map(({ result, ...item }) => {
      const strategy = this.#strategies.get(item.contestId)
      return { ...item, ...(result === undefined ? {} : { result }), ...(strategy === undefined ? {} : { strategy }) }
    })
    const kept = new Set(realised.map(({ contestId }) => contestId))
    for (const id of this.#strategies.keys()) if (!kept.has(id)) this.#strategies.delete(id)
    return {
      version: 1,
      seen: { ids: [...this.#seen], before: this.#before },
      byMode: [...byMode].map(([mode, { results, profit }]) => ({ mode, results, profit })),
      byTerms: [...byTerms.values()].map(({ durationSec, ...terms }) => ({
        ...terms,
        ...(durationSec === undefined ? {} : { durationSec }),
      })),
      cancelled,
      staked,
      realised: withStrategies,
      streak,
      doubted,
      settlements: this.#settlements.facts,
      peakProfit: this.#peakProfit,
      portfolios: this.#portfolios.facts,
      ended: [...this.#ended],
    }
  }

  #close(contestId: string, at: number): void {
    const cash = this.#portfolios.close(contestId, at)
    if (cash !== undefined) this.#closed.set(contestId, cash)
    this.#notePeak()
  }

  #notePeak(): void {
    const profit = profitOf(this.#books.byMode) + this.#portfolios.closedCash
    if (profit > this.#peakProfit) this.#peakProfit = profit
  }
}
