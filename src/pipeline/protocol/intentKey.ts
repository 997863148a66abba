// The key of an intent is deterministic: the input it was asked for on, who asked, and its place among what that input led to.

export const intentKey = (n: number, by: string, ordinal: number): string => `${n}:${by}:${ordinal}`

/** Who asked for it: names of strategies have no colon. */
export const strategyOfKey = (key: string): string => key.split(':')[1] ?? ''
