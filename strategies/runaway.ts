import { defineStrategy, draftPick, enqueue, type Mint, TOKENS, usdc } from 'cornerman'
import { filter, map, merge, mergeMap } from 'rxjs'
import { z } from 'zod'

/**
 * Drafts only while a token runs ahead of all others, and picks what has risen most: what it enters for and what it picks go by one
 * figure, which is why it is one strategy. It has one draft at a time.
 */
export default defineStrategy({
  name: 'runaway',
  params: z.object({
    lookbackSec: z.number().int().min(5).max(3600).default(60).describe('seconds that the rise is measured over'),
    lead: z.number().min(0).max(1).default(0.001).describe('how far ahead of the second the first must be; 0.001 is 0.1 %'),
    stake: z.bigint().positive().default(usdc('1')).describe('USDC of one entry'),
    durationSec: z.number().int().min(15).max(86_400).default(20).describe('seconds of a contest it queues for'),
  }),

  run({ params, prices, policyTurn$, draftTurn$ }) {
    const { lookbackSec, lead, stake, durationSec } = params
    const ranked = (mints: readonly Mint[]) =>
      mints.map((mint) => ({ mint, rise: prices.change(mint, lookbackSec) ?? 0 })).toSorted((a, b) => b.rise - a.rise)
    const leadNow = () => {
      const [first, second] = ranked(TOKENS.map(({ mint }) => mint))
      return first === undefined || second === undefined ? 0 : first.rise - second.rise
    }
    const entry$ = policyTurn$.pipe(
      filter(({ tickets, contests }) => tickets.length + contests.length === 0 && leadNow() > 0 && leadNow() >= lead),
      map(() => enqueue({ mode: 'draft_basket', stake, durationSec, waitSec: 30 })),
    )
    const pick$ = draftTurn$.pipe(
      mergeMap(({ contest: { contestId }, draft: { available } }) =>
        ranked(available)
          .slice(0, 1)
          .map(({ mint }) => draftPick({ contestId, token: mint })),
      ),
    )
    return merge(entry$, pick$)
  },
})
