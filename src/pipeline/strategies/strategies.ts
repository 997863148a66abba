import { broken, unreachable } from '../../core/error.ts'
import type { Strategy } from '../../strategy/define.ts'
import type { BotView } from '../../strategy/view.ts'
import { viewOf } from '../books/views.ts'
import type { Stores } from '../coordinator/stores.ts'
import type { Heard } from '../flow/proposal.ts'
import { modesShown } from '../playable/modesShown.ts'
import { StrategyPrices } from '../prices/strategyPrices.ts'
import type { StrategyResult } from '../protocol/input.ts'
import { parseTaskKey, type TaskKeyOf } from '../protocol/taskKey.ts'
import type { Present } from '../state/present.ts'
import { Calls } from './calls.ts'
import { Customs } from './customs.ts'
import { Entrance } from './entrance.ts'
import { Moves } from './moves.ts'
import { Policies } from './policies.ts'
import { Traders } from './traders.ts'

const isAsked = ({ kind }: Strategy): boolean => kind === 'queue' || kind === 'draft' || kind === 'predict'

interface StrategiesOptions {
  readonly present: Present
  /** By what they are now: what one of them is called decides what it may spend. */
  readonly strategies: readonly Strategy[]
  readonly stores: Pick<Stores, 'prices' | 'modes' | 'portfolios' | 'figures' | 'intents' | 'custody' | 'swaps' | 'reads' | 'path'>
  /** Told of what a strategy emits between inputs. */
  readonly onLate: (callId: string, result: StrategyResult) => void
  /** Told of what strategies hear of at once. */
  readonly hear: (heard: Heard) => void
}

/** A bot's strategies, in one module for each kind. */
export class Strategies {
  readonly calls: Calls
  readonly customs: Customs
  readonly moves: Moves
  readonly traders: Traders
  readonly policies: Policies
  readonly entrance: Entrance
  readonly #present: Present
  readonly #newest: Stores['prices']
  readonly #hear: (heard: Heard) => void
  /** Of those that are asked, by name: a price that one of them is told is its own, and no other sees what it makes of it. */
  readonly #prices: ReadonlyMap<string, StrategyPrices>

  constructor(options: StrategiesOptions) {
    const { present, strategies, stores, onLate, hear } = options
    const { prices: newest, modes, portfolios, intents, swaps } = stores
    this.#present = present
    this.#newest = newest
    this.#hear = hear
    const { book } = present.options
    const view = (): BotView =>
      viewOf(present.books, {
        modes: modesShown(modes, present.now),
        entering: intents.entering,
        hasSwapped: (contestId) => portfolios.open.has(contestId) || swaps.isUnderWayFor(contestId),
      })
    this.#prices = new Map(strategies.filter(isAsked).map(({ name }) => [name, new StrategyPrices(book)]))
    const calls = new Calls(present, {
      prices: (strategy) => this.#pricesOf(strategy).asOf(newest.tick, present.now),
      state: view,
      entries: () => intents.entries,
      onStray: (callId, thrown) => onLate(callId, { ok: false, thrown }),
      onOutdated: ({ name }) => {
        present.step.note('debug', 'another entry was made while it was deciding: it is asked again', { strategy: name })
        this.policies.wantDecision()
      },
    })
    this.calls = calls
    const own = { present, strategies, stores, calls }
    this.customs = new Customs({ ...own, view, onLate })
    this.moves = new Moves({ ...own, customs: this.customs })
    this.traders = new Traders({ ...own, onLate })
    this.policies = new Policies({ ...own, customs: this.customs })
    this.entrance = new Entrance({ present, calls, moves: this.moves })
  }

  /** Whether a strategy is to be asked, or told of something, at the next input. */
  get isWaiting(): boolean {
    return this.policies.isWaiting || this.traders.isWaiting
  }

  /** Whether one of them has something to do in a turn that is of swaps alone. */
  get haveTurn(): boolean {
    return this.policies.haveTurn || this.traders.haveTurn || this.customs.haveTurn
  }

  /** New prices: by far the commonest input, of which nearly always nothing comes. */
  onPrices(): void {
    const { books } = this.#present
    const { tick, tick$ } = this.#newest
    for (const prices of this.#prices.values()) prices.emit(tick)
    if (!books.caughtUp) return
    if (tick$.observed) tick$.next(tick)
    this.customs.onPrices(this.#hear)
    this.traders.onPrices(this.#hear)
  }

  onDue(purpose: TaskKeyOf<'strategies'>): void {
    const { kind, subjectId } = parseTaskKey(purpose)
    switch (kind) {
      case 'decide':
        this.policies.wantDecision()
        return
      case 'browse':
        this.policies.browse()
        return
      case 'every':
        this.#hear({ type: 'period', purpose })
        return
      case 'call':
        this.calls.onOverdue(subjectId)
        return
      default:
        unreachable(kind)
    }
  }

  stop(): void {
    for (const prices of this.#prices.values()) prices.close()
    this.calls.stop()
    this.traders.stop()
    this.customs.stop()
  }

  #pricesOf(strategy: string): StrategyPrices {
    return this.#prices.get(strategy) ?? broken('a strategy that is asked has prices of its own', { strategy })
  }
}
