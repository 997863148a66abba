import { z } from 'zod'
import type { Mint } from '../../core/tokens.ts'
import { ONE_USD, unitValue } from '../money/usdValue.ts'
import { rational } from '../rational.ts'
import { isoOf, isoOrNull } from '../turn.ts'
import type { ModeParams } from '../types.ts'
import type { ContestMode, CountedFill, PlayedContest, Progress } from './contestMode.ts'
import { countFill, firstPlay, markPortfolios, type PortfolioPlay, portfolioMode, portfolioView, returnOf } from './portfolioMode.ts'
import { commonParams, paramsReader, tokenParam, withTradedToken } from './readParams.ts'

interface BagParams extends ModeParams {
  readonly token: Mint
}

interface BagPlay extends PortfolioPlay {
  /** By seat: the bag held when the first quarter ended; null before, and for who had none. */
  readonly firstBags: (bigint | null)[]
  /** By seat: when it was eliminated. */
  readonly outAt: (number | null)[]
}

type BagContest = PlayedContest<BagParams, BagPlay>

const readParams = paramsReader(z.strictObject({ ...commonParams, ...tokenParam }))

const traded = portfolioMode<BagParams>({
  name: 'last_bag_standing',
  params: (asked, seating) => withTradedToken(readParams(asked), seating),
  tokens: ({ token }) => [token],
  score: returnOf,
})

/**
 * A bag is the `params.token` a seat has got, and kept, by swaps for the contest. The first quarter is
 * for filling it: who has none when it ends is out, and so is who lets it fall under half of what it
 * was then. The last one standing wins at once; where several stand at `endsAt`, the bag of the
 * highest value does. The score is the seconds stood, and the value of a bag that still stands; a team stands as long as
 * the last of its members, those who swapped nothing included.
 */
export const lastBagStanding: ContestMode<BagParams, BagPlay> = {
  ...traded,
  fills: { tokens: ({ token }) => [token], count },

  lock: ({ entries }) => ({ ...firstPlay(entries), firstBags: entries.map(() => null), outAt: entries.map(() => null) }),

  nextDueAt(contest) {
    const { play, startsAt, endsAt } = contest
    if (play.phase === 'waiting') return startsAt
    return play.phase === 'filling' ? bagBy(contest) : endsAt
  },

  mintsAt: ({ params, startsAt }, at) => (at === startsAt ? [] : [params.token]),

  due(contest, at, priceOf) {
    const { play, startsAt, endsAt } = contest
    if (at === startsAt) {
      play.phase = 'filling'
      return 'goes-on'
    }
    markPortfolios(contest, at, priceOf)
    if (at === endsAt) return 'decided'
    play.phase = 'holding'
    for (const seat of play.portfolios.keys()) {
      const bag = bagOf(contest, seat)
      if (bag === 0n) play.outAt[seat] = at
      else play.firstBags[seat] = bag
    }
    return progressOf(contest)
  },

  scores(contest) {
    const { play, params, startsAt } = contest
    const { mark } = play
    const unit = mark === null ? 0n : unitValue(params.token, () => mark.prices[params.token] ?? '0')
    const endOf = (seat: number) => play.outAt[seat] ?? mark?.at ?? startsAt
    return play.portfolios.map((_, seat) => {
      const comrades = comradesOf(contest, seat)
      if (comrades.every((comrade) => play.portfolios[comrade]?.fills === 0)) return null
      const stoodMs = BigInt(Math.max(...comrades.map(endOf)) - startsAt)
      return rational((stoodMs * ONE_USD) / 1000n + (play.outAt[seat] === null ? bagOf(contest, seat) * unit : 0n), ONE_USD)
    })
  },

  view(contest, viewer) {
    const { play, entries } = contest
    return {
      ...portfolioView(contest, viewer),
      bagBy: isoOf(bagBy(contest)),
      bags: entries.map((entry, seat) => ({
        entryId: entry.entryId,
        userId: viewer.shown(entry),
        amount: bagOf(contest, seat).toString(),
        first: play.firstBags[seat]?.toString() ?? null,
        standing: play.outAt[seat] === null,
        outAt: isoOrNull(play.outAt[seat] ?? null),
      })),
    }
  },
}

function count(contest: BagContest, fill: CountedFill): Progress {
  countFill(contest, fill)
  const { play } = contest
  const first = play.firstBags[fill.seat] ?? null
  if (first === null || play.outAt[fill.seat] !== null || 2n * bagOf(contest, fill.seat) >= first) return 'goes-on'
  play.outAt[fill.seat] = fill.at
  const progress = progressOf(contest)
  if (progress === 'decided') markPortfolios(contest, fill.at, fill.priceOf)
  return progress
}

/** When the first quarter ends. */
const bagBy = ({ startsAt, durationSec }: BagContest): number => startsAt + durationSec * 250

const bagOf = ({ play, params }: BagContest, seat: number): bigint => play.portfolios[seat]?.holdings[params.token] ?? 0n

/** The seats of one's team, one's own included; without teams it alone. */
function comradesOf({ entries }: BagContest, seat: number): readonly number[] {
  const side = entries[seat]?.side ?? null
  return side === null ? [seat] : [...entries.keys()].filter((other) => entries[other]?.side === side)
}

/** One standing wins, and with none there is nothing to wait for. A team stands while one of it does. */
function progressOf({ play, entries }: BagContest): Progress {
  const standing = entries.filter((_, seat) => play.outAt[seat] === null).map(({ side, entryId }) => side ?? entryId)
  return new Set(standing).size <= 1 ? 'decided' : 'goes-on'
}
