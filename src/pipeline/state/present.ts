import type { ExtraPaths } from '../../contract/paths.ts'
import type { BotConfig } from '../../strategy/config.ts'
import type { Books } from '../books/books.ts'
import { OwnedBooks } from '../books/ownedBooks.ts'
import { Deadlines } from '../deadlines.ts'
import type { PriceHistory } from '../prices/priceHistory.ts'
import type { Ports } from '../protocol/ports.ts'
import { StepDraft } from '../stepDraft.ts'

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

/** How things stand while an input is being taken in: what every part of the state may read, the step that it works on, and the deadlines. */
export class Present {
  readonly options: BotOptions
  readonly deadlines = new Deadlines()
  readonly owned = new OwnedBooks()
  step: StepDraft
  /** How far `now` is ahead of the service's time, in milliseconds: times that the service names are moved by it. */
  lagMs = 0
  /** How far this machine's clock is ahead of the service's, while that is more than an hour; else 0. */
  clockGapMs = 0
  /** Happenings that no table had: each was noted and ignored. */
  lifecycleBreaks = 0

  constructor(options: BotOptions) {
    this.options = options
    this.step = new StepDraft({ type: 'timer', n: 0, at: 0 })
  }

  get books(): Books {
    return this.owned.present
  }

  /** Ids of tickets and contests that are over: an answer that comes late must not open one again. */
  get ended(): ReadonlySet<string> {
    return this.owned.ended
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
