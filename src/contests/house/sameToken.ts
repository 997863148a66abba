import { swapMode } from './swapMode.ts'
import { theToken } from './theToken.ts'

/** There is one token to hold, or not to. */
export const houseSameToken = swapMode({ tokens: theToken })
