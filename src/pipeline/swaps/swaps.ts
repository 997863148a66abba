import type { Usdc } from '../../core/usdc.ts'
import { check, type GuardView, identityOf } from '../../guard/index.ts'
import { isSwap, type SwapAction } from '../../strategy/action.ts'
import type { GuardSight } from '../guardView.ts'
import type { Figures } from '../money/figures.ts'
import type { InputOf } from '../protocol/input.ts'
import { intentKey, strategyOfKey } from '../protocol/intentKey.ts'
import { parseTaskKey, type TaskKeyOf } from '../protocol/taskKey.ts'
import type { Reads } from '../reads.ts'
import { Lifecycle } from '../state/lifecycle.ts'
import type { Present } from '../state/present.ts'
import type { ToldTokens } from '../toldTokens.ts'
import { ComparedFigures } from './comparedFigures.ts'
import { confirming } from './confirming.ts'
import { FailurePause } from './failurePause.ts'
import { LateAnswers } from './lateAnswers.ts'
import { quote } from './preparing.ts'
import { statusOf } from './statusOf.ts'
import { describeSwap, SwapEffects, type SwapEffectsOptions } from './swapEffects.ts'
import { swapMachine } from './swapMachine.ts'
import { SwapQueue, type WaitingSwap } from './swapQueue.ts'
import type { Swap, SwapEffect, SwapHappening, SwapSeen, SwapState } from './swapState.ts'

const MINUTE_MS = 60_000

interface SwapsOptions extends Omit<SwapEffectsOptions, 'figures'> {
  readonly reads: Reads
  readonly tokens: ToldTokens
  /** Shows the guard how things stand. */
  readonly sight: GuardSight
}

/**
 * The swaps of the bot's wallet: those that wait, the one that is under way, and those that were sent within the last minute. One is under
 * way at a time, unresolved ones included. The table of `swapMachine.ts` says what becomes of it.
 */
export class Swaps {
  readonly #present: Present
  readonly #options: SwapsOptions
  readonly #reads: Reads
  readonly #money: Figures
  readonly #figures: ComparedFigures
  readonly #effects: SwapEffects
  readonly #seen: SwapSeen
  readonly #underWay: Lifecycle<SwapState, SwapHappening, SwapEffect, SwapSeen>
  readonly #queue = new SwapQueue((contestId) => this.underWayIn(contestId) === 0 && this.#effects.owesSwap(contestId))
  readonly #late: LateAnswers
  readonly #pause: FailurePause
  /** Whether a swap can be looked up on the chain. */
  #hasChain = false
  /** The newest swap that was begun sells what a contest left. */
  #hasSwept = false
  /** Swaps sent in the last minute. */
  #sent: { readonly at: number; readonly transaction: string | undefined }[] = []

  constructor(present: Present, options: SwapsOptions) {
    const { reads, money } = options
    this.#present = present
    this.#options = options
    this.#reads = reads
    this.#money = money
    this.#figures = new ComparedFigures(present, money)
    this.#effects = new SwapEffects(present, { ...options, figures: this.#figures })
    this.#seen = this.#seenBySwaps()
    this.#late = new LateAnswers(present, options.path)
    this.#pause = new FailurePause(present)
    const perform = (effect: SwapEffect, state: SwapState) => this.#perform(effect, state)
    this.#underWay = new Lifecycle(swapMachine, { present, seen: this.#seen, perform })
  }

