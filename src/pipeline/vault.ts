import type { ActionOf } from '../strategy/action.ts'
import type { Bot } from './bot.ts'
import type { Custody, CustodyStatus } from './input.ts'

/** Keeps predictions with their salts from before they are committed until they are revealed: a salt that is lost is a stake that is lost. */
export class Vault {
  readonly #bot: Bot

  constructor(bot: Bot) {
    this.#bot = bot
  }

  /** The service has the commitment; a prediction that is revealed already stays so. */
  confirm(contestId: string): void {
    if (this.#bot.books.custody.get(contestId)?.status === 'made') this.move(contestId, 'committed')
  }

  /** Makes the salt and the commitment, once a contest: a second attempt commits to the same. */
  take(action: ActionOf<'commitPrediction'>): void {
    const { books, options, step } = this.#bot
    const { contestId, price } = action
    const entryId = books.seats.get(contestId)?.entryId
    if (books.custody.has(contestId) || entryId === undefined) return
    const custody: Custody = { contestId, entryId, price, ...options.seal(price, entryId), status: 'made' }
    this.#bot.books = { ...books, custody: new Map(books.custody).set(contestId, custody) }
    step.custody.push(custody)
  }

  /**
   * Moves a prediction on. One that is missed or dropped leaves custody; one that is revealed stays until
   * its contest is over, so that nothing can make the same contest a second one.
   */
  move(contestId: string, status: CustodyStatus): void {
    const { books, step } = this.#bot
    const held = books.custody.get(contestId)
    if (held === undefined) return
    if (status === 'revealed' || status === 'missed') this.#bot.counts[status] += 1
    const custody = new Map(books.custody)
    if (status === 'missed' || status === 'dropped') custody.delete(contestId)
    else custody.set(contestId, { ...held, status })
    this.#bot.books = { ...books, custody }
    step.custody.push({ ...held, status })
  }

  /** A prediction that was revealed, in a contest that is over: nothing is left to be done about it. */
  forget(contestId: string): void {
    const custody = new Map(this.#bot.books.custody)
    custody.delete(contestId)
    this.#bot.books = { ...this.#bot.books, custody }
  }
}
