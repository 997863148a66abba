import type { BotRun } from '../result.ts'

/**
 * A figure of a bot's contests; null where there are too few of them for it, or where it divides by nothing.
 *
 * One settled contest is one observation, and its return is profit ÷ stake: contests have stakes and durations of
 * their own, so ratios are per contest and never scaled to a year. A refund is no observation, and neither is a
 * contest that was cancelled: nothing was decided. A draw is one.
 */
export type Metric = (bot: BotRun) => number | null

/**
 * The least observations of a ratio of mean and spread. Thirty is what Van K. Tharp (2008), Definitive Guide to
 * Position Sizing, asks for before the system quality number is worked out; the other ratios rest on the same two figures.
 */
export const LEAST_FOR_RATIO = 30
