import type { Mode } from '../../contract/enums.ts'
import type { Contest, ModeParams } from '../types.ts'
import { bestTrade } from './bestTrade.ts'
import type { ContestMode, PlayedContest } from './contestMode.ts'
import { draftBasket } from './draftBasket.ts'
import { lastBagStanding } from './lastBagStanding.ts'
import { pnlRacePct } from './pnlRacePct.ts'
import { pnlUsd } from './pnlUsd.ts'
import { pricePrediction } from './pricePrediction.ts'
import { sameToken } from './sameToken.ts'
import { targetRace } from './targetRace.ts'
import { upDown } from './upDown.ts'

/** Every mode, by its name. */
const rules: { readonly [M in Mode]: ContestMode } = {
  up_down: upDown,
  draft_basket: draftBasket,
  price_prediction: pricePrediction,
  pnl_race_pct: pnlRacePct,
  pnl_usd: pnlUsd,
  best_trade: bestTrade,
  same_token: sameToken,
  target_race: targetRace,
  last_bag_standing: lastBagStanding,
}

/** The modes that are played. */
export const contestModes: readonly Mode[] = Object.values(rules).map(({ name }) => name)

/** The rules of a contest's mode. */
export const modeOf = ({ mode }: Pick<Contest, 'mode'>): ContestMode => rules[mode]

/** Whether a contest has locked, so that its mode has a state of play. */
export function hasPlay(contest: Contest): contest is PlayedContest<ModeParams, unknown> {
  return contest.play !== null && contest.startsAt !== null && contest.endsAt !== null
}
