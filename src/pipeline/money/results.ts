import type { ServiceEvent } from '../../contract/events.ts'
import type { Usdc } from '../../core/usdc.ts'
import { profitOf, type Realised, type Results as ResultBooks, realisedWith } from '../books/books.ts'
import { resultsAfter } from '../books/foldEvent.ts'
import type { OwnedBooks, Pen } from '../books/ownedBooks.ts'
import { resultsOf } from '../books/past.ts'
import { Settlements } from '../books/settlements.ts'
import type { PastFacts } from '../protocol/pastFacts.ts'
import type { Portfolios } from '../swaps/portfolios.ts'

/** What contests and swaps have come to over the life of the journal. */
export class Results {
  readonly #books: OwnedBooks
  readonly #portfolios: Portfolios
  readonly #write: Pen<keyof ResultBooks>
  #settlements = new Settlements()
  #peakProfit: Usdc = 0n

  constructor(books: OwnedBooks, portfolios: Portfolios) {
    this.#books = books
    this.#portfolios = portfolios
    this.#write = books.penFor('byMode', 'byTerms', 'cancelled', 'staked', 'realised', 'streak', 'doubted')
  }

  /** Begins where an earlier run was. */
  restore(facts: PastFacts): void {
    this.#write(resultsOf(facts))
    this.#settlements = new Settlements(facts.settlements)
    this.#peakProfit = facts.peakProfit
  }

  /**
   * Takes the end of a contest in, before anybody else does.
   *
   * @returns whether it ends what has ended before, so that nothing but the guard's count follows from it; and in what the service
   *   contradicts itself by it
   */
  end(event: ServiceEvent): { readonly isRepeated: boolean; readonly contradiction: string | undefined } {
    const { books, isRepeated, contradiction } = this.#settlements.take(this.#books.present, event)
    this.#write(books)
    return { isRepeated, contradiction }
  }

  /** Counts an event, while the books still have its seat. */
  count(event: ServiceEvent): void {
    this.#write(resultsAfter(this.#books.present, event))
  }

  /** A contest whose end nobody tells counts as lost. */
  supposeLost(lost: Realised): void {
    this.#write({ realised: realisedWith(this.#books.present, lost) })
  }

  /** The profit of the journal's life, open positions apart. */
  get profit(): Usdc {
    return profitOf(this.#books.present.byMode) + this.#portfolios.closedCash
  }

  /** The highest that the profit has been, of contests and of swaps in those that are closed. */
  get peakProfit(): Usdc {
    return this.#peakProfit
  }

  notePeak(): void {
    const { profit } = this
    if (profit > this.#peakProfit) this.#peakProfit = profit
  }
}
