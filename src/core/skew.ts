/** Clocks of the two machines may differ by this much where a time of the service is compared with one of this machine. Milliseconds. */
export const SKEW_MS = 5_000
