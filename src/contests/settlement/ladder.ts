import type { Result } from '../../contract/enums.ts'
import type { Agent } from '../state/state.ts'

// Arpad Elo, The Rating of Chessplayers (1978): the expected score is logistic, 400 points to a
// factor of ten. Points are whole, and what one side gains the other loses.

/** Ladder points of a new agent. */
export const START_POINTS = 1000

const K = 32
const SCORES: Readonly<Record<Result, number | null>> = { WIN: 1, DRAW: 0.5, LOSS: 0, REFUND: null }

/** Points the first of two agents gains by its result against the second; null for a refund, which is not rated. */
export function pointsGained(points: number, rival: number, result: Result): number | null {
  const score = SCORES[result]
  if (score === null) return null
  const expected = 1 / (1 + 10 ** ((rival - points) / 400))
  return Math.round(K * (score - expected)) + 0 // turns -0 into 0
}

/** Moves both agents of a rated duel on the ladder. */
export function ratePair(first: Agent, second: Agent, result: Result): { readonly first: number; readonly second: number } | null {
  const gained = pointsGained(first.points, second.points, result)
  if (gained === null) return null
  first.points += gained
  second.points -= gained
  first.rated += 1
  second.rated += 1
  return { first: gained, second: 0 - gained }
}
