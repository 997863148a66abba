import { z } from 'zod'
import { MODES } from './modes.ts'

// Part 2 of the specification, "Enumerated values".

export { isTradingMode, MODES, type Mode, TRADING_MODES, type TradingMode } from './modes.ts'
export const modeSchema = z.enum(MODES)

export const chainSchema = z.enum(['solana', 'robinhood'])
/**
 * A chain that contests are played on.
 *
 * @example const chains: readonly Chain[] = ['solana'] // as `guard.chains` takes them
 */
export type Chain = z.infer<typeof chainSchema>

export const opponentsSchema = z.enum(['HUMAN', 'AGENT', 'ANY'])
/**
 * Whom an agent wants to be matched with: people, agents, or anybody.
 *
 * @example const opponents: readonly Opponents[] = ['AGENT', 'ANY'] // as `guard.opponents` takes them
 */
export type Opponents = z.infer<typeof opponentsSchema>

/** Of a contest (`lane`) and of a result (`versus`): whom the agent plays or played. */
export const laneSchema = z.enum(['HUMAN', 'AGENT', 'MIXED'])
export type Lane = z.infer<typeof laneSchema>

export const formatSchema = z.enum(['duel', 'lobby'])
/**
 * The form of a contest: one against one, or several.
 *
 * @example const formats: readonly Format[] = ['duel', 'lobby']
 */
export type Format = z.infer<typeof formatSchema>

export const resultSchema = z.enum(['WIN', 'LOSS', 'DRAW', 'REFUND'])
/** How a settled contest ended for the agent; `REFUND` gives the stake back. */
export type Result = z.infer<typeof resultSchema>
