import { z } from 'zod'

// Part 2 of the specification, "Enumerated values".

export const MODES = Object.freeze([
  'pnl_race_pct',
  'pnl_usd',
  'best_trade',
  'draft_basket',
  'price_prediction',
  'up_down',
  'target_race',
  'last_bag_standing',
  'same_token',
] as const)
export type Mode = (typeof MODES)[number]
export const modeSchema = z.enum(MODES)

/** The modes that are played by swaps tagged with the contest. */
export const TRADING_MODES = Object.freeze([
  'pnl_race_pct',
  'pnl_usd',
  'best_trade',
  'target_race',
  'last_bag_standing',
  'same_token',
] as const satisfies readonly Mode[])
export type TradingMode = (typeof TRADING_MODES)[number]
const tradingModes: ReadonlySet<string> = new Set(TRADING_MODES)
export const isTradingMode = (mode: string): mode is TradingMode => tradingModes.has(mode)

export const chainSchema = z.enum(['solana', 'robinhood'])
export type Chain = z.infer<typeof chainSchema>

export const opponentsSchema = z.enum(['HUMAN', 'AGENT', 'ANY'])
export type Opponents = z.infer<typeof opponentsSchema>

/** Of a contest (`lane`) and of a result (`versus`): whom the agent plays or played. */
export const laneSchema = z.enum(['HUMAN', 'AGENT', 'MIXED'])
export type Lane = z.infer<typeof laneSchema>

export const formatSchema = z.enum(['duel', 'lobby'])
export type Format = z.infer<typeof formatSchema>

export const resultSchema = z.enum(['WIN', 'LOSS', 'DRAW', 'REFUND'])
export type Result = z.infer<typeof resultSchema>
