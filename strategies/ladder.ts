import { defineQueuePolicy, enqueue, joinContest, MODES, usdc } from 'cornerman'
import { z } from 'zod'

/** A seat in a contest about to close is likely gone by the time the request arrives. */
const CLOSING_MS = 4000

/**
 * Plays its modes in turn, the least played first, a few contests at once; where one lags behind, any other by chance.
 * `up_down` is entered by joining an open contest, since a queue ticket cannot choose its side; the others by the queue.
 */
export default defineQueuePolicy({
  name: 'ladder',
  params: z.object({
    modes: z
      .array(z.enum(MODES))
      .min(1)
      .default([...MODES])
      .describe('the modes it plays'),
    stake: z.bigint().positive().default(usdc('1')).describe('USDC of one entry; a contest joined may stake less'),
    durationSec: z.number().int().min(15).max(86_400).default(20).describe('seconds of a contest it queues for'),
    atOnce: z.number().int().min(1).max(20).default(2).describe('contests and tickets at once'),
  }),
  browse: ({ modes, stake }) => (modes.includes('up_down') ? { modes: ['up_down'], maxStake: stake } : undefined),

  decide({ params, tickets, contests, openContests, stats, modes: states, random, clock }) {
    const { stake, durationSec, atOnce } = params
    if (tickets.length + contests.length >= atOnce) return []
    // One that is closed would stay the least played.
    const modes = params.modes.filter((mode) => states[mode]?.isOpen !== false)
    const busy = new Set([...tickets, ...contests].map(({ mode }) => mode))
    const played = (mode: string) => {
      const { WIN = 0, LOSS = 0, DRAW = 0, REFUND = 0 } = stats.byMode[mode] ?? {}
      return WIN + LOSS + DRAW + REFUND
    }
    const free = modes.filter((mode) => !busy.has(mode))
    // Of those played equally any.
    const turn = free
      .map((mode) => ({ mode, rank: played(mode) + random.next() }))
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ mode }) => mode)
    // A mode that is refused, or matched with nobody, stays the least played: the further it lags, the likelier one is drawn in its place.
    const lag = Math.max(...modes.map(played)) - Math.min(...free.map(played))
    const drawn = random.integer(1, 10) <= Math.min(lag, 5) ? random.pick(free) : undefined
    for (const mode of drawn === undefined ? turn : [drawn, ...turn]) {
      if (mode !== 'up_down') return [enqueue({ mode, stake, durationSec, waitSec: 30 })]
      const open = openContests.filter(
        (contest) =>
          contest.mode === mode &&
          contest.stake <= stake &&
          contest.filled < contest.capacity &&
          (contest.joinBy ?? Infinity) > clock.now() + CLOSING_MS,
      )
      const first = random.pick(open)
      if (first === undefined) continue
      const orElse = open.filter((contest) => contest !== first).map(({ contestId }) => contestId)
      return [joinContest({ contestId: first.contestId, orElse })]
    }
    return []
  },
})
