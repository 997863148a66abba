import { broken, unreachable } from '../../core/error.ts'
import type { Strategy } from '../../strategy/define.ts'
import type { BotView } from '../../strategy/view.ts'
import type { Intents } from '../actions/intents.ts'
import { viewOf } from '../books/views.ts'
import type { Bot } from '../bot.ts'
import type { Heard } from '../flow/proposal.ts'
import { modesShown } from '../playable/modesShown.ts'
import type { PathWatch } from '../playable/pathWatch.ts'
import { unplayedBy } from '../playable/unplayedBy.ts'
import { StrategyPrices } from '../prices/strategyPrices.ts'
import type { StrategyResult } from '../protocol/input.ts'
import { type PurposeOwnedBy, partsOf } from '../protocol/purpose.ts'
import type { Reads } from '../reads.ts'
import type { Swaps } from '../swaps/swaps.ts'
import { Calls } from './calls.ts'
import { Customs } from './customs.ts'
import { Entrance } from './entrance.ts'
import { Moves } from './moves.ts'
import { Policies } from './policies.ts'
import { Traders } from './traders.ts'

const isAsked = ({ kind }: Strategy): boolean => kind === 'queue' || kind === 'draft' || kind === 'predict'

interface StrategiesOptions {
  readonly bot: Bot
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
  readonly #bot: Bot
  readonly #hear: (heard: Heard) => void
  /** Of those that are asked, by name: a price that one of them is told is its own, and no other sees what it makes of it. */
  readonly #prices: ReadonlyMap<string, StrategyPrices>

  constructor({ bot, intents, swaps, reads, path, onLate, hear }: StrategiesOptions) {
    this.#bot = bot
    this.#hear = hear
    const { strategies } = bot
    const { book } = bot.options
    const view = (): BotView =>
      viewOf(bot.books, {
        modes: modesShown(bot),
        entering: intents.entering,
        hasSwapped: (contestId) => bot.portfolios.open.has(contestId) || swaps.isUnderWayFor(contestId),
      })
    this.#prices = new Map(strategies.filter(isAsked).map(({ name }) => [name, new StrategyPrices(book)]))
    const calls = new Calls(bot, {
      prices: (strategy) => this.#pricesOf(strategy).asOf(bot.tick, bot.now),
      state: view,
      entries: () => intents.entries,
      onOutdated: ({ name }) => {
        bot.step.note('debug', 'another entry was made while it was deciding: it is asked again', { strategy: name })
        this.policies.wantDecision()
      },
    })
    this.calls = calls
    this.customs = new Customs({ bot, calls, view, onLate })
    this.moves = new Moves({ bot, calls, customs: this.customs, intents })
    this.traders = new Traders(bot, calls, swaps, onLate)
    this.policies = new Policies({ bot, calls, customs: this.customs, intents, reads, path })
    bot.modes.unplayedBy = (mode) => unplayedBy(mode, strategies, (name) => calls.suspendedUntil(name))
    this.entrance = new Entrance({ bot, calls, intents, moves: this.moves, swaps })
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
    const { books, tick, tick$ } = this.#bot
    for (const prices of this.#prices.values()) prices.emit(tick)
    if (!books.caughtUp) return
    if (tick$.observed) tick$.next(tick)
    this.customs.onPrices(this.#hear)
    this.traders.onPrices(this.#hear)
  }

  onDue(purpose: PurposeOwnedBy<'strategies'>): void {
    const { kind, about } = partsOf(purpose)
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
        this.calls.onOverdue(about)
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
