import { broken, unreachable } from '../../core/error.ts'
import type { Strategy } from '../../strategy/define.ts'
import type { BotView } from '../../strategy/view.ts'
import type { Intents } from '../actions/intents.ts'
import { viewOf } from '../books/views.ts'
import type { Heard } from '../flow/proposal.ts'
import type { Figures } from '../money/figures.ts'
import type { Modes } from '../playable/modes.ts'
import { modesShown } from '../playable/modesShown.ts'
import type { PathWatch } from '../playable/pathWatch.ts'
import type { Plays } from '../playable/plays.ts'
import { unplayedBy } from '../playable/unplayedBy.ts'
import type { NewestPrices } from '../prices/newestPrices.ts'
import { StrategyPrices } from '../prices/strategyPrices.ts'
import type { StrategyResult } from '../protocol/input.ts'
import { parseTaskKey, type TaskKeyOf } from '../protocol/taskKey.ts'
import type { Reads } from '../reads.ts'
import type { Present } from '../state/present.ts'
import type { Portfolios } from '../swaps/portfolios.ts'
import type { Swaps } from '../swaps/swaps.ts'
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
  readonly newest: NewestPrices
  readonly modes: Modes
  readonly plays: Plays
  readonly portfolios: Portfolios
  readonly figures: Figures
  readonly intents: Intents
  readonly swaps: Swaps
  readonly reads: Reads
  readonly path: PathWatch
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
  readonly #newest: NewestPrices
  readonly #hear: (heard: Heard) => void
  /** Of those that are asked, by name: a price that one of them is told is its own, and no other sees what it makes of it. */
  readonly #prices: ReadonlyMap<string, StrategyPrices>

  constructor(options: StrategiesOptions) {
    const { present, strategies, newest, modes, plays, portfolios, figures, intents, swaps, reads, path, onLate, hear } = options
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
      plays,
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
    const own = { present, strategies, newest, plays, calls }
    this.customs = new Customs({ ...own, view, onLate })
    this.moves = new Moves({ ...own, customs: this.customs, intents })
    this.traders = new Traders({ ...own, portfolios, swaps, unseenSpend: () => figures.reservations.unseenSpend, onLate })
    this.policies = new Policies({ ...own, customs: this.customs, intents, reads, path })
    modes.unplayedBy = (mode) => unplayedBy(mode, strategies, (name) => calls.suspendedUntil(name))
    this.entrance = new Entrance({ present, calls, intents, moves: this.moves, plays, swaps })
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
