import type { HouseMode } from './houseMode.ts'

/** Its side is chosen with the seat; then there is nothing to do. */
export const houseUpDown: HouseMode = { openings: ['UP', 'DOWN'], plan: () => null }
