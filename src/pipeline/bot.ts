import type { ExtraPaths } from '../contract/paths.ts'
import { Reservations } from '../guard/index.ts'
import type { BotConfig } from '../strategy/config.ts'
import { Agenda } from './agenda.ts'
import type { Ended } from './foldEvent.ts'
import type { PriceBook } from './priceBook.ts'
import { type Books, emptyBooks } from './state.ts'
import { StepDraft } from './step.ts'

export interface BotOptions {
  readonly config: BotConfig
  readonly paths: ExtraPaths
  /** An answer later than this is lost. */
  readonly timeoutMs: number
  readonly book: PriceBook
  /** A fresh salt from the system's secure randomness; a replay plays recorded ones. */
  readonly salt: () => string
}

/** What the parts of the core share: the bot's books, its plans, and the step being worked out. */
export class Bot {
  readonly options: BotOptions
  readonly agenda = new Agenda()
  readonly reservations = new Reservations()
  readonly ended: Ended = new Set()
  books: Books = emptyBooks
  /** The newest price tick this bot has processed. */
  tick = 0
  step: StepDraft

  constructor(options: BotOptions) {
    this.options = options
    this.step = new StepDraft({ type: 'timer', n: 0, at: 0 })
  }

  /** The number of the input being processed. */
  get n(): number {
    return this.step.input.n
  }

  /** The time of the input being processed, in Unix milliseconds: the only time there is. */
  get now(): number {
    return this.step.input.at
  }
}
