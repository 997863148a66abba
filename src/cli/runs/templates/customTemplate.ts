import { type BotView, type ContestView, defineStrategy, enqueue, SOL_MINT, swap, USDC_MINT, usdc } from 'cornerman'
import { concatMap, filter, map, merge, pairwise, startWith } from 'rxjs'
import { z } from 'zod'

/**
 * A whole bot in one strategy: queues for one contest at a time, and buys when it has started. What it bought it holds to the
 * end; the framework sells what is left.
 */
export default defineStrategy({
  name: 'customTemplate',
  params: z.object({
    stake: z.bigint().positive().default(usdc('1')).describe('USDC of one entry'),
    durationSec: z.number().int().min(15).max(86_400).default(20).describe('seconds of a contest'),
    amount: z.bigint().min(usdc('0.1')).default(usdc('10')).describe('USDC that it buys for'),
    everySec: z.number().min(1).max(3600).default(5).describe('seconds between two looks at whether it has anything open'),
  }),

  run({ params, every, state, clock }) {
    const { stake, durationSec, amount, everySec } = params

    // An entry on its way is neither a ticket nor a contest yet.
    const open = ({ tickets, entering, contests }: BotView) => tickets.length + entering.length + contests.length
    const entries$ = every(everySec).pipe(
      filter(() => open(state()) === 0),
      map(() => enqueue({ mode: 'same_token', stake, durationSec, waitSec: 30 })),
    )
    // A contest is live a moment before its start: what is swapped sooner does not count for it.
    const isUnderWay = ({ mode, startsAt = Infinity }: ContestView) => mode === 'same_token' && startsAt <= clock.now()
    const purchases$ = every(1).pipe(
      map(() => state().contests.filter(isUnderWay)),
      startWith([]),
      pairwise(),
      // Each contest once, when it has started, or where an earlier run did not come to it.
      concatMap(([before, now]) => now.filter(({ contestId }) => !before.some((contest) => contest.contestId === contestId))),
      filter(({ contestId }) => !state().swappedIn.includes(contestId)),
      map(({ contestId, token = SOL_MINT }) => swap({ contestId, from: USDC_MINT, to: token, amount })),
    )
    return merge(entries$, purchases$)
  },
})
