import type { ActionOf } from '../../strategy/action.ts'
import type { Bot } from '../bot.ts'
import type { Custody, CustodyStatus } from '../protocol/input.ts'

/** Keeps predictions with their salts from before they are committed until they are revealed: a salt that is lost is a stake that is lost. */
export class Vault {
  readonly #bot: Bot
  /** What became of the last reveal that came to nothing, by contest: forgotten with the prediction. */
  readonly #troubles = new Map<string, string>()

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
    this.#bot.writeSeats({ custody: new Map(books.custody).set(contestId, custody) })
    step.custody.push(custody)
  }

  /** Whether the prediction in custody is sealed for the seat that the bot has: one that was given back and taken again is another. */
  isForSeat(contestId: string): boolean {
    const { custody, seats } = this.#bot.books
    const held = custody.get(contestId)
    return held !== undefined && held.entryId === seats.get(contestId)?.entryId
  }

  /** A reveal came to nothing: `why`, in words of the service or of a look at it. */
  revealFailed(contestId: string, why: string): void {
    if (this.#bot.books.custody.has(contestId)) this.#troubles.set(contestId, why)
  }

  /** Why the last reveal in a contest came to nothing; undefined where none was tried, or none failed. */
  revealTrouble(contestId: string): string | undefined {
    return this.#troubles.get(contestId)
  }

  /** Predictions that are still to be shown after a reveal came to nothing. */
  get troubled(): readonly { readonly contestId: string; readonly reason: string }[] {
    const { custody } = this.#bot.books
    return [...this.#troubles]
      .filter(([contestId]) => custody.get(contestId)?.status === 'committed')
      .map(([contestId, reason]) => ({ contestId, reason }))
  }

  /**
   * Moves a prediction on. One that is missed or dropped leaves custody; one that is revealed stays until
   * its contest is over, so that nothing can make the same contest a second one. One that is there already stays:
   * the word of its move and the word of the contest's end may both say so.
   */
  move(contestId: string, status: CustodyStatus): void {
    const { books, step } = this.#bot
    const held = books.custody.get(contestId)
    if (held === undefined || held.status === status) return
    if (status === 'revealed' || status === 'missed') this.#bot.counts[status] += 1
    if (status === 'missed' || status === 'dropped') this.forget(contestId)
    else this.#bot.writeSeats({ custody: new Map(books.custody).set(contestId, { ...held, status }) })
    step.custody.push({ ...held, status })
    if (status === 'committed') this.#bot.plays.cleared(contestId)
    if (status === 'revealed') this.#bot.moved(contestId)
  }

  /** A prediction about which nothing is left to be done, such as one that was revealed in a contest that is over. */
  forget(contestId: string): void {
    const custody = new Map(this.#bot.books.custody)
    custody.delete(contestId)
    this.#troubles.delete(contestId)
    this.#bot.writeSeats({ custody })
  }
}
