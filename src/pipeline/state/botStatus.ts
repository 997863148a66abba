import type { Usdc } from '../../core/usdc.ts'
import type { IncompleteAnswer } from '../answers/incompleteAnswers.ts'
import type { Books } from '../books/books.ts'
import type { MissingMoney } from '../money/ledgerKeeper.ts'
import type { ModeStatus } from '../playable/modeStatus.ts'
import type { Pause } from '../playable/owedMove.ts'
import type { SwapPath } from '../playable/swapPath.ts'
import type { UnnamedEntry } from '../playable/unnamedEntries.ts'
import type { ActionCounts } from '../protocol/input.ts'
import type { Suspension } from '../strategies/containment.ts'
import type { Equity } from '../swaps/equity.ts'
import type { Portfolio } from '../swaps/portfolio.ts'
import type { Unsold } from '../swaps/sweeps.ts'

/** What a bot has done and holds, for reports and screens. */
export interface BotStatus {
  readonly books: Books
  /** What the swaps of contests that are not closed have made. */
  readonly portfolios: ReadonlyMap<string, Portfolio>
  /** What the swaps of closed contests have made or lost, in micro-USDC. */
  readonly swapProfit: Usdc
  /** What contests that are over have left, by now in vain: it is not sold yet, and nobody trades it any more. */
  readonly unsold: readonly Unsold[]
  /** What the swaps of contests that are over and not closed have made, at the newest prices; a token without one counts as nothing. */
  readonly unsoldProfit: Usdc
  /** What the bot is worth at the newest prices. */
  readonly equity: Equity
  /** The strategy that entered a contest; undefined where none did, and of one that was settled more than two days ago. */
  strategyOf(contestId: string): string | undefined
  /** `unknownKeys`: actions without an answer, apart from swaps. */
  readonly actions: ActionCounts & { readonly unknown: number; readonly unknownKeys: readonly string[] }
  readonly reveals: { readonly due: number; readonly done: number }
  /** Answers of this run that were about something else than what was asked for, and were dropped. */
  readonly strayAnswers: number
  /** Reads whose newest answer lacks a field that the bot needs. */
  readonly incompleteAnswers: readonly IncompleteAnswer[]
  /** Tickets and seats in modes that the bot does not know. */
  readonly unnamedEntries: readonly UnnamedEntry[]
  /** Happenings of this run that could not have been: each was noted and ignored. */
  readonly lifecycleBreaks: number
  /** Predictions whose reveal came to nothing so far: each may still be made in its time. */
  readonly overdueReveals: readonly { readonly contestId: string; readonly reason: string }[]
  /** How far this machine's clock is ahead of the service's, while that is more than an hour; else 0: nothing is entered meanwhile. */
  readonly clockGapMs: number
  /** The newest time in which the process or its clock stood still; undefined: there was none in this run. */
  readonly lastPause: Pause | undefined
  /** Money that should be there and is not: nothing is entered until the operator acknowledges it. */
  readonly missingMoney: readonly MissingMoney[]
  readonly suspended: readonly Suspension[]
  /** What the day has cost and may still cost, as the guard's daily loss counts it; undefined where something is not known. */
  today(): { readonly lost: Usdc; readonly inPlay: Usdc; readonly reserved: Usdc } | undefined
  /** What is known of the playing of modes; undefined in worlds in which none is ever closed. */
  readonly modes: readonly ModeStatus[] | undefined
  /** Whether swaps come through; undefined in worlds in which they always do. */
  readonly path: SwapPath | undefined
  /** What the guard holds for actions without an outcome: how many, their stakes, and the most they can lose. */
  readonly reserved: { readonly actions: number; readonly stake: Usdc; readonly risk: Usdc }
}
