import type { Mode } from '../../contract/enums.ts'
import { houseDraftBasket } from './draftBasket.ts'
import type { HouseMode } from './houseMode.ts'
import { housePricePrediction } from './pricePrediction.ts'
import { houseUpDown } from './upDown.ts'

/** How the house plays each mode that is played. */
export const HOUSE_MODES: Readonly<Partial<Record<Mode, HouseMode>>> = {
  up_down: houseUpDown,
  draft_basket: houseDraftBasket,
  price_prediction: housePricePrediction,
}
