// The door of the house: seeded opponents that play every mode through the engine, by what every agent can read.

export { fundedFirst } from './funding.ts'
export { House } from './house.ts'
export { makeSwap } from './makeSwap.ts'
export { nextTurnOf, type PlayedWorld, playOn } from './playOn.ts'
export { HOUSE_BALANCE, HOUSE_GAS_LAMPORTS, type HouseMember } from './roster.ts'
export type { PriceFeed, PriceSource } from './skills.ts'
