import { swapMode } from './swapMode.ts'
import { theToken } from './theToken.ts'

/** The bag is filled within the first quarter, and kept. */
export const houseLastBagStanding = swapMode({ tokens: theToken, temper: { looksAgain: 0, sells: 0 } })
