import { Subject } from 'rxjs'
import type { ExtraPaths } from '../contract/paths.ts'
import type { TokenFacts } from '../core/tokenFacts.ts'
import type { Mint } from '../core/tokens.ts'
import { Reservations } from '../guard/index.ts'
import type { BotConfig } from '../strategy/config.ts'
import type { Strategy } from '../strategy/define.ts'
import { isIsolated } from '../strategy/isIsolated.ts'
import { Agenda } from './agenda.ts'
import { KnownSignatures } from './answers/knownSignatures.ts'
import { Attribution } from './books/attribution.ts'
import type { Books } from './books/books.ts'
import { OwnedBooks } from './books/ownedBooks.ts'
import { Results } from './money/results.ts'
import { UNPLAYED_LIMITS } from './playable/modeRecord.ts'
import { Modes } from './playable/modes.ts'
import { Plays } from './playable/plays.ts'
import type { PriceHistory } from './prices/priceHistory.ts'
import type { ActionCounts } from './protocol/input.ts'
import type { Ports } from './protocol/ports.ts'
import type { RefusedAction } from './protocol/step.ts'
import { Refusals } from './refusals.ts'
import { Session } from './state/session.ts'
import { StepDraft } from './stepDraft.ts'
import { Portfolios } from './swaps/portfolios.ts'
import { UnseenCash } from './swaps/unseenCash.ts'

type Counts = { -readonly [K in keyof ActionCounts]: ActionCounts[K] }

export interface BotOptions {
  readonly config: BotConfig
  readonly paths: ExtraPaths
  /** An answer later than this is lost. */
  readonly timeoutMs: number
  /** The service's figures of money hold for so long, unless the bot's own doings move them. */
  readonly figuresHoldMs: number
  readonly book: PriceHistory
  readonly seal: Ports['seal']
  readonly isolation: Ports['isolation']
}

/** What the parts of the state share: the bot's books, its plans, and the step being worked out. */
export class Bot {
  readonly options: BotOptions
  /** Of the config, by what they are now: what one of them is called decides what it may spend. In place of those that are isolated, who speaks for them. */
  readonly strategies: readonly Strategy[]
  /** The ticks that strategies are told of, for those that are isolated. */
  readonly tick$ = new Subject<number>()
  readonly agenda = new Agenda()
  readonly reservations = new Reservations()
  readonly attribution = new Attribution()
  readonly portfolios = new Portfolios()
  readonly unseenCash = new UnseenCash()
  readonly owned = new OwnedBooks()
  readonly session = new Session(this.owned)
  readonly results = new Results(this.owned, this.portfolios)
  readonly plays = new Plays()
  readonly modes: Modes
  readonly signatures = new KnownSignatures()
  /** Whether a swap can be looked up on the chain. */
  hasChain = false
  readonly counts: Counts = { sent: 0, refused: 0, failed: 0, revealed: 0, missed: 0, swapsFilled: 0, swapsFailed: 0 }
  /** Happenings that no table had: each was noted and ignored. */
  lifecycleBreaks = 0
  /** What it was told of tokens: those beside the table, and more of some that are in it. */
  tokens: ReadonlyMap<Mint, TokenFacts> = new Map()
  /** The newest price tick this bot has processed. */
  tick = 0
  /** When it was processed, in Unix milliseconds; undefined: there was none. */
  pricesAt: number | undefined = undefined
  step: StepDraft
  readonly #refusals = new Refusals()

  constructor(options: BotOptions) {
    this.options = options
    this.step = new StepDraft({ type: 'timer', n: 0, at: 0 })
    const { config, isolation } = options
    this.modes = new Modes(config.guard.unplayed ?? UNPLAYED_LIMITS)
    const moment = () => ({ n: this.n, at: this.now, tick: this.tick })
    const present = { moment, isCaughtUp: () => this.books.caughtUp, tick$: this.tick$ }
    this.strategies = config.strategies.map((strategy, place) =>
      Object.freeze(isIsolated(config, strategy) ? { ...isolation.standInFor(strategy, place, present), external: true } : { ...strategy }),
    )
  }

  get ended(): ReadonlySet<string> {
    return this.owned.ended
  }

  get books(): Books {
    return this.owned.present
  }

  /**
   * The guard keeps an action back.
   *
   * @param what the action in words
   */
  refuse(refused: RefusedAction, what: string): void {
    this.counts.refused += 1
    this.#refusals.add(this.step, refused, what)
  }

  /** A valid move was made in a contest. */
  moved(contestId: string): void {
    // One that is over, and of which all is said, is not begun again.
    if (this.ended.has(contestId) && !this.plays.has(contestId)) return
    this.plays.moved(contestId)
    const mode = this.books.seats.get(contestId)?.mode
    if (mode !== undefined) this.modes.happened(mode, { type: 'moved' }, this.step)
  }

  /** The number of the input being processed. */
  get n(): number {
    return this.step.n
  }

  /** The time of the input being processed, in Unix milliseconds: the only time there is. */
  get now(): number {
    return this.step.at
  }
}
