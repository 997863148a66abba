import { swapMode } from './swapMode.ts'

/** How many of the most volatile tokens it chooses from. */
const WILDEST = 8

/** A quiet token does not get there in time. */
export const houseTargetRace = swapMode({
  tokens: ({ mints, volatilityPerSecond }) => mints.toSorted((a, b) => volatilityPerSecond(b) - volatilityPerSecond(a)).slice(0, WILDEST),
})
