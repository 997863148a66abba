import { z } from 'zod'
import { instantSchema } from '../../contract/scalars.ts'
import type { Move } from '../index.ts'
import type { HouseMode } from './houseMode.ts'

const viewSchema = z.object({
  yourTurn: z.boolean(),
  pickBy: instantSchema.nullable(),
  available: z.array(z.string()),
  mine: z.array(z.string()),
})
const paramsSchema = z.object({ pickSec: z.number() })

/** Share of its time that a turn is thought over. */
const EARLIEST = 0.15
const LATEST = 0.7

/** Picks the token whose price the agent's skill expects most of. */
export const houseDraftBasket: HouseMode = {
  openings: [null],
  plan(seat) {
    const { contest, random } = seat
    const { yourTurn, pickBy, available, mine } = viewSchema.parse(seat.view)
    if (pickBy === null) return null
    if (!yourTurn) return { atMs: pickBy, decide: () => null }
    const turnMs = paramsSchema.parse(contest.params).pickSec * 1000
    const share = EARLIEST + (LATEST - EARLIEST) * random(`pick ${mine.length}`).next()
    const atMs = pickBy - turnMs + Math.floor(share * turnMs)
    const hopeOf = (mint: string) => ({
      mint,
      hope: seat.expect({ mint, atMs, aheadSec: contest.durationSec, random: seat.random(`hope ${mint}`) }),
    })
    const decide = (): Move => {
      const best = available.map(hopeOf).reduce((top, next) => (next.hope > top.hope ? next : top))
      return { type: 'draftPick', token: best.mint }
    }
    return { atMs, decide }
  },
}
