import type { Mode } from '../../contract/enums.ts'
import { invariant } from '../../core/error.ts'
import type { Price } from '../../core/price.ts'
import type { Mint } from '../../core/tokens.ts'
import { microUsd } from '../money/usdValue.ts'
import { type Rational, rational, rationalText } from '../rational.ts'
import { isoOf } from '../turn.ts'
import type { Entry, ModeParams } from '../types.ts'
import { type ContestMode, type PlayedContest, USUAL_LEAD_MS, type Viewer } from './contestMode.ts'
import { bookFill, emptyPortfolio, mintsHeld, type Portfolio, profitOf } from './portfolio.ts'

/** What a portfolio with a fill came to at the prices of an instant. Values (`usdValue.ts`). */
export interface Marked {
  readonly profit: bigint
  readonly deployed: bigint
}

export interface Mark {
  readonly at: number
  /** Of every token held then. */
  readonly prices: Readonly<Record<Mint, Price>>
  /** By seat; null for who had swapped nothing. */
  readonly seats: readonly (Marked | null)[]
}

export interface PortfolioPlay {
  phase: string
  /** By seat. */
  readonly portfolios: readonly Portfolio[]
  lastFillAt: number | null
  mark: Mark | null
}

export type PortfolioContest<Params = ModeParams> = PlayedContest<Params, PortfolioPlay>

interface PortfolioRules<Params> {
  readonly name: Mode
  readonly params: ContestMode<Params & ModeParams>['params']
  /** Tokens its swaps may be of, besides USDC; null: any. */
  tokens(params: Params): readonly Mint[] | null
  /** What a seat that swapped is ranked by, highest first. */
  score(marked: Marked): Rational
}

/**
 * A mode played by swaps where each seat's portfolio is ranked at `endsAt`, open positions at the
 * prices of that instant. Who has swapped nothing for the contest has made no valid move.
 */
export function portfolioMode<Params extends ModeParams>(rules: PortfolioRules<Params>): ContestMode<Params, PortfolioPlay> {
  const { name, params, tokens, score } = rules
  return {
    name,
    chains: ['solana'],
    winner: 'highest',
    sides: null,
    moves: {},
    fills: { tokens, count: countFill },
    params,
    leadMs: () => USUAL_LEAD_MS,
    lock: ({ entries }) => firstPlay(entries),
    nextDueAt: ({ play, startsAt, endsAt }) => (play.phase === 'waiting' ? startsAt : endsAt),
    mintsAt: ({ play, endsAt }, at) => (at === endsAt ? mintsHeld(play.portfolios) : []),
    due(contest, at, priceOf) {
      if (at !== contest.endsAt) {
        contest.play.phase = 'running'
        return 'goes-on'
      }
      markPortfolios(contest, at, priceOf)
      return 'decided'
    },
    scores: (contest) => scoresOf(contest, score),
    view: portfolioView,
  }
}

export function firstPlay(entries: readonly Entry[]): PortfolioPlay {
  return { phase: 'waiting', portfolios: entries.map(emptyPortfolio), lastFillAt: null, mark: null }
}

export const countFill: NonNullable<ContestMode<ModeParams, PortfolioPlay>['fills']>['count'] = ({ play }, fill) => {
  const portfolio = play.portfolios[fill.seat]
  invariant(portfolio !== undefined, `seat ${fill.seat} has no portfolio`)
  bookFill(portfolio, fill)
  play.lastFillAt = fill.at
  return 'goes-on'
}

/** Values every portfolio at these prices. */
export function markPortfolios({ play }: PortfolioContest, at: number, priceOf: (mint: Mint) => Price): void {
  const prices: Record<Mint, Price> = {}
  for (const mint of mintsHeld(play.portfolios)) prices[mint] = priceOf(mint)
  play.mark = {
    at,
    prices,
    seats: play.portfolios.map((portfolio) => {
      const { fills, deployed } = portfolio
      return fills === 0 ? null : { profit: profitOf(portfolio, priceOf), deployed }
    }),
  }
}

/** By seat, as last marked; null for who had swapped nothing. */
export function scoresOf({ play }: PortfolioContest, score: (marked: Marked) => Rational): (Rational | null)[] {
  return play.portfolios.map((_, seat) => {
    const marked = play.mark?.seats[seat] ?? null
    return marked === null ? null : score(marked)
  })
}

/** Profit or loss ÷ peak capital deployed: something was deployed by the first swap. */
export const returnOf = ({ profit, deployed }: Marked): Rational => rational(profit, deployed)

/** The viewer's own positions, and everyone's figures at the prices of the last mark. */
export function portfolioView({ play, entries }: PortfolioContest, { seat, shown }: Viewer) {
  const { phase, portfolios, mark } = play
  const own = seat === null ? undefined : portfolios[seat]
  return {
    phase,
    positions: Object.entries(own?.holdings ?? {}).map(([token, amount]) => ({ token, amount: amount.toString() })),
    markedAt: mark === null ? null : isoOf(mark.at),
    traders: entries.map((entry, of) => ({
      entryId: entry.entryId,
      userId: shown(entry),
      fills: portfolios[of]?.fills ?? 0,
      deployed: microUsd(portfolios[of]?.deployed ?? 0n),
      ...figuresOf(mark?.seats[of] ?? null),
    })),
  }
}

/** The profit in micro-USDC, the return as a fraction. */
function figuresOf(marked: Marked | null) {
  if (marked === null) return { pnl: null, return: null }
  return { pnl: microUsd(marked.profit), return: rationalText(returnOf(marked)) }
}
