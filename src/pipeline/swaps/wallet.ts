import { formatAmount } from '../../core/tokens.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Refusal } from '../../guard/index.ts'
import type { SwapAction } from '../../strategy/action.ts'
import type { Fill, SwapOutcome } from '../../strategy/view.ts'
import { SKEW_MS } from '../actions/reconciliation.ts'
import { profitOf } from '../books/books.ts'
import type { Bot } from '../bot.ts'
import type { SwapRecord, WalletFigures } from '../input.ts'
import type { IntentStatus } from '../ports.ts'
import { describeSwap, type OpenSwap } from './openSwap.ts'

/** Told of what became of a swap, for whoever asked for it. */
export type OnSwapOutcome = (by: string, contestId: string, outcome: SwapOutcome) => void

/** The wallet of the bot: the one swap that is under way on it, and the ways in which that one ends. */
export class Wallet {
  open: OpenSwap | undefined
  readonly #bot: Bot
  readonly #onOutcome: OnSwapOutcome

  constructor(bot: Bot, onOutcome: OnSwapOutcome) {
    this.#bot = bot
    this.#onOutcome = onOutcome
  }

  /** The swap under way, where it is of that key and at that stage. */
  openAt(key: string, stage: OpenSwap['stage']): OpenSwap | undefined {
    return this.open?.intent.key === key && this.open.stage === stage ? this.open : undefined
  }

  /** What the service says of it, and of nothing older than the last move of money; undefined until that was read. */
  figures(): WalletFigures | undefined {
    const { books, moneyMovedAt } = this.#bot
    const { bankroll, gasLamports } = books
    if (bankroll?.value.inPlay === undefined || gasLamports === undefined) return undefined
    if (Math.min(bankroll.begunAt, gasLamports.begunAt) < moneyMovedAt) return undefined
    return {
      ...{ total: bankroll.value.available + bankroll.value.inPlay, gasLamports: gasLamports.value },
      ...{ profit: profitOf(books.byMode), readAt: bankroll.begunAt },
    }
  }

  /** The figures may have had what is told of only now: then it is none of what has moved since. */
  onSettled(profit: Usdc, at: number): void {
    const { open } = this
    const before = open?.record?.before
    if (open?.record === undefined || before?.readAt === undefined || at > before.readAt) return
    open.record = { ...open.record, before: { ...before, profit: before.profit + profit } }
    this.#bot.step.swaps.push(open.record)
  }

  /**
   * What contests came to that were settled about when the figures of a swap were read: the clocks of the two machines may differ, so that
   * those which count as before may have been after, and the other way round.
   */
  doubtful({ before }: SwapRecord): Usdc[] {
    const readAt = before?.readAt
    if (readAt === undefined) return []
    const near = this.#bot.books.realised.filter(({ at }) => Math.abs(at - readAt) <= SKEW_MS)
    return near.map(({ at, profit }) => (at <= readAt ? -profit : profit))
  }

  /** It was executed. */
  fill(open: OpenSwap, fill: Fill): void {
    const { counts, ended, now, portfolios, reservations, step } = this.#bot
    const { key } = open.intent
    this.#clear(open)
    reservations.place(key, now)
    counts.sent += 1
    counts.swapsFilled += 1
    portfolios.fold(fill)
    if (ended.has(fill.contestId)) portfolios.close(fill.contestId, now)
    this.#bot.notePeak()
    step.fills.push(fill)
    const { from, to, given, received, contestId, signature } = fill
    step.outcomes.push(signature === undefined ? { key, status: 'filled' } : { key, status: 'filled', detail: signature })
    step.note('info', `swapped ${formatAmount(given, from)} for ${formatAmount(received, to)}`, { contestId, signature })
    this.#onOutcome(open.by, contestId, { status: 'filled', fill })
  }

  /** It came to nothing. */
  close(open: OpenSwap, status: Exclude<IntentStatus, 'filled' | 'refused' | 'unknown'>, reason: string): void {
    const { counts, reservations, step } = this.#bot
    const { key, action } = open.intent
    this.#clear(open)
    reservations.release(key)
    counts.swapsFailed += 1
    if (status !== 'unfilled') counts.sent += 1
    if (status === 'rejected') counts.failed += 1
    step.outcomes.push({ key, status, detail: reason })
    step.note(status === 'rejected' ? 'warn' : 'info', `${describeSwap(action)} came to nothing: ${reason}`, { intent: key, status })
    this.#onOutcome(open.by, action.contestId, { status: 'failed', reason })
  }

  /** The guard keeps back what it had let pass on to the next step. */
  refuseLate(open: OpenSwap, refusal: Refusal): void {
    const { reservations, step } = this.#bot
    const { key, action } = open.intent
    this.#clear(open)
    reservations.release(key)
    step.outcomes.push({ key, status: 'refused', detail: `${refusal.code}: ${refusal.message}` })
    this.refuse(action, open.by, refusal)
  }

  /** The guard keeps it back. */
  refuse(action: SwapAction, by: string, refusal: Refusal): void {
    this.#bot.refuse({ strategy: by, action, refusal }, describeSwap(action))
    this.#onOutcome(by, action.contestId, { status: 'refused', ...refusal })
  }

  #clear(open: OpenSwap): void {
    if (this.open === open) this.open = undefined
  }
}
