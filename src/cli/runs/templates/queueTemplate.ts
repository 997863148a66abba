import { defineQueuePolicy, enqueue, joinContest, MODES, usdc } from 'cornerman'
import { z } from 'zod'

/** A seat in a contest about to close is likely gone by the time the request arrives. */
const CLOSING_MS = 4000

/**
 * Plays one contest at a time: joins the open one that stakes least, and queues where none is open. Once the day has cost
 * as much as it may, it stays out until tomorrow.
 */
export default defineQueuePolicy({
  name: 'queueTemplate',
  params: z.object({
    mode: z.enum(MODES).default('draft_basket').describe('the mode it plays'),
    stake: z.bigint().positive().default(usdc('1')).describe('USDC of one entry; a contest joined may stake less'),
    durationSec: z.number().int().min(15).max(86_400).default(20).describe('seconds of a contest it queues for'),
    dayLoss: z.bigint().positive().default(usdc('10')).describe('USDC the day may cost before it stays out'),
  }),
  browse: ({ mode, stake }) => ({ modes: [mode], maxStake: stake }),

  decide({ params, tickets, contests, openContests, limits, clock, log }) {
    const { mode, stake, durationSec, dayLoss } = params
    if (tickets.length + contests.length > 0) return []
    if ((limits?.lostToday ?? 0n) >= dayLoss) {
      log.info('the day has cost enough: nothing is entered')
      return []
    }
    const [cheapest] = openContests
      .filter((contest) => contest.mode === mode && contest.stake <= stake && contest.filled < contest.capacity)
      .filter(({ joinBy = Infinity }) => joinBy > clock.now() + CLOSING_MS)
      .toSorted((a, b) => Number(a.stake - b.stake))
    // up_down has sides, which a queue ticket cannot choose: it is joined, and the bot's predictor is asked for the side.
    if (cheapest === undefined) return mode === 'up_down' ? [] : [enqueue({ mode, stake, durationSec, waitSec: 30 })]
    return [joinContest({ contestId: cheapest.contestId })]
  },
})
