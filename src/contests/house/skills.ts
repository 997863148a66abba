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
}

export interface PriceSource {
  at(mint: Mint, atMs: number): Price | null
  volatilityPerSecond(mint: Mint): number | null
}

export function knownAt(source: PriceSource, nowMs: number): KnownPrices {
  return {
    ago(mint, agoSec) {
      if (agoSec < 0)
        throw new CornermanError('INVARIANT', `the house asked for the price ${-agoSec} s ahead`, { details: { mint, agoSec } })
      return source.at(mint, nowMs - agoSec * 1000)
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
  /** Expects the last minute to go on. */
  momentum: ({ mint, aheadSec, prices }) => trend(mint, prices) * (aheadSec / LOOK_BACK_SEC),
  /** Expects half of it, give or take. */
  noisy: ({ mint, aheadSec, prices, random }) =>
    0.5 * trend(mint, prices) * (aheadSec / LOOK_BACK_SEC) + 0.5 * noise(mint, aheadSec, prices, random),
}

function trend(mint: Mint, prices: KnownPrices): number {
  const now = prices.ago(mint, 0)
  const before = prices.ago(mint, LOOK_BACK_SEC)
  return now === null || before === null ? 0 : Math.log(Number(now) / Number(before))
}

function noise(mint: Mint, aheadSec: number, prices: KnownPrices, random: Random): number {
  return random.normal() * prices.volatilityPerSecond(mint) * Math.sqrt(aheadSec)
}
