import { isTradingMode } from '../../contract/modes.ts'
import type { Usdc } from '../../core/usdc.ts'
import { type RefusalCode, swapBudgetShort } from '../../guard/index.ts'
import type { Present } from '../state/present.ts'
import { type Modes, reasonOf } from './modes.ts'
import { isPathUp, pathTrouble } from './swapPath.ts'

/** Of the guard. `MODE_ON_TRIAL`: the mode is open, for one contest at a time. */
export type ModeCode = Extract<
  RefusalCode,
  'SERVICE_UNPROBED' | 'MODE_UNREADABLE' | 'MODE_NOT_PLAYED' | 'SWAP_PATH_DOWN' | 'SWAP_BUDGET' | 'MODE_CLOSED' | 'MODE_ON_TRIAL'
>

/** How one mode stands that the bot may enter by its config. */
export interface ModeStatus {
  readonly mode: string
  /** Why it is not entered, as the guard says it; undefined: it is open. */
  readonly code: ModeCode | undefined
  /** The same in words. */
  readonly why: string | undefined
  /** Over the life of the journal: contests that ended without a valid move, and their stakes in micro-USDC. */
  readonly unplayed: { readonly count: number; readonly staked: Usdc }
  /** Of one that was closed in play: since when, trials since then, and when it is tried next, in Unix milliseconds; undefined where it never is. */
  readonly since: number | undefined
  readonly trials: number
  readonly trialAt: number | undefined
}

/** What is on trial, in words. */
export const ON_TRIAL = 'one contest at a time, until a valid move was made in one'

/** Every mode that the bot may enter; undefined where every mode can be played. */
export function modeStatusesOf(modes: Modes, { now, options }: Present): readonly ModeStatus[] | undefined {
  if (!modes.isKept) return undefined
  return options.config.guard.modes.map((mode) => modeStatusOf(modes, { mode, now }))
}

export function modeStatusOf(modes: Modes, { mode, now }: { readonly mode: string; readonly now: number }): ModeStatus {
  const { unplayed, closed } = modes.recordOf(mode)
  const own = { mode, unplayed, since: closed?.at, trials: closed?.trials ?? 0, trialAt: closed?.trialAt }
  const unreadable = modes.unreadable(mode)
  if (unreadable !== undefined) {
    const { code, why, remedy } = unreadable
    return { ...own, code, why: `${why}: ${remedy}`, trialAt: undefined }
  }
  const by = modes.unplayedBy(mode)
  if (by !== undefined) {
    const why = by.strategy === undefined ? 'no strategy plays it' : `${by.strategy}, which plays it, is left alone`
    return { ...own, code: 'MODE_NOT_PLAYED', why }
  }
  const path = isTradingMode(mode) ? modes.path() : undefined
  if (path !== undefined && !isPathUp(path, now))
    return {
      ...own,
      code: 'SWAP_PATH_DOWN',
      why: pathTrouble(path)?.reason ?? path.reason ?? 'whether swaps come through is not known yet',
    }
  const budget = isTradingMode(mode) ? modes.swapBudget() : undefined
  const short = budget === undefined ? undefined : swapBudgetShort(mode, { ...budget, contests: 0 }, 0)
  if (short !== undefined) return { ...own, code: 'SWAP_BUDGET', why: short.message }
  if (closed !== undefined) return { ...own, code: 'MODE_CLOSED', why: reasonOf(closed.why) }
  if (modes.isOnTrial(mode)) return { ...own, code: 'MODE_ON_TRIAL', why: ON_TRIAL }
  return { ...own, code: undefined, why: undefined }
}
