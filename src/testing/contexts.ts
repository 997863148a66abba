import { readOnly } from '../core/readOnly.ts'
import type { Mint } from '../core/tokens.ts'
import { usdc } from '../core/usdc.ts'
import type { DraftContext, PredictContext, PredictionMode, QueueContext } from '../strategy/define.ts'
import type { BotView, ContestView } from '../strategy/view.ts'
import { NOW_MS } from './priceWorld.ts'
import { strategyContext, type WorldOfPrices } from './strategyContext.ts'
import { botView, contestView } from './views.ts'

/** The world that a queue policy is asked in: prices, and any field of what the bot knows of itself. */
export type QueueWorld = WorldOfPrices & Partial<BotView>

/**
 * What a queue policy is asked with.
 *
 * @example await ladder().decide(queueContext({ openContests: [openContestView()] }))
 */
export function queueContext({ prices = {}, seed = 7, ...view }: QueueWorld = {}): QueueContext<unknown> {
  const state = readOnly(botView(view))
  return { ...strategyContext({ prices, seed }), ...state, state }
}

/** The world that a draft picker is asked in: prices, the draft, and any field of its contest. */
export interface DraftWorld extends WorldOfPrices {
  /** By default, every mint that has prices. */
  readonly available?: readonly Mint[]
  /** Tokens the bot has picked; none by default. */
  readonly mine?: readonly Mint[]
  /** Tokens its opponents have picked; none by default. */
  readonly theirs?: readonly Mint[]
  /** Rounds of the draft, this one included. Default 1. */
  readonly round?: number
  /** Fields of its contest that are not those of `contestView()`. */
  readonly contest?: Partial<ContestView>
}

/**
 * What a picker is asked with when it is its turn.
 *
 * @example momentum().pick(draftContext({ prices: { [SOL_MINT]: line(180, 181, 30), [JUP]: line(0.5, 0.49, 30) } }))
 */
export function draftContext({ prices = {}, seed = 7, contest = {}, ...draft }: DraftWorld = {}): DraftContext<unknown> {
  const turn = { available: Object.keys(prices), mine: [], theirs: [], round: 1, pickBy: NOW_MS + 10_000, ...draft }
  return { ...strategyContext({ prices, seed }), contest: readOnly(contestView(contest)), draft: readOnly(turn) }
}

/** The world that a predictor is asked in: prices, and the contest to predict in. */
export interface PredictWorld extends WorldOfPrices {
  /** Default `price_prediction`. */
  readonly mode?: PredictionMode
  /** The token to predict; by default the first that has prices. */
  readonly token?: Mint | undefined
  /** Seconds until the contest ends; undefined: the service has not said. */
  readonly leftSec?: number | undefined
  /** Seconds that the contest lasts in all. Default 20. */
  readonly durationSec?: number
}

/**
 * What a predictor is asked with: 20 seconds before the end, about the only token that has prices unless it is said otherwise.
 *
 * @example drift().predict(predictContext({ prices: { [SOL_MINT]: line(180, 181, 30) } }))
 */
export function predictContext({ prices = {}, seed = 7, ...asked }: PredictWorld = {}): PredictContext<unknown> {
  const { mode, token, leftSec, durationSec } = {
    ...{ mode: 'price_prediction' as const, token: Object.keys(prices)[0], leftSec: 20, durationSec: 20 },
    ...asked,
  }
  const endsAt = leftSec === undefined ? undefined : NOW_MS + leftSec * 1000
  const contest = readOnly({ contestId: 'c', mode, stake: usdc('1'), token, durationSec, startsAt: undefined, endsAt })
  return { ...strategyContext({ prices, seed }), contest }
}
