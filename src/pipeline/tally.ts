import type { ActionCounts } from './protocol/input.ts'

/** What actions, reveals and swaps of the journal's life have come to, counted by whoever learns it. */
export type Tally = { -readonly [K in keyof ActionCounts]: ActionCounts[K] }

export const emptyTally = (): Tally => ({ sent: 0, refused: 0, failed: 0, revealed: 0, missed: 0, swapsFilled: 0, swapsFailed: 0 })
