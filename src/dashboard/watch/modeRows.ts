import { type BotStatus, type ModeStatus, type SwapPath, unplayedBy } from '../../pipeline/index.ts'
import type { Strategy } from '../../strategy/define.ts'
import type { ModeRow } from './views.ts'

/** Every mode that the bot may enter by its config. */
export const modeRowsOf = (status: BotStatus | undefined): readonly ModeRow[] | undefined =>
  status?.modes?.map(({ mode, code, why, unplayed: { count, staked }, trialAt }) => ({
    ...{ mode, code, why, unplayed: count, staked: staked.toString(), trialAt },
  }))

/** True where a strategy of the bot plays the mode, also while it is left alone. */
export const isPlayed = (mode: string, strategies: readonly Strategy[]): boolean =>
  unplayedBy(mode, strategies, () => undefined) === undefined

/** True of what nothing but another mapping opens. */
export const isUnreadable = ({ code }: ModeStatus): boolean => code === 'SERVICE_UNPROBED' || code === 'MODE_UNREADABLE'

/**
 * True while something keeps the mode from being entered, for more than one contest at a time. The guard also refuses it while nobody has seen for a while whether swaps come
 * through: of a bot that starts, is stopped or drains, which is nothing wrong.
 */
export const isClosed = ({ code, since }: ModeStatus, path: SwapPath | undefined): boolean =>
  code !== undefined && code !== 'MODE_ON_TRIAL' && (code !== 'SWAP_PATH_DOWN' || since !== undefined || path?.isDown === true)
