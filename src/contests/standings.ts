import type { Standing } from './payouts.ts'
import { type Rational, rational, sumRationals } from './rational.ts'
import type { Entry } from './types.ts'

/** Seats of one side stand together, at the mean of their scores; one without a score leaves the side without. */
export function standingsOf(entries: readonly Entry[], scores: readonly (Rational | null)[]): Standing[] {
  const seatsBySide = new Map<string, number[]>()
  for (const [seat, { side, entryId }] of entries.entries()) {
    const group = side ?? entryId
    const seats = seatsBySide.get(group)
    if (seats === undefined) seatsBySide.set(group, [seat])
    else seats.push(seat)
  }
  return [...seatsBySide.values()].map((seats) => ({ seats, score: meanOf(seats.map((seat) => scores[seat] ?? null)) }))
}

function meanOf(scores: readonly (Rational | null)[]): Rational | null {
  if (scores.length === 1) return scores[0] ?? null
  const known = scores.filter((score) => score !== null)
  if (known.length < scores.length) return null
  const { num, den } = sumRationals(known)
  return rational(num, den * BigInt(known.length))
}
