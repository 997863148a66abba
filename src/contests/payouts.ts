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
  let seats = 0
  for (const standing of standings) seats += standing.seats.length
  const groups = placesOf(standings, winner)
  if (groups.length === 0) return { outcomes: Array.from({ length: seats }, () => ({ result: 'REFUND', payout: stake })), rake: 0n }

  const pot = stake * BigInt(seats)
  const prize = pot - (pot * BigInt(rakeBps)) / BPS
  const paid = shares.slice(0, groups.flat().length)
  const total = sum(paid)
  const outcomes: SeatOutcome[] = Array.from({ length: seats }, () => ({ result: 'LOSS', payout: 0n }))
  let place = 0
  for (const [rank, group] of groups.entries()) {
    let members = 0
    for (const standing of group) members += standing.seats.length
    const share = sum(paid.slice(place, place + group.length))
    const payout = share === 0n ? 0n : (prize * share) / (total * BigInt(members))
    const result = rank > 0 ? 'LOSS' : group.length > 1 || standings.length === 1 ? 'DRAW' : 'WIN'
    for (const standing of group) for (const seat of standing.seats) outcomes[seat] = { result, payout }
    place += group.length
  }
  let rake = pot
  for (const { payout } of outcomes) rake -= payout
  return { outcomes, rake }
}

/** Standings with a score, best first, those that tie together. */
function placesOf(standings: readonly Standing[], winner: Decision['winner']): Ranked[][] {
  const direction = winner === 'highest' ? -1 : 1
  const compare = (a: Ranked, b: Ranked) => direction * compareRationals(a.score, b.score)
  const ranked = standings.filter((standing): standing is Ranked => standing.score !== null).sort(compare)
  const groups: Ranked[][] = []
  for (const standing of ranked) {
    const group = groups.at(-1)
    if (group?.[0] !== undefined && compare(group[0], standing) === 0) group.push(standing)
    else groups.push([standing])
  }
  return groups
}

const sum = (weights: readonly number[]): bigint => weights.reduce((total, weight) => total + BigInt(weight), 0n)
