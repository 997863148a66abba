import { keyedRandom } from '../../core/random.ts'

/** What becomes of transactions, as shares of all. */
export interface LandingShares {
  /** Those that answer `submitted` and land a little later. 0 to 1. */
  readonly submitted: number
  /** Those of them that fail as slippage does. 0 to `submitted`. */
  readonly failed: number
}

export const DEFAULT_LANDING: LandingShares = { submitted: 0.15, failed: 0.02 }

/** One that does not land at once does so within this. */
const LATER_MS = { least: 400, most: 2000 } as const

export interface Fate {
  /** 0: it lands at once. */
  readonly delayMs: number
  readonly fails: boolean
}

/** What is to become of a transaction: it depends on the seed and the message alone, and so a restart does not change it. */
export function fateOf(seed: number, messageHash: string, { submitted, failed }: LandingShares): Fate {
  const random = keyedRandom(seed, 'landing', messageHash)
  const drawn = random.next()
  return drawn < submitted
    ? { delayMs: random.integer(LATER_MS.least, LATER_MS.most), fails: drawn < failed }
    : { delayMs: 0, fails: false }
}
