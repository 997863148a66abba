import { z } from 'zod'
import { commitmentOf } from '../../contract/commitment.ts'
import { instantSchema } from '../../contract/scalars.ts'
import { keyedUuid } from '../../core/ids.ts'
import { type Price, priceFromNumber } from '../../core/price.ts'
import type { Move } from '../index.ts'
import type { HouseMode, HouseSeat } from './houseMode.ts'

const viewSchema = z.object({
  phase: z.string(),
  token: z.string(),
  commitBy: instantSchema,
  revealFrom: instantSchema,
  revealBy: instantSchema,
  committed: z.boolean(),
  revealed: z.boolean(),
})
const paramsSchema = z.object({ commitSec: z.number() })

/** Share of the time to commit that is used at most, and of the time to reveal. */
const COMMIT_LATEST = 0.8
const REVEAL_LATEST = 0.25
const MOST_LOG_RETURN = Math.log(10)

/** Predicts today's price moved by what the agent's skill expects. */
export const housePricePrediction: HouseMode = {
  openings: [null],
  plan(seat) {
    const { contest, random } = seat
    const { phase, token, commitBy, revealFrom, revealBy, committed, revealed } = viewSchema.parse(seat.view)
    const commitMs = paramsSchema.parse(contest.params).commitSec * 1000
    const committedAt = commitBy - commitMs + Math.floor(random('commit').next() * COMMIT_LATEST * commitMs)
    // The prediction is computed again for the reveal, from the same instant, so it needs no memory.
    const value = () => predict(seat, token, committedAt, (revealFrom - committedAt) / 1000)
    const salt = saltOf(seat)
    if (!committed) {
      return phase === 'commit' ? { atMs: committedAt, decide: () => commit(value(), salt, seat.entryId) } : null
    }
    if (revealed) return null
    const atMs = revealFrom + Math.floor(random('reveal').next() * REVEAL_LATEST * (revealBy - revealFrom))
    return { atMs, decide: () => reveal(value(), salt) }
  },
}

function commit(value: Price | null, salt: string, entryId: string): Move | null {
  return value === null ? null : { type: 'commitPrediction', commitment: commitmentOf(value, salt, entryId) }
}

function reveal(value: Price | null, salt: string): Move | null {
  return value === null ? null : { type: 'revealPrediction', value, salt }
}

function predict(seat: HouseSeat, mint: string, atMs: number, aheadSec: number): Price | null {
  const price = seat.priceAt(mint, atMs)
  if (price === null) return null
  return priceFromNumber(priceAfter(Number(price), seat.expect({ mint, atMs, aheadSec, random: seat.random('predict') })))
}

/** A price moved by a log return, to ten times or a tenth at most: a minute's fall that goes on for a day ends at no price at all. */
export const priceAfter = (price: number, logReturn: number): number =>
  price * Math.exp(Math.max(-MOST_LOG_RETURN, Math.min(MOST_LOG_RETURN, logReturn)))

/** Keyed, so that a restart can still reveal. A salt that is no secret would give an agent's stake away; the house plays for play money. */
function saltOf({ seed, agentId, contest }: HouseSeat): string {
  return keyedUuid(seed, 'house salt', agentId, contest.contestId)
}
