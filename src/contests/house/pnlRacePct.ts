import { swapMode } from './swapMode.ts'

/** Any token may be the one that rises most. */
export const housePnlRacePct = swapMode({ tokens: ({ mints }) => mints })
