import type { EventData, ServiceEvent } from '../../contract/events.ts'
import { CornermanError } from '../../core/error.ts'
import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import type { Bot } from '../bot.ts'
import { countedAgain, countedProfit } from './books.ts'

type Settled = EventData<'contest.settled'>

/**
 * Ends of contests, as the stream tells them. The first settlement of a contest stands. One that contradicts it, or itself, counts for
 * the guard as the worse of what was told and what follows, and is an alarm: which of them is true nobody here can know.
 */
export class Settlements {
  readonly #bot: Bot
  /** Contests that the stream has called settled, and cancelled. */
  readonly #settled = new Set<string>()
  readonly #cancelled = new Set<string>()

  constructor(bot: Bot) {
    this.#bot = bot
  }

  /** @returns whether the event ends what has ended before, so that nothing but the guard's count follows from it */
  isRepeated(event: ServiceEvent, { recorded }: { readonly recorded: boolean }): boolean {
    if (event.type !== 'contest.settled' && event.type !== 'contest.cancelled') return false
    const { contestId } = event.data
    const wasSettled = this.#settled.has(contestId)
    const wasCancelled = this.#cancelled.has(contestId)
    // What the journal holds was said when it was heard of.
    const say = (what: string) => {
      if (recorded) return
      const { code, message } = new CornermanError('SETTLEMENT_CONTRADICTED', `the service contradicts itself: ${what}`)
      this.#bot.step.note('error', message, { contestId, code })
    }
    if (event.type === 'contest.cancelled') {
      if (wasSettled) say('it calls a contest cancelled that it had settled. The settlement stands')
      this.#cancelled.add(contestId)
      return wasSettled || wasCancelled
    }
    if (wasSettled) {
      this.#onSettledAgain(event.data, say)
      return true
    }
    this.#settled.add(contestId)
    if (wasCancelled) say('it settles a contest that it had called cancelled. It counts as settled')
    this.#onFirst(event.data, say)
    return false
  }

  #onFirst(settled: Settled, say: (what: string) => void): void {
    const counted = countedProfit(settled, this.#bot.books.seats.get(settled.contestId)?.stake)
    if (counted < settled.profit) say(`${told(settled)}. It counts as ${formatUsdc(counted)} USDC against the caps`)
  }

  #onSettledAgain(settled: Settled, say: (what: string) => void): void {
    const { books } = this.#bot
    const { contestId, result, profit } = settled
    const first = books.realised.find((item) => item.contestId === contestId)
    // The same once more, under another id, is no contradiction.
    if (first?.result === result && first.profit === profit) return
    this.#bot.books = countedAgain(books, contestId, countedProfit(settled, first?.stake))
    say(
      `it has settled a contest, and settles it once more (${told(settled)}). The first settlement stands; the worse of the two counts against the caps`,
    )
  }
}

const told = ({ result, profit, stake }: { readonly result: string; readonly profit: Usdc; readonly stake: Usdc }): string =>
  `${result} with a profit of ${formatUsdc(profit)} USDC on a stake of ${formatUsdc(stake)}`
