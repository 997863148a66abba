import { formatAmount, USDC_MINT } from '../../core/tokens.ts'
import type { Usdc } from '../../core/usdc.ts'
import { INSPECTION_CODES, type Refusal } from '../../guard/index.ts'
import type { SwapAction } from '../../strategy/action.ts'
import type { Fill, SwapOutcome } from '../../strategy/view.ts'
import { profitOf } from '../books/books.ts'
import { type Bankroll, withBankroll } from '../books/foldAnswer.ts'
import type { Bot } from '../bot.ts'
import type { Hindrance } from '../playable/hindrance.ts'
import type { PathWatch } from '../playable/pathWatch.ts'
import type { PathFailure } from '../playable/swapPath.ts'
import type { SwapRecord, WalletFigures } from '../protocol/input.ts'
import type { IntentStatus } from '../protocol/journalRecord.ts'
import { SKEW_MS } from '../skew.ts'
import { byBalances, type Unsure } from './byBalances.ts'
import { describeSwap, type OpenSwap } from './openSwap.ts'

/** Of a read that took longer nobody knows which of the settlements meanwhile its figures have. */
const PROMPT_MS = 5000
/** A service may show a swap later than it has called it executed: one that reads finalised blocks, by some 13 seconds. */
const LAG_MS = 20_000

/** A simulation that fails is mostly the market's doing. */
const ofInspection: ReadonlySet<string> = new Set(INSPECTION_CODES.filter((code) => code !== 'SIMULATION_FAILED'))

/** Told of what became of a swap, for whoever asked for it. */
export type OnSwapOutcome = (by: string, contestId: string, outcome: SwapOutcome) => void

/** The newest swap that was executed, or failed on the chain: either has paid its fee. */
interface Paid {
  /** Undefined where nobody knows it any more. */
  readonly swap: OpenSwap | undefined
  readonly movesUsdc: boolean
  /** When it was known, in Unix milliseconds. */
  readonly at: number
}

/** The wallet of the bot: the one swap that is under way on it, and the ways in which that one ends. */
export class Wallet {
  open: OpenSwap | undefined
  readonly #bot: Bot
  readonly #path: PathWatch
  readonly #onOutcome: OnSwapOutcome
  #paid: Paid | undefined

