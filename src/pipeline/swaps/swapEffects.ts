import { isTradingMode } from '../../contract/modes.ts'
import { unreachable } from '../../core/error.ts'
import { formatAmount, symbolOf, USDC_MINT } from '../../core/tokens.ts'
import type { Usdc } from '../../core/usdc.ts'
import { INSPECTION_CODES, type Refusal } from '../../guard/index.ts'
import type { SwapAction } from '../../strategy/action.ts'
import type { SwapOutcome } from '../../strategy/view.ts'
import type { KnownSignatures } from '../answers/knownSignatures.ts'
import type { Figures } from '../money/figures.ts'
import type { Results } from '../money/results.ts'
import type { Hindrance } from '../playable/hindrance.ts'
import type { PathWatch } from '../playable/pathWatch.ts'
import type { Plays } from '../playable/plays.ts'
import type { PathFailure } from '../playable/swapPath.ts'
import { sendRequestOf } from '../protocol/request.ts'
import type { Refusals } from '../refusals.ts'
import type { Present } from '../state/present.ts'
import type { Tally } from '../tally.ts'
import type { ComparedFigures } from './comparedFigures.ts'
import type { Portfolios } from './portfolios.ts'
import type { LandedBetween, Swap, SwapEffect } from './swapState.ts'

/** A simulation that fails is mostly the market's doing. */
const ofInspection: ReadonlySet<string> = new Set(INSPECTION_CODES.filter((code) => code !== 'SIMULATION_FAILED'))

export interface SwapEffectsOptions {
  readonly figures: ComparedFigures
  readonly money: Figures
  readonly path: PathWatch
  readonly portfolios: Portfolios
  readonly results: Results
  readonly signatures: KnownSignatures
  readonly plays: Plays
  readonly tally: Tally
  readonly refusals: Refusals
  /** A swap of a contest was executed. @param landed undefined where nobody can say when */
  readonly onSwapped: (contestId: string, landed: LandedBetween | undefined) => void
  /** Told of what became of a swap, for whoever asked for it. */
  readonly onOutcome: (by: string, contestId: string, outcome: SwapOutcome) => void
}

type Read = Extract<SwapEffect, { readonly type: 'readStatus' | 'readBalances' | 'readFigures' }>
type Sent = Extract<SwapEffect, { readonly type: 'send' }>
type Filled = Extract<SwapEffect, { readonly type: 'filled' }>
type Reverted = Extract<SwapEffect, { readonly type: 'reverted' }>

/** Carries out what becomes of a swap: in the books, in the step, and for whoever asked for it. */
export class SwapEffects {
  readonly #present: Present
  readonly #options: SwapEffectsOptions

  constructor(present: Present, options: SwapEffectsOptions) {
    this.#present = present
    this.#options = options
  }

  perform(effect: Exclude<SwapEffect, Read>, swap: Swap): void {
    const { step } = this.#present
    switch (effect.type) {
      case 'swapRequest':
        step.swapRequests.push(effect.swapRequest)
        return
      case 'send':
        this.#send(effect, swap)
        return
      case 'record':
        step.swaps.push(effect.record)
        return
      case 'signed':
        this.#options.signatures.add(effect.signature)
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
        this.#hindered(swap.action.contestId, effect.hindrance, effect.words)
        return
      case 'heldBack':
        this.#options.path.onFailed(effect.failure)
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
    this.#options.refusals.add(this.#present.step, { strategy: by, action, refusal }, describeSwap(action), this.#atStake(action))
    const { code, message } = refusal
    if (ofInspection.has(code)) this.#failed(action.contestId, { part: 'inspection', reason: `${code}: ${message}`, hadNoTurn: false })
    else this.#hindered(action.contestId, `guard:${code}`, message)
    this.#options.path.onRefused(refusal)
    this.#options.onOutcome(by, action.contestId, { status: 'refused', ...refusal })
  }

  /** A swap waited for another one of the wallet until its contest was over. */
  waitedInVain(contestId: string): void {
    this.#hindered(contestId, 'guard:SWAP_UNRESOLVED', 'it waited for another swap of the wallet until its contest ended')
  }

  /** True where the stake of a contest is lost without a swap: it is live, and has had none yet. */
  owesSwap(contestId: string): boolean {
    const { books, now } = this.#present
    const seat = books.seats.get(contestId)
    const hasSwapped = (this.#options.portfolios.open.get(contestId)?.fills ?? 0) > 0
    const isLive = seat?.phase === 'live' && (seat.endsAt === undefined || now < seat.endsAt)
    return isLive && seat.mode !== undefined && isTradingMode(seat.mode) && !hasSwapped
  }

  #atStake({ contestId }: SwapAction): Usdc | undefined {
    return this.owesSwap(contestId) ? this.#present.books.seats.get(contestId)?.stake : undefined
  }

  #send({ record, action }: Sent, { key }: Swap): void {
    const { step } = this.#present
    step.swaps.push(record)
    step.orders.push({ key, action, request: sendRequestOf(action) })
  }

