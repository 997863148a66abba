import { unreachable } from '../../core/error.ts'
import { formatAmount, symbolOf, USDC_MINT } from '../../core/tokens.ts'
import { INSPECTION_CODES, type Refusal } from '../../guard/index.ts'
import type { SwapAction } from '../../strategy/action.ts'
import type { SwapOutcome } from '../../strategy/view.ts'
import type { Bot } from '../bot.ts'
import type { Figures } from '../money/figures.ts'
import type { Hindrance } from '../playable/hindrance.ts'
import type { PathWatch } from '../playable/pathWatch.ts'
import type { PathFailure } from '../playable/swapPath.ts'
import { swapRequestOf } from '../protocol/request.ts'
import type { ComparedFigures } from './comparedFigures.ts'
import type { Swap, SwapEffect } from './swapState.ts'

/** A simulation that fails is mostly the market's doing. */
const ofInspection: ReadonlySet<string> = new Set(INSPECTION_CODES.filter((code) => code !== 'SIMULATION_FAILED'))

export interface SwapEffectsOptions {
  readonly figures: ComparedFigures
  readonly money: Figures
  readonly path: PathWatch
  /** Told of what became of a swap, for whoever asked for it. */
  readonly onOutcome: (by: string, contestId: string, outcome: SwapOutcome) => void
}

type Read = Extract<SwapEffect, { readonly type: 'readStatus' | 'readBalances' | 'readFigures' }>
type Sent = Extract<SwapEffect, { readonly type: 'send' }>
type Filled = Extract<SwapEffect, { readonly type: 'filled' }>
type Reverted = Extract<SwapEffect, { readonly type: 'reverted' }>

/** Carries out what becomes of a swap: in the books, in the step, and for whoever asked for it. */
export class SwapEffects {
  readonly #bot: Bot
  readonly #options: SwapEffectsOptions

  constructor(bot: Bot, options: SwapEffectsOptions) {
    this.#bot = bot
    this.#options = options
  }

  perform(effect: Exclude<SwapEffect, Read>, swap: Swap): void {
    const { signatures, step } = this.#bot
    switch (effect.type) {
      case 'errand':
        step.errands.push(effect.errand)
        return
      case 'send':
        this.#send(effect, swap)
        return
      case 'record':
        step.swaps.push(effect.record)
        return
      case 'signed':
        signatures.add(effect.signature)
        return
      case 'lost': {
        const { reason } = effect
        step.outcomes.push({ key: swap.key, status: 'unknown', detail: reason })
        step.note('warn', `swap: no answer (${reason}); it counts as sent until the chain shows otherwise`, { intent: swap.key })
        return
      }
      case 'note':
        step.note(effect.level, effect.message, effect.fields)
        return
      case 'hindered':
        this.#hindered(swap.action.contestId, effect.hindrance)
        return
      case 'filled':
        this.#fill(swap, effect)
        return
      case 'reverted':
        this.#revert(swap, effect)
        return
      case 'ended':
        this.#end(swap, effect)
        return
      case 'refused': {
        const { refusal } = effect
        this.#options.money.released(swap.key)
        step.outcomes.push({ key: swap.key, status: 'refused', detail: `${refusal.code}: ${refusal.message}` })
        this.refuse(swap.action, swap.by, refusal)
        return
      }
      default:
        unreachable(effect)
    }
  }

  /** The guard keeps a swap back. */
  refuse(action: SwapAction, by: string, refusal: Refusal): void {
    this.#bot.refuse({ strategy: by, action, refusal }, describeSwap(action))
    const { code, message } = refusal
    if (ofInspection.has(code)) this.#failed(action.contestId, { part: 'inspection', reason: `${code}: ${message}`, isHeldBack: false })
    else this.#hindered(action.contestId, `guard:${code}`)
    this.#options.onOutcome(by, action.contestId, { status: 'refused', ...refusal })
  }

  #send({ record, action }: Sent, { key }: Swap): void {
    const { step } = this.#bot
    step.swaps.push(record)
    step.orders.push({ key, action, request: swapRequestOf(action) })
  }

  /** It was executed. */
  #fill(swap: Swap, { record, fill, bankroll }: Filled): void {
    const { counts, ended, now, portfolios, step } = this.#bot
    const { figures, money, path, onOutcome } = this.#options
    const { key, by } = swap
    const movesUsdc = fill.from === USDC_MINT || fill.to === USDC_MINT
    figures.onFeePaid({ swap: { action: swap.action, record }, movesUsdc, at: now })
    money.filled(key, fill, bankroll)
    counts.sent += 1
    counts.swapsFilled += 1
    portfolios.fold(fill)
    if (ended.has(fill.contestId)) portfolios.close(fill.contestId, now)
    this.#bot.results.notePeak()
    if (swap.action.type === 'swap') this.#bot.moved(fill.contestId)
    path.onFilled()
    step.fills.push(fill)
    const { from, to, given, received, contestId, signature } = fill
    step.outcomes.push(signature === undefined ? { key, status: 'filled' } : { key, status: 'filled', detail: signature })
    const mode = this.#bot.books.seats.get(contestId)?.mode
    const whose = `${by}, ${mode === undefined ? '' : `${mode} `}contest ${contestId}`
    step.note('info', () => `swapped ${formatAmount(given, from)} for ${formatAmount(received, to)} (${whose})`, {
      ...{ contestId, signature, strategy: by },
    })
    onOutcome(by, contestId, { status: 'filled', fill })
  }

  /** It failed on the chain: nothing was swapped, and its fee is gone. */
  #revert(swap: Swap, { record, reason, bankroll }: Reverted): void {
    this.#options.figures.onFeePaid({ swap: { action: swap.action, record }, movesUsdc: false, at: this.#bot.now })
    this.#options.money.feePaid()
    this.#end(swap, { status: 'reverted', reason, failure: undefined })
    if (bankroll !== undefined) this.#options.money.told(bankroll)
  }

  #end(swap: Swap, { status, reason, failure }: Omit<Extract<SwapEffect, { readonly type: 'ended' }>, 'type'>): void {
    const { counts, step } = this.#bot
    const { key, action, by } = swap
    const { contestId } = action
    this.#options.money.released(key)
    counts.swapsFailed += 1
    if (status !== 'unfilled') counts.sent += 1
    if (status === 'rejected') counts.failed += 1
    step.outcomes.push({ key, status, detail: reason })
    const message = `${describeSwap(action)} came to nothing (${by}, contest ${contestId}): ${reason}`
    step.note(status === 'rejected' ? 'warn' : 'info', message, { intent: key, status, strategy: by, contestId })
    if (failure !== undefined) this.#failed(contestId, failure)
    this.#options.onOutcome(by, contestId, { status: 'failed', reason })
  }

  #failed(contestId: string, failure: PathFailure): void {
    this.#hindered(contestId, `swap:${failure.part}`)
    this.#options.path.onFailed(failure)
  }

  /** What a contest left is sold when it is over: nothing of that is a move. */
  #hindered(contestId: string, hindrance: Hindrance): void {
    const { ended, plays } = this.#bot
    if (!ended.has(contestId) || plays.has(contestId)) plays.hindered(contestId, hindrance)
  }
}

export const describeSwap = ({ type, from, to, amount }: SwapAction): string =>
  `${type} of ${formatAmount(amount, from)} for ${symbolOf(to)}`
