import { SKEW_MS } from '../../core/skew.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { SwapAction } from '../../strategy/action.ts'
import { profitOf } from '../books/books.ts'
import type { Figures } from '../money/figures.ts'
import type { SwapRecord, WalletFigures } from '../protocol/input.ts'
import type { Present } from '../state/present.ts'
import { byBalances, type Unsure } from './byBalances.ts'
import { withSettled } from './confirming.ts'

/** Of a read that took longer nobody knows which of the settlements meanwhile its figures have. */
const PROMPT_MS = 5000
/** A service may show a swap later than it has called it executed: one that reads finalised blocks, by some 13 seconds. */
const LAG_MS = 20_000

/** The newest swap that was executed, or failed on the chain: either has paid its fee. */
interface Paid {
  /** Undefined where nobody knows it any more. */
  readonly swap: { readonly action: SwapAction; readonly record: SwapRecord } | undefined
  readonly movesUsdc: boolean
  /** When it was known, in Unix milliseconds. */
  readonly at: number
}

/** The wallet as the service says it, and how far that is to be trusted. */
export class ComparedFigures {
  readonly #present: Present
  readonly #money: Figures
  #paid: Paid | undefined

  constructor(present: Present, money: Figures) {
    this.#present = present
    this.#money = money
  }

  /** Figures of nothing older than the last move of money; undefined until they were read. */
  known(): WalletFigures | undefined {
    const { books } = this.#present
    const { bankroll, gasLamports } = books
    if (bankroll?.value.inPlay === undefined || gasLamports === undefined) return undefined
    if (this.#money.isOld(Math.min(bankroll.begunAt, gasLamports.begunAt))) return undefined
    return {
      ...{ total: bankroll.value.available + bankroll.value.inPlay, gasLamports: gasLamports.value },
      ...{ profit: profitOf(books.byMode), readAt: bankroll.begunAt, answeredAt: bankroll.answeredAt },
    }
  }

  /** The same, read without delay, of a service that shows the swap before: by them is told what the next one moves. */
  prompt(): WalletFigures | undefined {
    const figures = this.known()
    const { bankroll } = this.#present.books
    if (figures === undefined || bankroll === undefined || bankroll.answeredAt - bankroll.begunAt > PROMPT_MS) return undefined
    return this.#isUnseen(figures) ? undefined : figures
  }

  /** True where the newest swap may be missing in them, or a part of it: a service can read gas and USDC of different moments. */
  #isUnseen(figures: WalletFigures): boolean {
    if (this.#paid === undefined || this.#present.now >= this.#paid.at + LAG_MS) return false
    const { swap, movesUsdc } = this.#paid
    // A fee leaves less of it. More than before are figures from before the swap before that one, too.
    if (swap?.record.before === undefined || figures.gasLamports >= swap.record.before.gasLamports) return true
    return movesUsdc && byBalances({ ...swap, after: figures, unsure: this.unsure(swap.record) }) !== 'landed'
  }

  onFeePaid(paid: Paid): void {
    this.#paid = paid
  }

  onSettled(profit: Usdc, at: number): void {
    const { swap } = this.#paid ?? {}
    const record = swap && withSettled(swap.record, profit, at)
    if (this.#paid !== undefined && swap !== undefined && record !== undefined) this.#paid = { ...this.#paid, swap: { ...swap, record } }
  }

  /** True where reading them anew can help: a service may leave out what that takes, from the first or from now on. */
  get mayBeRead(): boolean {
    const { bankroll, gasLamports } = this.#present.books
    return bankroll === undefined || (bankroll.value.inPlay !== undefined && gasLamports?.begunAt === bankroll.begunAt)
  }

  /**
   * Results of the contests that were settled about when the figures of a swap were read. While they were, it may have been before or
   * after. A little earlier or later, it is the clocks of the two machines that may differ.
   */
  unsure({ before }: SwapRecord): Unsure {
    const either: Usdc[] = []
    const doubtful: Usdc[] = []
    if (before?.readAt === undefined) return { either, doubtful }
    const { readAt, answeredAt = readAt } = before
    for (const { at, profit } of this.#present.books.realised) {
      if (at < readAt - SKEW_MS || at > answeredAt + SKEW_MS) continue
      const list = at > readAt && at <= answeredAt ? either : doubtful
      list.push(at <= readAt ? -profit : profit)
    }
    return { either, doubtful }
  }
}
