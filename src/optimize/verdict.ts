import { probit } from 'simple-statistics'
import { decidedOf } from '../backtest/metrics/returns.ts'
import { LEAST_PAIRED, type PairedContest, type PairedEdge, pairedEdge, standardErrorOf } from '../backtest/statistics/pairedEdge.ts'
import { bestOfCoins, chanceBelow } from './coins.ts'
import { MOST_LOOKS } from './ledger/seals.ts'

/** Of look k at one seal: 0.04, 0.008, 0.0016. Together they are at most 0.05. */
export const alphaOf = (look: number): number => 0.04 * 0.2 ** (look - 1)

/** A paired edge that is worth nothing, even if it is there. */
const WORTHLESS = 0.02
/** The power that `contestsNeeded` gives. */
const POWER = 0.8

export type RejectReason = 'NO_BETTER' | 'STILL_LOSES' | 'SPENT'

export type Verdict = {
  /** What one sided test it was held to; 0 for a look that there is not. */
  readonly alpha: number
  /** The probability of such a difference, or a better one, where there is none: one-sided. Undefined where nothing can be said. */
  readonly p: number | undefined
  readonly paired: PairedEdge | undefined
} & (
  | { readonly verdict: 'promote' }
  /** In contests of the incumbent, at the next look. */
  | { readonly verdict: 'more'; readonly contestsNeeded: number }
  | { readonly verdict: 'reject'; readonly reason: RejectReason }
)

export interface SealedRuns {
  /** What each side has played on the sealed time, in one unbroken run. */
  readonly candidate: readonly PairedContest[]
  readonly incumbent: readonly PairedContest[]
  /** From 1: how often this seal has been looked at with this look. */
  readonly look: number
}

/**
 * Whether a candidate takes the incumbent's place, by contests that nobody had seen. It does where its paired edge is above 0 by Student's test at the level
 * of this look, and its own edge is above 0.
 */
export function verdictOf({ candidate, incumbent, look }: SealedRuns): Verdict {
  if (look > MOST_LOOKS) return { verdict: 'reject', reason: 'SPENT', alpha: 0, p: undefined, paired: undefined }
  const alpha = alphaOf(look)
  const paired = pairedEdge(candidate, incumbent)
  if (paired === undefined) return { ...whereUntested(candidate, incumbent), alpha, p: undefined, paired }
  const p = paired.difference > 0 ? paired.p / 2 : 1 - paired.p / 2
  const said = { alpha, p, paired }
  if (p < alpha) return paired.edge > 0 ? { verdict: 'promote', ...said } : { verdict: 'reject', reason: 'STILL_LOSES', ...said }
  if (paired.difference <= 0 || paired.high < WORTHLESS) return { verdict: 'reject', reason: 'NO_BETTER', ...said }
  const deviation = standardErrorOf(paired) * Math.sqrt(paired.against)
  return { verdict: 'more', contestsNeeded: neededFor(paired.difference, deviation, nextLook(look)), ...said }
}

/** Too few contests to compare; or as many as it takes, which came out the same. */
function whereUntested(candidate: readonly PairedContest[], incumbent: readonly PairedContest[]) {
  const [own, other] = [decidedOf(candidate).length, decidedOf(incumbent).length]
  const least = Math.min(own, other)
  if (own === 0 || least >= LEAST_PAIRED) return { verdict: 'reject', reason: 'NO_BETTER' } as const
  return { verdict: 'more', contestsNeeded: Math.ceil((other * LEAST_PAIRED) / Math.max(1, least)) } as const
}

/** After the last look it takes a new seal, and its first. */
const nextLook = (look: number): number => (look < MOST_LOOKS ? look + 1 : 1)

/**
 * Contests that it takes to tell a difference from zero with a power of 80 %: n = ((z₁₋α + z₀.₈) × deviation ÷ difference)², one-sided; Shein-Chung Chow,
 * Jun Shao and Hansheng Wang (2008), Sample Size Calculations in Clinical Research, part 3.1.
 */
function neededFor(difference: number, deviation: number, look: number): number {
  return Math.ceil((((probit(1 - alphaOf(look)) + probit(POWER)) * deviation) / difference) ** 2)
}

export interface Prospect {
  /** The candidate against the incumbent, where it was searched for. */
  readonly train: PairedEdge
  /** How many trials it is the best of. */
  readonly trials: number
  /** The incumbent's, that are sealed. */
  readonly sealedContests: number
  readonly look: number
}

export interface Power {
  /** The paired edge that the best of as many coins would show on the train contests. */
  readonly bestOfCoins: number
  /** What is left of the paired edge shown: the best guess of what it is on contests that the search has not seen. */
  readonly shrunkEdge: number
  /** The chance that the sealed contests tell it from zero at this look, if it is that. */
  readonly power: number
  /** Sealed contests for a power of 80 %; null where nothing is left to be told. */
  readonly contestsNeeded: number | null
}

/** All trials are compared with the one incumbent, whose luck they share: half of the variance of a difference is each one's own. */
const OWN_PART = Math.SQRT1_2

/** The power from which on a look is worth its price. */
export const LEAST_POWER = 0.5

/** The chance that a look at the sealed contests would show a candidate to be better, before it is taken. */
export function powerOf({ train, trials, sealedContests, look }: Prospect): Power {
  const deviation = standardErrorOf(train) * Math.sqrt(train.against)
  const best = bestOfCoins({ trials, deviation: deviation * OWN_PART, contests: train.against })
  const shrunkEdge = train.difference - best
  const power = chanceBelow((shrunkEdge * Math.sqrt(sealedContests)) / deviation - probit(1 - alphaOf(look)))
  return { bestOfCoins: best, shrunkEdge, power, contestsNeeded: shrunkEdge > 0 ? neededFor(shrunkEdge, deviation, look) : null }
}