  get #open(): SwapState | undefined {
    const { states } = this.#underWay
    if (states.size > 0) for (const state of states.values()) return state
    return undefined
  }

  /** Whether a swap is under way or waits. */
  get isBusy(): boolean {
    return this.#open !== undefined || this.#queue.size > 0
  }

  /**
   * True where what a contest left may be sold now: the wallet is free, and no contest waits for its first swap. Nobody watches what is
   * left, so that it goes before other trades that wait; these wait for ten seconds at most, so that the two take turns.
   */
  get maySweep(): boolean {
    return this.#open === undefined && !this.#pause.isOn && !this.#queue.hasFirst && !(this.#hasSwept && this.#queue.size > 0)
  }

  /** 1 while nobody can say what became of a swap that may have been sent. */
  get unknown(): number {
    const open = this.#open
    return open?.is === 'confirming' && open.isLost ? 1 : 0
  }

  isUnderWayFor(contestId: string): boolean {
    return this.underWayIn(contestId) > 0 || this.#queue.hasOf(contestId)
  }

  /** Swaps of the contest that are under way, for the guard's count. */
  underWayIn(contestId: string): number {
    return this.#open?.swap.action.contestId === contestId ? 1 : 0
  }

  /** Swaps sent in the last minute. */
  get sentInMinute(): number {
    const since = this.#present.now - MINUTE_MS
    if (this.#sent.some(({ at }) => at <= since)) this.#sent = this.#sent.filter(({ at }) => at > since)
    return this.#sent.length
  }

  /** Swaps of an earlier run: what was never sent is over; what may have been is looked up. */
  recover({ pending, swaps, fills, sent, hasChain }: InputOf<'started'>): void {
    this.#hasChain = hasChain
    const { now, step } = this.#present
    const { signatures } = this.#options
    for (const { signature } of [...fills, ...swaps]) signatures.add(signature)
    const since = now - MINUTE_MS
    if (sent !== undefined) this.#sent = sent.filter(({ at }) => at > since)
    else {
      // A recording of before says it of those that were filled, and of those that are open.
      for (const { at } of fills) if (at > since) this.#sent.push({ at, transaction: undefined })
      for (const { sentAt: at, transaction } of swaps) if (at > since) this.#sent.push({ at, transaction })
    }
    // The service may not show them yet.
    const newest = Math.max(...this.#sent.map(({ at }) => at))
    if (newest > since) this.#figures.onFeePaid({ swap: undefined, movesUsdc: true, at: newest })
    const records = new Map(swaps.map((record) => [record.key, record]))
    for (const { action, key, at, stake, risk } of pending) {
      if (!isSwap(action)) continue
      this.#money.held({ key, identity: identityOf(action), kind: 'swap', stake, risk })
      const swap: Swap = { key, action, at, by: strategyOfKey(key) }
      const record = records.get(key)
      if (record === undefined) {
        const reason = 'the bot stopped before it was sent'
        this.#effects.perform({ type: 'ended', status: 'unfilled', reason, failure: undefined }, swap)
        continue
      }
      step.note('warn', 'a swap may have been sent before the last stop: looking it up', { intent: key })
      this.#underWay.begin(key, { ...confirming(swap, record), isLost: record.signature === undefined, lookAt: now })
    }
  }

  /** Puts a swap before the guard, at once or when its turn comes. */
  submit(action: SwapAction, by: string): void {
    const swap = { action, by, at: this.#present.now }
    if (!this.isBusy && !this.#pause.isOn) {
      this.#begin(swap)
      return
    }
    const spare = this.#queue.add(swap)
    const { most } = SwapQueue.limits
    const refusal = { code: 'SWAP_QUEUE_FULL', message: `${most} swaps wait already`, numbers: { waiting: most } } as const
    if (spare !== undefined) this.#effects.refuse(spare.action, spare.by, refusal)
  }

  /**
   * Puts a sale of the operator's before the guard, as `submit`: one at a time, since another one may be the same again, by a button that
   * was pressed twice.
   */
  order(action: SwapAction, by: string): void {
    const { swap } = this.#open ?? {}
    if (swap?.by !== by && !this.#queue.hasBy(by)) this.submit(action, by)
    else {
      const message = 'a sale that was ordered before is still without an outcome'
      this.#effects.refuse(action, by, { code: 'DUPLICATE_ACTION', message, numbers: { intent: swap?.key ?? '' } })
    }
  }

  /** Puts a sale of what a contest left before the guard, at once: while it may be sold. */
  sweep(action: SwapAction, by: string): void {
    this.#begin({ action, by, at: this.#present.now })
  }

  /** Takes back what a strategy wanted of a contest and still waits: who asked for it is no longer there. */
  withdraw(by: string, contestId: string): void {
    this.onContestEnded(contestId)
    this.#queue.drop(by, contestId)
  }

  /** Notes a swap that still waits: if the contest had no other one, this is why. */
  onContestEnded(contestId: string): void {
    if (this.#queue.hasOf(contestId)) this.#effects.waitedInVain(contestId)
  }

  /** Lets the next swap in once the wallet is free, and refuses those that waited too long. */
  tend(): void {
    if (this.#queue.size > 0) this.#tendQueue()
    if (this.#pause.isOn) this.#present.deadlines.soon('swapQueue', this.#pause.until)
    this.#late.tend(this.#open)
  }

  #tendQueue(): void {
    const { deadlines, now } = this.#present
    // The guard says why: another swap of the wallet is without an outcome.
    for (const { action, by, at } of this.#queue.takeLate(now)) {
      const intent = this.#open?.swap.key ?? ''
      const message = `it waited ${now - at} ms for another swap of the wallet, and its prices are gone`
      this.#late.blocks(intent, message)
      this.#effects.refuse(action, by, { code: 'SWAP_UNRESOLVED', message, numbers: { intent } })
    }
    while (this.#open === undefined && !this.#pause.isOn) {
      const next = this.#queue.take()
      if (next === undefined) break
      this.#begin(next)
    }
    const { lateAt } = this.#queue
    if (lateAt !== undefined) deadlines.soon('swapQueue', lateAt)
  }

  onDue(purpose: TaskKeyOf<'swaps'>): void {
    const { kind: task, subjectId: key } = parseTaskKey(purpose)
    this.#underWay.tell(key, { type: 'due', task })
  }

  onQuoted({ key, result }: InputOf<'quoted'>): void {
    this.#options.path.onBudget(result.budget)
    this.#underWay.tell(key, { type: 'quoted', result })
  }

  onBuilt({ key, result }: InputOf<'built'>): void {
    this.#underWay.tell(key, { type: 'built', result })
  }

  onLanding({ key, result }: InputOf<'landing'>): void {
    this.#underWay.tell(key, { type: 'landing', result })
  }

  /**
   * The service's answer to an order, or its loss.
   *
   * @returns whether the order was a swap
   */
  onOrderOutcome({ key, outcome }: InputOf<'outcome'>): boolean {
    if (!this.#underWay.states.has(key)) return false
    this.#underWay.tell(key, { type: 'answered', outcome })
    return true
  }

  /** @param againAt when the same read is due again, where it is: in Unix milliseconds */
  onAnswer({ request, result, begunAt }: InputOf<'answer'>, againAt: number | undefined): void {
    const { kind: task, subjectId: key } = parseTaskKey(request.purpose)
    if (task !== 'swap' && task !== 'swapBalances') return
    if (againAt !== undefined) this.#underWay.tell(key, { type: 'unread', task, at: againAt })
    if (task === 'swap') this.#underWay.tell(key, { type: 'status', status: result.ok ? statusOf(result.output) : 'unclear' })
    else if (result.ok) this.#underWay.tell(key, { type: 'balances', begunAt })
  }

  /** A contest was settled, in Unix milliseconds of the service. */
  onSettled(profit: Usdc, at: number): void {
    for (const key of this.#underWay.states.keys()) this.#underWay.tell(key, { type: 'settled', profit, at })
    this.#figures.onSettled(profit, at)
  }

  #begin({ action, by }: WaitingSwap): void {
    const { n, now, step } = this.#present
    const key = intentKey(n, by, step.ordinal++)
    const verdict = check(key, action, this.#guard(by))
    if (!verdict.ok) {
      const { code, message, numbers } = verdict.refusal
      if (code === 'SWAP_UNRESOLVED') this.#late.blocks(String(numbers.intent), message)
      this.#effects.refuse(action, by, verdict.refusal)
      return
    }
    const { action: approved, hold } = verdict
    this.#hasSwept = action.type === 'sweep'
    step.intents.push({ key, action: approved, at: now, stake: hold.stake, risk: hold.risk })
    step.note('debug', () => describeSwap(approved), { intent: key, strategy: by })
    const { state, effects } = quote({ swap: { key, action: approved, at: now, by }, approved, heldBack: 0 }, this.#seen)
    if (state !== undefined) this.#underWay.begin(key, state, effects)
  }

  #perform(effect: SwapEffect, state: SwapState): void {
    const { swap } = state
    const { key } = swap
    if (effect.type === 'readFigures') this.#money.wantBankroll()
    else if (effect.type === 'readStatus')
      this.#planned(key, 'swap', this.#reads.ask(`swap:${key}`, 'agent.tx.status', { signature: effect.signature }))
    else if (effect.type === 'readBalances')
      this.#planned(key, 'swapBalances', this.#reads.ask(`swapBalances:${key}`, 'agent.bankroll', null))
    else {
      if (effect.type === 'swapRequest') this.#late.asked()
      if (effect.type === 'ended') this.#pause.ended(effect.failure !== undefined && this.#options.path.path !== undefined)
      if (effect.type === 'ended' && effect.status === 'expired') this.#late.expired(key)
      if (effect.type === 'filled' || effect.type === 'reverted') {
        this.#pause.ended(false)
        this.#late.executed()
      }
      if (effect.type === 'send')
        this.#sent.push({ at: this.#present.now, transaction: effect.action.type === 'sendSwap' ? effect.action.transaction : undefined })
      this.#effects.perform(effect, swap)
    }
  }

  /** A read that has to wait is due again once it need not. */
  #planned(key: string, task: 'swap' | 'swapBalances', at: number | undefined): void {
    if (at !== undefined) this.#underWay.tell(key, { type: 'unread', task, at })
  }

  #guard(by: string): GuardView {
    return this.#options.sight(by, this)
  }

  #seenBySwaps(): SwapSeen {
    const present = this.#present
    const { config, timeoutMs } = present.options
    const figures = this.#figures
    const { tokens } = this.#options
    const hasChain = () => this.#hasChain
    return {
      timeoutMs,
      policy: config.guard,
      get now() {
        return present.now
      },
      get hasChain() {
        return hasChain()
      },
      get caughtUp() {
        return present.books.caughtUp
      },
      get wallet() {
        return present.books.wallet
      },
      get figuresAreRead() {
        return figures.mayBeRead
      },
      figures: () => figures.known(),
      promptFigures: () => figures.prompt(),
      unsure: (record) => figures.unsure(record),
      isReadingBalances: (key) => this.#reads.isUnderWay(`swapBalances:${key}`),
      owesSwap: (contestId) => this.#options.path.path !== undefined && this.#effects.owesSwap(contestId),
      wasSent: (transaction) => this.#sent.some((earlier) => earlier.transaction === transaction),
      token: (mint) => tokens.of(mint),
      guard: (by) => this.#guard(by),
    }
  }
}