  /** It was executed. */
  #fill(swap: Swap, { record, fill, bankroll, landed }: Filled): void {
    const { ended, now, step } = this.#present
    const { figures, money, path, portfolios, results, tally, onSwapped, onOutcome } = this.#options
    const { key, by } = swap
    const movesUsdc = fill.from === USDC_MINT || fill.to === USDC_MINT
    figures.onFeePaid({ swap: { action: swap.action, record }, movesUsdc, at: now })
    money.filled(key, fill, bankroll)
    tally.sent += 1
    tally.swapsFilled += 1
    portfolios.fold(fill)
    if (ended.has(fill.contestId)) portfolios.close(fill.contestId, now)
    results.notePeak()
    if (swap.action.type === 'swap') onSwapped(fill.contestId, landed)
    path.onFilled()
    step.fills.push(fill)
    const { from, to, given, received, contestId, signature } = fill
    step.outcomes.push(signature === undefined ? { key, status: 'filled' } : { key, status: 'filled', detail: signature })
    const mode = this.#present.books.seats.get(contestId)?.mode
    const whose = `${by}, ${mode === undefined ? '' : `${mode} `}contest ${contestId}`
    step.note('info', () => `swapped ${formatAmount(given, from)} for ${formatAmount(received, to)} (${whose})`, {
      ...{ contestId, signature, strategy: by },
    })
    onOutcome(by, contestId, { status: 'filled', fill })
  }

  /** It failed on the chain: nothing was swapped, and its fee is gone. */
  #revert(swap: Swap, { record, reason, bankroll }: Reverted): void {
    this.#options.figures.onFeePaid({ swap: { action: swap.action, record }, movesUsdc: false, at: this.#present.now })
    this.#options.money.feePaid()
    this.#end(swap, { status: 'reverted', reason, failure: undefined })
    if (bankroll !== undefined) this.#options.money.told(bankroll)
  }

  #end(swap: Swap, { status, reason, failure }: Omit<Extract<SwapEffect, { readonly type: 'ended' }>, 'type'>): void {
    const { step } = this.#present
    const { tally } = this.#options
    const { key, action, by } = swap
    const { contestId } = action
    this.#options.money.released(key)
    tally.swapsFailed += 1
    if (status !== 'unfilled') tally.sent += 1
    if (status === 'rejected') tally.failed += 1
    step.outcomes.push({ key, status, detail: reason })
    const message = `${describeSwap(action)} came to nothing (${by}, contest ${contestId}): ${reason}`
    step.note(status === 'rejected' ? 'warn' : 'info', message, { intent: key, status, strategy: by, contestId })
    if (failure === undefined) this.#hindered(contestId, 'swap:failed', reason)
    else this.#failed(contestId, failure)
    this.#options.onOutcome(by, contestId, { status: 'failed', reason })
  }

  #failed(contestId: string, failure: PathFailure): void {
    this.#hindered(contestId, `swap:${failure.part}`, failure.reason)
    this.#options.path.onFailed(failure)
  }

  /** What a contest left is sold when it is over: nothing of that is a move. */
  #hindered(contestId: string, hindrance: Hindrance, words?: string): void {
    const { ended } = this.#present
    const { plays } = this.#options
    if (!ended.has(contestId) || plays.has(contestId)) plays.hindered(contestId, hindrance, words)
  }
}

export const describeSwap = ({ type, from, to, amount }: SwapAction): string =>
  `${type} of ${formatAmount(amount, from)} for ${symbolOf(to)}`
