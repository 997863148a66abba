import type { Mode } from '../../contract/enums.ts'
import { houseBestTrade } from './bestTrade.ts'
import { houseDraftBasket } from './draftBasket.ts'
import type { HouseMode } from './houseMode.ts'
import { houseLastBagStanding } from './lastBagStanding.ts'
import { housePnlRacePct } from './pnlRacePct.ts'
import { housePnlUsd } from './pnlUsd.ts'
import { housePricePrediction } from './pricePrediction.ts'
import { houseSameToken } from './sameToken.ts'
import { houseTargetRace } from './targetRace.ts'
import { houseUpDown } from './upDown.ts'

/** How the house plays every mode. */
export const HOUSE_MODES: Readonly<Record<Mode, HouseMode>> = {
  up_down: houseUpDown,
  draft_basket: houseDraftBasket,
  price_prediction: housePricePrediction,
  pnl_race_pct: housePnlRacePct,
  pnl_usd: housePnlUsd,
  best_trade: houseBestTrade,
  same_token: houseSameToken,
  target_race: houseTargetRace,
  last_bag_standing: houseLastBagStanding,
}
