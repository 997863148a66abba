/** Milliseconds to wait after a number of failures in a row: `firstMs` at 0, twice as long with each, and no longer than `longestMs`. */
export const backoffMs = (failures: number, firstMs: number, longestMs: number): number => Math.min(firstMs * 2 ** failures, longestMs)
