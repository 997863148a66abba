/** How long things take, in seconds of the service; `speed` makes all of them shorter, what `durationSec` asks for included. */
export interface Pace {
  readonly speed: number
  /** How long seats of a contest may be taken, where its creator does not say. */
  readonly joinWindowSec: number
  /** From the moment all are ready to the start. */
  readonly countdownSec: number
  /** Predictions may be sealed so long after the start. */
  readonly sealSec: number
  /** Predictions may be opened so long before the end, or for the last quarter where that is less. */
  readonly openEarlySec: number
  /** And so long after it. */
  readonly openLateSec: number
  /** A turn of a draft. */
  readonly turnSec: number
  /** The longest that a ticket waits for an opponent of the house; the shortest is a third of it. */
  readonly matchSec: number
  /** How long a ticket waits that does not say. */
  readonly waitSec: number
}

export const PACE: Pace = {
  speed: 1,
  joinWindowSec: 20,
  countdownSec: 2,
  sealSec: 5,
  openEarlySec: 5,
  openLateSec: 3,
  turnSec: 8,
  matchSec: 2.4,
  waitSec: 30,
}

/** Milliseconds of the clock. */
export const msOf = (pace: Pace, seconds: number): number => Math.round((seconds * 1000) / pace.speed)