  constructor(bot: Bot, path: PathWatch, onOutcome: OnSwapOutcome) {
    this.#bot = bot
    this.#path = path
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
      ...{ profit: profitOf(books.byMode), readAt: bankroll.begunAt, answeredAt: bankroll.answeredAt },
    }
  }

  /** The same, read without delay, of a service that shows the swap before: what the next one moves is told by them. */
  promptFigures(): WalletFigures | undefined {
    const figures = this.figures()
    const { bankroll } = this.#bot.books
    if (figures === undefined || bankroll === undefined || bankroll.answeredAt - bankroll.begunAt > PROMPT_MS) return undefined
    return this.#isUnseen(figures) ? undefined : figures
  }

  /** Whether the newest swap may be missing in them, or a part of it: a service can read gas and USDC of different moments. */
  #isUnseen(figures: WalletFigures): boolean {
    if (this.#paid === undefined || this.#bot.now >= this.#paid.at + LAG_MS) return false
    const { swap, movesUsdc } = this.#paid
    const { record } = swap ?? {}
    // A fee leaves less of it. More than before are figures from before the swap before that one, too.
    if (swap === undefined || record?.before === undefined || figures.gasLamports >= record.before.gasLamports) return true
    const compared = { action: swap.intent.action, record, after: figures, unsure: this.unsure(record) }
    return movesUsdc && byBalances(compared) !== 'landed'
  }

  onFeePaid(paid: Paid): void {
    this.#paid = paid
  }

  /** Whether figures that are read anew can be had where these cannot: a service may leave out what it takes, from the first or from now on. */
  get mayBeRead(): boolean {
    const { bankroll, gasLamports } = this.#bot.books
    return bankroll === undefined || (bankroll.value.inPlay !== undefined && gasLamports?.begunAt === bankroll.begunAt)
  }

  /** The figures from before a swap may have had what is told of only now: then it is none of what has moved since. */
  onSettled(profit: Usdc, at: number): void {
    for (const swap of [this.open, this.#paid?.swap]) {
      const { record } = swap ?? {}
      const { before } = record ?? {}
      if (swap === undefined || record === undefined || before?.readAt === undefined || at > before.readAt) continue
      swap.record = { ...record, before: { ...before, profit: before.profit + profit } }
      if (swap === this.open) this.#bot.step.swaps.push(swap.record)
    }
  }

  /**
   * What contests came to that were settled about when the figures of a swap were read. While they were, it may have been before or
   * after. A little earlier or later, it is the clocks of the two machines that may differ.
   */
  unsure({ before }: SwapRecord): Unsure {
    const either: Usdc[] = []
    const doubtful: Usdc[] = []
    if (before?.readAt === undefined) return { either, doubtful }
    const { readAt, answeredAt = readAt } = before
    for (const { at, profit } of this.#bot.books.realised) {
      if (at < readAt - SKEW_MS || at > answeredAt + SKEW_MS) continue
      const list = at > readAt && at <= answeredAt ? either : doubtful
      list.push(at <= readAt ? -profit : profit)
    }
    return { either, doubtful }
  }

  /**
   * It was executed.
   *
   * @param bankroll what it left, where that came with it
   */
  fill(open: OpenSwap, fill: Fill, bankroll?: Bankroll): void {
    const { counts, ended, n, now, portfolios, reservations, step, unseenCash } = this.#bot
    const { key } = open.intent
    const movesUsdc = fill.from === USDC_MINT || fill.to === USDC_MINT
    this.onFeePaid({ swap: open, movesUsdc, at: now })
    this.#clear(open)
    if (bankroll === undefined) {
      reservations.place(key, n)
      unseenCash.moved(fill, n)
      step.leavesUnread = true
    } else {
      reservations.release(key)
      this.take(bankroll)
    }
    counts.sent += 1
    counts.swapsFilled += 1
    portfolios.fold(fill)
    if (ended.has(fill.contestId)) portfolios.close(fill.contestId, now)
    this.#bot.notePeak()
    if (open.intent.action.type === 'swap') this.#bot.moved(fill.contestId)
    this.#path.onFilled()
    step.fills.push(fill)
    const { from, to, given, received, contestId, signature } = fill
    step.outcomes.push(signature === undefined ? { key, status: 'filled' } : { key, status: 'filled', detail: signature })
    const mode = this.#bot.books.seats.get(contestId)?.mode
    const whose = `${open.by}, ${mode === undefined ? '' : `${mode} `}contest ${contestId}`
    step.note('info', () => `swapped ${formatAmount(given, from)} for ${formatAmount(received, to)} (${whose})`, {
      ...{ contestId, signature, strategy: open.by },
    })
    this.#onOutcome(open.by, contestId, { status: 'filled', fill })
  }

  /** What is in the wallet, known without asking. */
  take(bankroll: Bankroll): void {
    const { books, n, now, unseenCash } = this.#bot
    unseenCash.seen(n)
    this.#bot.books = withBankroll(books, bankroll, { askedIn: n, begunAt: now, now })
  }

  /** It failed on the chain: nothing was swapped, and its fee is gone. */
  revert(open: OpenSwap, reason: string): void {
    const bot = this.#bot
    this.onFeePaid({ swap: open, movesUsdc: false, at: bot.now })
    bot.moneyMovedAt = bot.now
    this.close(open, 'reverted', reason)
  }

  /**
   * It came to nothing.
   *
   * @param failure where on its way that was; undefined where it was the market, or nobody
   */
  close(open: OpenSwap, status: Exclude<IntentStatus, 'filled' | 'refused' | 'unknown'>, reason: string, failure?: PathFailure): void {
    const { counts, reservations, step } = this.#bot
    const { key, action } = open.intent
    this.#clear(open)
    reservations.release(key)
    counts.swapsFailed += 1
    if (status !== 'unfilled') counts.sent += 1
    if (status === 'rejected') counts.failed += 1
    step.outcomes.push({ key, status, detail: reason })
    const message = `${describeSwap(action)} came to nothing (${open.by}, contest ${action.contestId}): ${reason}`
    step.note(status === 'rejected' ? 'warn' : 'info', message, { intent: key, status, strategy: open.by, contestId: action.contestId })
    if (failure !== undefined) this.#failed(action.contestId, failure)
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
    const { code, message } = refusal
    if (ofInspection.has(code)) this.#failed(action.contestId, { part: 'inspection', reason: `${code}: ${message}`, isHeldBack: false })
    else this.hindered(action.contestId, `guard:${code}`)
    this.#onOutcome(by, action.contestId, { status: 'refused', ...refusal })
  }

  #failed(contestId: string, failure: PathFailure): void {
    this.hindered(contestId, `swap:${failure.part}`)
    this.#path.onFailed(failure)
  }

  /** What a contest left is sold when it is over: nothing of that is a move. */
  hindered(contestId: string, hindrance: Hindrance): void {
    const { ended, plays } = this.#bot
    if (!ended.has(contestId) || plays.has(contestId)) plays.hindered(contestId, hindrance)
  }

  #clear(open: OpenSwap): void {
    if (this.open === open) this.open = undefined
  }
}
