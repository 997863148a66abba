import { afterTransferFee } from '../../core/tokenFacts.ts'
import type { Usdc } from '../../core/usdc.ts'
import {
  approveStatement,
  approveTransaction,
  check,
  checkQuote,
  type GuardView,
  identityOf,
  type StatementVerdict,
  type SwapQuote,
  type TransactionVerdict,
} from '../../guard/index.ts'
import { isSwap, type SwapAction } from '../../strategy/action.ts'
import type { Bot } from '../bot.ts'
import { guardViewOf } from '../guardView.ts'
import { failureIn, type PathWatch } from '../playable/pathWatch.ts'
import type { InputOf, WalletFigures } from '../protocol/input.ts'
import { intentKey, strategyOfKey } from '../protocol/intentKey.ts'
import type { PurposeOwnedBy } from '../protocol/purpose.ts'
import { swapRequestOf } from '../protocol/request.ts'
import type { Reads } from '../reads.ts'
import { Landings } from './landings.ts'
import { describeSwap, type OpenSwap, openSwapOf } from './openSwap.ts'
import { SwapQueue, type WaitingSwap } from './swapQueue.ts'
import { type OnSwapOutcome, Wallet } from './wallet.ts'

const MINUTE_MS = 60_000
/** A slot, and a little: the next blockhash is there by then. */
const NEWER_BLOCKHASH_MS = 500
/** A DEX that was asked too often is no reason to give a swap up before that. */
const PATIENCE_MS = 30_000
/** Sent twice, one transaction is executed once, and answered twice as if each had been. */
const SPENT = 'an equal swap was sent under the same blockhash, and no newer one came while the quote held'
/** Why a swap came to nothing that nobody could have looked up, had its answer been lost. */
export const NO_FIGURES = 'the figures of the wallet are not fresh, and there is no RPC to look it up with'
const NO_WALLET = 'agent.bankroll does not say the address of the wallet'

interface SwapsOptions {
  readonly reads: Reads
  readonly path: PathWatch
  readonly onOutcome: OnSwapOutcome
}

/**
 * From a swap that is asked for to what it came to, each step a typed outcome:
 *
 *     guard ─► quote ─► guard ─► build ─► inspection ─► journal ─► signAndSend ─► confirmed ─► fill
 *
 * Where there is no chain nothing is built and nothing has to be looked up:
 *
 *     guard ─► quote ─► guard ─► journal ─► carried out ─► fill
 *
 * One swap of the wallet is under way at a time, unresolved ones included; others wait their turn. Nothing is
 * sent again: a swap is over when the chain, or failing that the service, has said what became of it.
 */
export class Swaps {
  readonly #bot: Bot
  readonly #reads: Reads
  readonly #wallet: Wallet
  readonly #landings: Landings
  readonly #queue = new SwapQueue()
  /** Whether the newest swap that was begun sells what a contest left. */
  #hasSwept = false
  /** Swaps sent in the last minute. */
  #sent: { readonly at: number; readonly transaction: string | undefined }[] = []

  constructor(bot: Bot, { reads, path, onOutcome }: SwapsOptions) {
    this.#bot = bot
    this.#reads = reads
    this.#wallet = new Wallet(bot, path, onOutcome)
    this.#landings = new Landings(bot, reads, this.#wallet)
  }

  /** Whether a swap is under way or waits. */
  get isBusy(): boolean {
    return this.#wallet.open !== undefined || this.#queue.size > 0
  }

  /**
   * Whether what a contest left may be sold now: the wallet is free. Nobody watches what is left, so that it goes before trades that wait;
   * these wait for ten seconds at most, so that the two take turns.
   */
  get maySweep(): boolean {
    return this.#wallet.open === undefined && !(this.#hasSwept && this.#queue.size > 0)
  }

  /** 1 while nobody can say what became of a swap that may have been sent. */
  get unknown(): number {
    return this.#wallet.open?.isLost === true ? 1 : 0
  }

  isUnderWayFor(contestId: string): boolean {
    return this.underWayIn(contestId) > 0 || this.#queue.hasOf(contestId)
  }

