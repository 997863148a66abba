import { CornermanError } from '../../core/error.ts'
import type { Price } from '../../core/price.ts'
import type { Random } from '../../core/random.ts'
import type { Mint } from '../../core/tokens.ts'

/** What a house agent knows when it acts: the prices up to that instant and no later one. */
export interface KnownPrices {
  /**
   * @param agoSec 0 is now
   * @throws CornermanError `INVARIANT` for the future
   */
  ago(mint: Mint, agoSec: number): Price | null
  /** Standard deviation of the log return over one second. */
  volatilityPerSecond(mint: Mint): number
  /** How far back a trend is looked for, in seconds: a minute, or one period of a feed that is slower. */
  readonly lookBackSec: number
}

export interface PriceSource {
  at(mint: Mint, atMs: number): Price | null
  volatilityPerSecond(mint: Mint): number | null
  /** What agents are shown of these prices. Without it they are shown all of them. */
  readonly feed?: PriceFeed
}

/** Prices as agents read them: the newest one published, however old. */
export interface PriceFeed {
  at(mint: Mint, atMs: number): Price | null
  /** Seconds from one price of a token to the next. */
  readonly periodSec: number
}

/** The price that an agent is shown at an instant. */
export const shownAt = (source: PriceSource, mint: Mint, atMs: number): Price | null => (source.feed ?? source).at(mint, atMs)

export function knownAt(source: PriceSource, nowMs: number): KnownPrices {
  return {
    lookBackSec: Math.max(LOOK_BACK_SEC, source.feed?.periodSec ?? 0),
    ago(mint, agoSec) {
      if (agoSec < 0)
        throw new CornermanError('INVARIANT', `the house asked for the price ${-agoSec} s ahead`, { details: { mint, agoSec } })
      return shownAt(source, mint, nowMs - agoSec * 1000)
    },
    volatilityPerSecond: (mint) => source.volatilityPerSecond(mint) ?? 0,
  }
}

/** Looks at a token: the log return it expects over the next seconds. */
type Skill = (look: { readonly mint: Mint; readonly aheadSec: number; readonly prices: KnownPrices; readonly random: Random }) => number

export type SkillName = 'random' | 'momentum' | 'noisy'

const LOOK_BACK_SEC = 60

export const SKILLS: Readonly<Record<SkillName, Skill>> = {
  /** Guesses, twice as far out as the price tends to go. */
  random: ({ mint, aheadSec, prices, random }) => 2 * noise(mint, aheadSec, prices, random),
  /** Expects the move of the last minute to go on. */
  momentum: ({ mint, aheadSec, prices }) => trend(mint, prices) * (aheadSec / prices.lookBackSec),
  /** Expects half of it, give or take. */
  noisy: ({ mint, aheadSec, prices, random }) =>
    0.5 * trend(mint, prices) * (aheadSec / prices.lookBackSec) + 0.5 * noise(mint, aheadSec, prices, random),
}

function trend(mint: Mint, prices: KnownPrices): number {
  const now = prices.ago(mint, 0)
  const before = prices.ago(mint, prices.lookBackSec)
  return now === null || before === null ? 0 : Math.log(Number(now) / Number(before))
}

function noise(mint: Mint, aheadSec: number, prices: KnownPrices, random: Random): number {
  return random.normal() * prices.volatilityPerSecond(mint) * Math.sqrt(aheadSec)
}
