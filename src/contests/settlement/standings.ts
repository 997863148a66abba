import { type Rational, rational, sumRationals } from '../rational.ts'
import type { Entry } from '../types.ts'
import type { Standing } from './payouts.ts'

/**
 * Who stands together: each seat alone, or where there are sides all seats of one, at the mean of their scores; one
 * without a score leaves its side without.
 */
export function standingsOf(entries: readonly Entry[], scores: readonly (Rational | null)[]): Standing[] {
  if (entries.every(({ side }) => side === null)) return scores.map((score, seat) => ({ seats: [seat], score }))
  const seatsBySide = new Map<string | null, number[]>()
  entries.forEach(({ side }, seat) => {
    const seats = seatsBySide.get(side)
    if (seats === undefined) seatsBySide.set(side, [seat])
    else seats.push(seat)
  })
  return [...seatsBySide.values()].map((seats) => ({ seats, score: meanOf(seats.map((seat) => scores[seat] ?? null)) }))
}

function meanOf(scores: readonly (Rational | null)[]): Rational | null {
  if (scores.length === 1) return scores[0] ?? null
  const known = scores.filter((score) => score !== null)
  if (known.length < scores.length) return null
  const { num, den } = sumRationals(known)
  return rational(num, den * BigInt(known.length))
}
