import { z } from 'zod'
import type { Mint } from '../../core/tokens.ts'
import { nearUnitValue } from '../money/usdValue.ts'
import { givenScore } from '../play/givenScore.ts'
import { compareRationals, type Rational, rational } from '../rational.ts'
import { standingsOf } from '../settlement/standings.ts'
import type { ContestMode } from './contestMode.ts'
import { holdsToken, mintsHeld } from './portfolio.ts'
import {
  markPortfolios,
  type PortfolioContest,
  type PortfolioPlay,
  portfolioMode,
  portfolioView,
  returnOf,
  scoresOf,
} from './portfolioMode.ts'
import { commonParams, paramsReader } from './readParams.ts'

const paramsSchema = z.strictObject({ ...commonParams, targetPct: z.number().min(0.01).max(1000).multipleOf(0.01).default(1) })

type TargetParams = z.output<typeof paramsSchema>
type TargetRace = PortfolioContest<TargetParams>

const CHECK_MS = 1000
const HUNDREDTHS_OF_PERCENT = 10_000n
/** Of what is held: more than prices that differ by 1 in a million make of it. */
const MARGIN = 2e-6

const ranked = portfolioMode<TargetParams>({
  name: 'target_race',
  params: paramsReader(paramsSchema),
  tokens: () => null,
  score: returnOf,
})

/**
 * The first return of `params.targetPct` ends the race and wins it; nobody's, and the highest return
 * at `endsAt` does. Returns are as in `pnl_race_pct`. They are looked at at every whole second from
 * `startsAt` at which they can have changed: while someone holds a token, and after a swap. Who gets
 * there in the same second is told apart by the higher return.
 */
export const targetRace: ContestMode<TargetParams, PortfolioPlay> = {
  ...ranked,

  nextDueAt(contest) {
    if (contest.play.phase === 'waiting') return contest.startsAt
    return canChange(contest.play) ? nextCheckAt(contest) : contest.endsAt
  },

  mintsAt: ({ play, startsAt }, at) => (at === startsAt ? [] : mintsHeld(play.portfolios)),

  due(contest, at, priceOf) {
    if (at === contest.startsAt) return ranked.due(contest, at, priceOf)
    markPortfolios(contest, at, priceOf)
    return at === contest.endsAt || isReached(contest) ? 'decided' : 'goes-on'
  },

  looks: { everyMs: CHECK_MS, couldEnd },

  /** It is looked at next as after a swap. */
  onGiven({ play }, at) {
    if (play.phase !== 'waiting') play.lastFillAt = at
  },

  view: (contest, viewer) => ({ ...portfolioView(contest, viewer), targetPct: contest.params.targetPct }),
}

/** A swap at the very instant of a check came after it. */
function canChange({ portfolios, lastFillAt, mark }: PortfolioPlay): boolean {
  return holdsToken(portfolios) || (lastFillAt !== null && (mark === null || lastFillAt >= mark.at))
}

function nextCheckAt({ play, startsAt, endsAt }: TargetRace): number {
  const latest = Math.max(startsAt, play.lastFillAt ?? 0, play.mark?.at ?? 0)
  const next = startsAt + (Math.floor((latest - startsAt) / CHECK_MS) + 1) * CHECK_MS
  return Math.min(next, endsAt)
}

/** In numbers. A team is there no sooner than the best of it. */
function couldEnd(contest: TargetRace, priceOf: (mint: Mint) => number): boolean {
  const { play, params, entries } = contest
  if (entries.some(({ given }) => isThere(contest, givenScore(given)))) return true
  const target = 1 + params.targetPct / 100
  return play.portfolios.some(({ fills, deployed, holdings }) => {
    if (fills === 0) return false
    let value = 0
    for (const mint in holdings) value += Number(holdings[mint]) * nearUnitValue(mint, priceOf)
    return !(value * (1 + MARGIN) < Number(deployed) * target)
  })
}

/** Whether a player is there, or a team by the mean of its members. */
function isReached(contest: TargetRace): boolean {
  const { entries } = contest
  const scores = scoresOf(contest, returnOf).map((score, seat) => givenScore(entries[seat]?.given) ?? score)
  return standingsOf(entries, scores).some(({ score }) => isThere(contest, score ?? undefined))
}

function isThere({ params }: TargetRace, score: Rational | undefined): boolean {
  const target = rational(BigInt(Math.round(params.targetPct * 100)), HUNDREDTHS_OF_PERCENT)
  return score !== undefined && compareRationals(score, target) >= 0
}
