import type { EventData, ServiceEvent } from '../../contract/events.ts'
import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import type { SettlementsFacts } from '../protocol/pastFacts.ts'
import { type Books, countedAgain, countedProfit } from './books.ts'

type Settled = EventData<'contest.settled'>

/** Ends that are told apart from what came before them so many contests ago. */
const MOST_REMEMBERED = 4000

/** What an event comes to as an end of a contest. */
export interface Ending {
  readonly books: Books
  /** Whether it ends what has ended before, so that nothing but the guard's count follows from it. */
  readonly isRepeated: boolean
  /** In what the service contradicts itself by it, and what counts. */
  readonly contradiction: string | undefined
}

/**
 * Ends of contests, as the stream tells them. The first settlement of a contest stands. One that contradicts it, or itself, counts for
 * the guard as the worse of what was told and what follows, and is an alarm: which of them is true nobody here can know.
 */
export class Settlements {
  readonly #settled: Set<string>
  readonly #cancelled: Set<string>

  constructor({ settled, cancelled }: SettlementsFacts = { settled: [], cancelled: [] }) {
    this.#settled = new Set(settled)
    this.#cancelled = new Set(cancelled)
  }

  get facts(): SettlementsFacts {
    return { settled: [...this.#settled].slice(-MOST_REMEMBERED), cancelled: [...this.#cancelled].slice(-MOST_REMEMBERED) }
  }

  /** Takes the event in, before the books do. */
  take(books: Books, event: ServiceEvent): Ending {
    const unchanged: Ending = { books, isRepeated: false, contradiction: undefined }
    if (event.type !== 'contest.settled' && event.type !== 'contest.cancelled') return unchanged
    const { contestId } = event.data
    const wasSettled = this.#settled.has(contestId)
    const wasCancelled = this.#cancelled.has(contestId)
    if (event.type === 'contest.cancelled') {
      this.#cancelled.add(contestId)
      const contradiction = wasSettled ? 'it calls a contest cancelled that it had settled. The settlement stands' : undefined
      return { ...unchanged, isRepeated: wasSettled || wasCancelled, contradiction }
    }
    if (wasSettled) return settledAgain(books, event.data)
    this.#settled.add(contestId)
    const inItself = contradictionIn(event.data, books.seats.get(contestId)?.stake)
    const ofCancelled = wasCancelled ? 'it settles a contest that it had called cancelled. It counts as settled' : undefined
    return { ...unchanged, contradiction: [ofCancelled, inItself].filter((said) => said !== undefined).join('. ') || undefined }
  }
}

function settledAgain(books: Books, settled: Settled): Ending {
  const { contestId, result, profit } = settled
  const first = books.realised.find((item) => item.contestId === contestId)
  // The same once more, under another id, is no contradiction.
  if (first?.result === result && first.profit === profit) return { books, isRepeated: true, contradiction: undefined }
  return {
    books: countedAgain(books, contestId, countedProfit(settled, first?.stake)),
    isRepeated: true,
    contradiction: `it has settled a contest, and settles it once more (${told(settled)}). The first settlement stands; the worse of the two counts against the caps`,
  }
}

function contradictionIn(settled: Settled, stake: Usdc | undefined): string | undefined {
  const counted = countedProfit(settled, stake)
  return counted < settled.profit ? `${told(settled)}. It counts as ${formatUsdc(counted)} USDC against the caps` : undefined
}

const told = ({ result, profit, stake }: { readonly result: string; readonly profit: Usdc; readonly stake: Usdc }): string =>
  `${result} with a profit of ${formatUsdc(profit)} USDC on a stake of ${formatUsdc(stake)}`