  /** Swaps of the contest that are under way, for the guard's count. */
  underWayIn(contestId: string): number {
    return this.#wallet.open?.intent.action.contestId === contestId ? 1 : 0
  }

  /** Swaps sent in the last minute. */
  get sentInMinute(): number {
    const since = this.#bot.now - MINUTE_MS
    if (this.#sent.some(({ at }) => at <= since)) this.#sent = this.#sent.filter(({ at }) => at > since)
    return this.#sent.length
  }

  /** Swaps of an earlier run: what was never sent is over; what may have been is looked up. */
  recover({ pending, swaps, fills, sent }: InputOf<'started'>): void {
    for (const { signature } of [...fills, ...swaps]) this.#bot.signatures.add(signature)
    const since = this.#bot.now - MINUTE_MS
    if (sent !== undefined) this.#sent = sent.filter(({ at }) => at > since)
    else {
      // A recording of before says it of those that were filled, and of those that are open.
      for (const { at } of fills) if (at > since) this.#sent.push({ at, transaction: undefined })
      for (const { sentAt: at, transaction } of swaps) if (at > since) this.#sent.push({ at, transaction })
    }
    // The service may not show them yet.
    const newest = Math.max(...this.#sent.map(({ at }) => at))
    if (newest > since) this.#wallet.onFeePaid({ swap: undefined, movesUsdc: true, at: newest })
    const records = new Map(swaps.map((record) => [record.key, record]))
    for (const intent of pending) {
      const { action, key, stake, risk } = intent
      if (!isSwap(action)) continue
      this.#bot.reservations.reserve({ key, identity: identityOf(action), kind: 'swap', stake, risk })
      const record = records.get(key)
      const isLost = record?.signature === undefined
      const open = { ...openSwapOf({ ...intent, action }, undefined, strategyOfKey(key)), stage: 'landing' as const, record, isLost }
      if (record === undefined) {
        this.#wallet.close(open, 'unfilled', 'the bot stopped before it was sent')
        continue
      }
      this.#wallet.open = open
      this.#landings.resume(open)
    }
  }

  /** Puts a swap before the guard, at once or when its turn comes. */
  submit(action: SwapAction, by: string): void {
    const { most } = SwapQueue.limits
    if (!this.isBusy) this.#begin({ action, by, at: this.#bot.now })
    else if (!this.#queue.isFull) this.#queue.add({ action, by, at: this.#bot.now })
    else this.#wallet.refuse(action, by, { code: 'SWAP_QUEUE_FULL', message: `${most} swaps wait already`, numbers: { waiting: most } })
  }

  /**
   * Puts a sale of the operator's before the guard, as `submit`: one at a time, since another one may be the same again, by a button that
   * was pressed twice.
   */
  order(action: SwapAction, by: string): void {
    const { open } = this.#wallet
    if (open?.by !== by && !this.#queue.hasBy(by)) this.submit(action, by)
    else {
      const message = 'a sale that was ordered before is still without an outcome'
      this.#wallet.refuse(action, by, { code: 'DUPLICATE_ACTION', message, numbers: { intent: open?.intent.key ?? '' } })
    }
  }

  /** Puts a sale of what a contest left before the guard, at once: while it may be sold. */
  sweep(action: SwapAction, by: string): void {
    this.#begin({ action, by, at: this.#bot.now })
  }

  /** Takes back what a strategy wanted of a contest and still waits: who asked for it is no longer there. */
  withdraw(by: string, contestId: string): void {
    this.#queue.drop(by, contestId)
  }

  /** Lets the next swap in once the wallet is free, and refuses those that waited too long. */
  tend(): void {
    if (this.#queue.size === 0) return
    const { agenda, now } = this.#bot
    // The guard says why: another swap of the wallet is without an outcome.
    for (const { action, by, at } of this.#queue.takeLate(now)) {
      const intent = this.#wallet.open?.intent.key ?? ''
      const message = `it waited ${now - at} ms for another swap of the wallet, and its prices are gone`
      this.#wallet.refuse(action, by, { code: 'SWAP_UNRESOLVED', message, numbers: { intent } })
    }
    while (this.#wallet.open === undefined) {
      const next = this.#queue.take()
      if (next === undefined) break
      this.#begin(next)
    }
    const { lateAt } = this.#queue
    if (lateAt !== undefined) agenda.soon('swapQueue', lateAt)
  }

  onDue(purpose: PurposeOwnedBy<'swaps'>): void {
    this.#landings.onDue(purpose)
    const { open } = this.#wallet
    if (open?.stage === 'building' && purpose === `swapBuild:${open.intent.key}`) this.#buildAgain(open)
  }

  onQuoted({ key, result }: InputOf<'quoted'>): void {
    const open = this.#wallet.openAt(key, 'quoting')
    if (open?.approved === undefined) return
    if (!result.ok) {
      this.#wallet.close(open, 'unfilled', `no quote: ${result.reason}`, failureIn(result))
      return
    }
    const { quote, raw } = result
    if (raw === undefined) {
      this.#send(open, quote, approveStatement(key, { action: open.approved, quote }, this.#view(open.by)))
      return
    }
    const verdict = checkQuote(open.approved, quote, this.#view(open.by))
    if (!verdict.ok) {
      this.#wallet.refuseLate(open, verdict.refusal)
    } else {
      open.quoted = { quote, raw }
      open.stage = 'building'
      this.#build(open)
    }
  }

  #build(open: OpenSwap): void {
    const { books, options, step } = this.#bot
    const { wallet } = books
    if (wallet === undefined || open.quoted === undefined) {
      this.#wallet.close(open, 'unfilled', NO_WALLET)
      return
    }
    const { quote, raw } = open.quoted
    step.errands.push({ kind: 'build', key: open.intent.key, raw, wallet, by: quote.askedAt + options.config.guard.maxQuoteAgeMs })
  }

  /** What could not be sent yet would be built in vain. */
  #buildAgain(open: OpenSwap): void {
    if (open.quoted !== undefined && this.#isMissed(this.#wallet.promptFigures())) this.#waitForFigures(open, open.quoted.quote)
    else this.#build(open)
  }

  /** Whether nobody could say afterwards what became of a swap whose answer is lost: there is no RPC, and no figures are known from before it. */
  #isMissed(before: WalletFigures | undefined): boolean {
    return before === undefined && !this.#bot.hasChain
  }

  #waitForFigures(open: OpenSwap, quote: SwapQuote): void {
    if (this.#wallet.mayBeRead && !this.#reads.isUnderWay('bankroll')) this.#reads.ask('bankroll', 'agent.bankroll', null)
    this.#buildLater(open, { quote, orElse: NO_FIGURES })
  }

  /** Builds its transaction anew in a moment, as long as the quote holds. */
  #buildLater(open: OpenSwap, { quote, orElse }: { readonly quote: SwapQuote; readonly orElse: string }): void {
    const { agenda, now, options } = this.#bot
    const at = now + NEWER_BLOCKHASH_MS
    if (at <= quote.askedAt + options.config.guard.maxQuoteAgeMs) agenda.set(`swapBuild:${open.intent.key}`, at)
    else this.#wallet.close(open, 'unfilled', orElse)
  }

  onBuilt({ key, result }: InputOf<'built'>): void {
    const open = this.#wallet.openAt(key, 'building')
    const { wallet } = this.#bot.books
    if (open?.approved === undefined || open.quoted === undefined || wallet === undefined) return
    const { approved: action, quoted } = open
    const { quote } = quoted
    if (!result.ok) {
      if (result.isSpent === true) this.#buildLater(open, { quote, orElse: SPENT })
      else if (result.isHeldBack === true && this.#bot.now < open.intent.at + PATIENCE_MS) this.#quote(open)
      else if (result.refusal !== undefined) this.#wallet.refuseLate(open, result.refusal)
      else
        this.#wallet.close(open, 'unfilled', `no transaction: ${result.reason}`, result.isOfMarket === true ? undefined : failureIn(result))
      return
    }
    const { built } = result
    this.#send(open, quote, approveTransaction(key, { action, quote, built, wallet }, this.#view(open.by)), built.lastValidBlockHeight)
  }

  /** Orders what the guard has let out in the end. */
  #send(open: OpenSwap, quote: SwapQuote, verdict: TransactionVerdict | StatementVerdict, lastValidBlockHeight = 0): void {
    const { key } = open.intent
    const { books, now, step } = this.#bot
    const { wallet } = books
    if (!verdict.ok) {
      this.#wallet.refuseLate(open, verdict.refusal)
      return
    }
    if (wallet === undefined) {
      this.#wallet.close(open, 'unfilled', NO_WALLET)
      return
    }
    const { action } = verdict
    const transaction = action.type === 'sendSwap' ? action.transaction : undefined
    // What became of a stated swap comes with its answer: nobody has to look at the figures from before.
    const before = transaction === undefined ? undefined : this.#wallet.promptFigures()
    if (transaction !== undefined && this.#isMissed(before)) {
      this.#waitForFigures(open, quote)
      return
    }
    if (transaction !== undefined && this.#sent.some((earlier) => earlier.transaction === transaction)) {
      this.#buildLater(open, { quote, orElse: SPENT })
      return
    }
    const { inAmount: given, outAmount, minOut } = quote
    const transferFee = this.#bot.tokens.get(quote.to)?.transferFee
    open.stage = 'sending'
    open.record = {
      key,
      wallet,
      given,
      quotedOut: afterTransferFee(outAmount, transferFee),
      minOut: afterTransferFee(minOut, transferFee),
      transaction: transaction ?? '',
      lastValidBlockHeight,
      sentAt: now,
      signature: undefined,
      before,
    }
    this.#sent.push({ at: now, transaction })
    step.swaps.push(open.record)
    step.orders.push({ key, action, request: swapRequestOf(action) })
  }

  /**
   * The service's answer to an order, or its loss.
   *
   * @returns whether the order was a swap
   */
  onOrderOutcome({ key, outcome }: InputOf<'outcome'>): boolean {
    const open = this.#wallet.openAt(key, 'sending')
    if (open === undefined) return false
    this.#landings.onOrderOutcome(open, outcome)
    return true
  }

  onAnswer(answer: InputOf<'answer'>): void {
    this.#landings.onAnswer(answer)
  }

  onLanding(landing: InputOf<'landing'>): void {
    this.#landings.onLanding(landing)
  }

  /** A contest was settled, in Unix milliseconds of the service. */
  onSettled(profit: Usdc, at: number): void {
    this.#wallet.onSettled(profit, at)
  }

  #begin({ action, by }: WaitingSwap): void {
    const { n, now, step } = this.#bot
    const key = intentKey(n, by, step.ordinal++)
    const verdict = check(key, action, this.#view(by))
    if (!verdict.ok) {
      this.#wallet.refuse(action, by, verdict.refusal)
      return
    }
    const { action: approved } = verdict
    const { stake, risk } = verdict.hold
    const intent = { key, action: approved, at: now, stake, risk }
    this.#wallet.open = openSwapOf(intent, approved, by)
    this.#hasSwept = action.type === 'sweep'
    step.intents.push(intent)
    step.note('debug', () => describeSwap(approved), { intent: key, strategy: by })
    this.#quote(this.#wallet.open)
  }

  /** Once more where the quote is gone before its turn to be built came. */
  #quote(open: OpenSwap): void {
    if (open.approved === undefined) return
    const { options, step, books } = this.#bot
    const { from, to, amount, maxSlippageBps = options.config.guard.maxSlippageBps } = open.approved
    const { wallet } = books
    open.stage = 'quoting'
    open.quoted = undefined
    step.errands.push({
      kind: 'quote',
      key: open.intent.key,
      request: { from, to, amount, slippageBps: maxSlippageBps, ...(wallet === undefined ? {} : { wallet }) },
    })
  }

  #view(by: string): GuardView {
    return guardViewOf(this.#bot, by, this)
  }
}
