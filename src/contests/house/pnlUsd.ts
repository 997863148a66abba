import { swapMode } from './swapMode.ts'

/** One sum is spent, so that what earns most of it earns most in USD too. */
export const housePnlUsd = swapMode({ tokens: ({ mints }) => mints })
