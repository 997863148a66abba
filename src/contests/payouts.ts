import type { Result } from '../contract/enums.ts'
import type { Usdc } from '../core/usdc.ts'
import { compareRationals, type Rational } from './rational.ts'

/** Seats that win and lose together: a single one, or all of a side. */
export interface Standing {
  readonly seats: readonly number[]
  /** Null: no valid move was made, which loses. */
  readonly score: Rational | null
}

export interface Decision {
  readonly standings: readonly Standing[]
  readonly winner: 'highest' | 'lowest'
  readonly stake: Usdc
  readonly rakeBps: number
  /** Weights by place. */
  readonly shares: readonly number[]
}

export interface SeatOutcome {
  readonly result: Result
  readonly payout: Usdc
}

type Ranked = Standing & { readonly score: Rational }

const BPS = 10_000n

/**
 * Divides the pot, by seat. The rake comes off first; places in the money take their weights of the
 * rest; places that tie share theirs, each seat alike, and tie for the win as a DRAW, as does one side
 * that has nobody to beat. Shares are rounded down to the micro-USDC: what is left of the pot is rake.
 * Nobody with a score: every stake goes back whole, and no rake is taken.
 */
export function payoutsOf({ standings, winner, stake, rakeBps, shares }: Decision): {
  readonly outcomes: readonly SeatOutcome[]
  readonly rake: Usdc
} {
  const seats = seatsOf(standings)
  const ranked = standings.filter((standing): standing is Ranked => standing.score !== null)
  if (ranked.length === 0) return { outcomes: new Array<SeatOutcome>(seats).fill({ result: 'REFUND', payout: stake }), rake: 0n }

  const pot = stake * BigInt(seats)
  const prize = pot - (pot * BigInt(rakeBps)) / BPS
  const total = sum(shares.slice(0, ranked.length))
  const outcomes = new Array<SeatOutcome>(seats).fill({ result: 'LOSS', payout: 0n })
  let rake = pot
  let place = 0
  for (const group of placesOf(ranked, winner)) {
    const members = seatsOf(group)
    const share = sum(shares.slice(place, place + group.length))
    const payout = share === 0 ? 0n : (prize * BigInt(share)) / BigInt(total * members)
    const result = place > 0 ? 'LOSS' : group.length > 1 || standings.length === 1 ? 'DRAW' : 'WIN'
    for (const standing of group) for (const seat of standing.seats) outcomes[seat] = { result, payout }
    rake -= payout * BigInt(members)
    place += group.length
  }
  return { outcomes, rake }
}

function seatsOf(standings: readonly Standing[]): number {
  let seats = 0
  for (const standing of standings) seats += standing.seats.length
  return seats
}

/** Best first, those that tie together. */
function placesOf(ranked: readonly Ranked[], winner: Decision['winner']): Ranked[][] {
  const direction = winner === 'highest' ? -1 : 1
  const compare = (a: Ranked, b: Ranked) => direction * compareRationals(a.score, b.score)
  const groups: Ranked[][] = []
  for (const standing of ranked.toSorted(compare)) {
    const group = groups.at(-1)
    if (group?.[0] !== undefined && compare(group[0], standing) === 0) group.push(standing)
    else groups.push([standing])
  }
  return groups
}

const sum = (weights: readonly number[]): number => weights.reduce((total, weight) => total + weight, 0)
