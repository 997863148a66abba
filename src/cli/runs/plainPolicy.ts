import { z } from 'zod'
import type { Terms } from '../../backtest/index.ts'
import { MODE_TRAITS } from '../../contract/modes.ts'
import { enqueue, joinContest } from '../../strategy/action.ts'
import { defineQueuePolicy, type QueuePolicy } from '../../strategy/define.ts'

/** Contests and tickets at once: more would have their swaps wait for one another in the one wallet. */
export const PLAIN_AT_ONCE = 3

/**
 * Enters contests on given terms, the least played mode first, whatever comes of it: how a strategy does is to be seen, and not when to
 * enter. Contests of sides are joined, since a ticket cannot choose its side.
 */
export function plainPolicy(terms: readonly Terms[]): QueuePolicy {
  const modes = terms.map(({ mode }) => mode)
  const joined = modes.filter((mode) => MODE_TRAITS[mode].sides.length > 0)
  const mostStake = terms.reduce((most, { stake }) => (stake > most ? stake : most), 0n)
  return defineQueuePolicy({
    name: 'plain',
    params: z.object({ modes: z.array(z.string()) }),
    // It is asked after everything that becomes of a ticket or a contest, besides: only lists of open contests change without that.
    everySec: joined.length === 0 ? 300 : 30,
    browse: () => (joined.length === 0 ? undefined : { modes: joined }),
    decide({ tickets, contests, openContests, stats }) {
      if (tickets.length + contests.length >= PLAIN_AT_ONCE) return []
      const under = [...tickets, ...contests]
      const playedOf = (mode: string) => {
        const { WIN = 0, LOSS = 0, DRAW = 0, REFUND = 0 } = stats.byMode[mode] ?? {}
        return WIN + LOSS + DRAW + REFUND + under.filter((entry) => entry.mode === mode).length
      }
      for (const { mode, stake, durationSec } of terms.toSorted((a, b) => playedOf(a.mode) - playedOf(b.mode))) {
        if (!joined.includes(mode)) return [enqueue({ mode, stake, durationSec, waitSec: 30 })]
        const [first, ...others] = openContests.filter((open) => open.mode === mode && open.stake <= mostStake)
        if (first !== undefined) return [joinContest({ contestId: first.contestId, orElse: others.map(({ contestId }) => contestId) })]
      }
      return []
    },
  })({ modes })
}
