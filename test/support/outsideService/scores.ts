import { USDC_MINT } from '../../../src/core/tokens.ts'
import type { MoveType } from './agentFile.ts'
import { type Contest, isOver, type Mode, type Seat } from './contest.ts'

/** The move without which nobody can win. In `up_down` a seat has its side from the beginning. */
export const NEEDS: Readonly<Record<Mode, MoveType | null>> = {
  pnl_race_pct: 'swap',
  pnl_usd: 'swap',
  best_trade: 'swap',
  draft_basket: 'pick',
  price_prediction: 'reveal',
  up_down: null,
  target_race: 'swap',
  last_bag_standing: 'swap',
  same_token: 'swap',
}

export const isTrading = (mode: Mode): boolean => NEEDS[mode] === 'swap'

/** Modes about one token, told in the contest. */
export const HAS_COIN: ReadonlySet<Mode> = new Set(['price_prediction', 'up_down', 'last_bag_standing', 'same_token'])

/** In percent, for `target_race`. */
const TARGET_PCT = 1

/** Higher wins; null is a seat that cannot. Undefined where a price is missing: then nobody can be told to have won. */
export function scoresOf(contest: Contest): ReadonlyMap<Seat, number | null> | undefined {
  const scores = contest.seats.map((seat) => [seat, scoreOf(contest, seat)] as const)
  if (scores.some(([, score]) => Number.isNaN(score))) return undefined
  return new Map(scores)
}

/** What a board shows of a running contest: the score by the prices of now. */
export const standingOf = (contest: Contest, seat: Seat, priceNow: (mint: string) => number | undefined): number | null => {
  if (isOver(contest) || !isTrading(contest.mode)) return null
  return profitOf(seat, (mint) => priceNow(mint) ?? Number.NaN)
}

function scoreOf(contest: Contest, seat: Seat): number | null {
  const { mode, coin } = contest
  const price = (mint: string) => contest.endPrices.get(mint) ?? Number.NaN
  const before = (mint: string) => contest.startPrices.get(mint) ?? Number.NaN
  switch (mode) {
    case 'price_prediction':
      return seat.guess === null || coin === null ? null : -Math.abs(Number(seat.guess) - price(coin))
    case 'up_down': {
      if (coin === null || price(coin) === before(coin)) return 0
      return Number.isNaN(price(coin) - before(coin)) ? Number.NaN : Number(price(coin) > before(coin) === (seat.bet === 'long'))
    }
    case 'draft_basket':
      return seat.basket.length === 0 ? null : sum(seat.basket.map((mint) => price(mint) / before(mint) - 1)) / seat.basket.length
    case 'pnl_usd':
      return seat.fills.length === 0 ? null : profitOf(seat, price)
    case 'pnl_race_pct':
      return seat.fills.length === 0 ? null : percentOf(seat, price)
    case 'target_race':
      return seat.fills.length === 0 ? null : Math.min(TARGET_PCT, percentOf(seat, price))
    case 'best_trade':
      return seat.fills.length === 0 ? null : Math.max(...seat.fills.map((fill) => worthOf(fill, price)))
    case 'same_token': {
      const fills = seat.fills.filter((fill) => coin !== null && coin in fill)
      return fills.length === 0 ? null : sum(fills.map((fill) => worthOf(fill, price)))
    }
    case 'last_bag_standing': {
      const bag = coin === null ? 0 : sum(seat.fills.map((fill) => fill[coin] ?? 0))
      return coin === null || bag <= 0 ? null : bag * price(coin)
    }
  }
}

type PriceOf = (mint: string) => number

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const worthOf = (fill: Readonly<Record<string, number>>, price: PriceOf) =>
  sum(Object.entries(fill).map(([mint, amount]) => amount * (mint === USDC_MINT ? 1 : price(mint))))
const profitOf = (seat: Seat, price: PriceOf) => sum(seat.fills.map((fill) => worthOf(fill, price)))

/** Of what was spent. */
function percentOf(seat: Seat, price: PriceOf): number {
  const spent = sum(seat.fills.map((fill) => Math.max(0, -(fill[USDC_MINT] ?? 0))))
  return spent === 0 ? 0 : (profitOf(seat, price) / spent) * 100
}
