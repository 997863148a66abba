/** A day in milliseconds. */
export const DAY_MS = 86_400_000

/** The UTC day of an instant in Unix milliseconds, counted from 1970. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS)

/** The 00:00 UTC that a day of an instant began with, in Unix milliseconds. */
export const dayStart = (ms: number): number => dayOf(ms) * DAY_MS
