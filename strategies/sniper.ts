import { defineQueuePolicy, joinContest, MODES, type OpenContestView, usdc } from 'cornerman'
import { z } from 'zod'

/**
 * Queues for nothing, and waits for open contests that are as it wants them: of these it joins the fullest first, then the one
 * that closes soonest. With a filter that is narrow enough it plays seldom, and on its own terms.
 */
export default defineQueuePolicy({
  name: 'sniper',
  params: z
    .object({
      modes: z
        .array(z.enum(MODES))
        .min(1)
        .default([...MODES])
        .describe('the modes it joins'),
      formats: z
        .array(z.enum(['duel', 'lobby']))
        .min(1)
        .default(['duel', 'lobby'])
        .describe('one against one, or several'),
      opponents: z
        .array(z.enum(['HUMAN', 'AGENT', 'ANY']))
        .min(1)
        .default(['HUMAN', 'AGENT', 'ANY'])
        .describe('whom the contest is open to; one that does not say counts as ANY'),
      minStake: z.bigint().positive().default(usdc('0.1')).describe('USDC of the smallest stake'),
      maxStake: z.bigint().positive().default(usdc('1')).describe('USDC of the largest stake'),
      minFilled: z.number().int().min(0).max(99).default(1).describe('seats that are taken at least'),
      minLeftSec: z.number().min(0).max(3600).default(4).describe('seconds that it can still be joined, at least: a request takes time'),
      maxLeftSec: z.number().min(1).max(86_400).default(3600).describe('the same at most: to know more before it is entered'),
      maxDurationSec: z.number().int().min(15).max(86_400).default(900).describe('seconds of the longest contest'),
      atOnce: z.number().int().min(1).max(20).default(2).describe('contests and tickets at once'),
    })
    .refine(({ minStake, maxStake }) => minStake <= maxStake, 'minStake must be at most maxStake')
    .refine(({ minLeftSec, maxLeftSec }) => minLeftSec <= maxLeftSec, 'minLeftSec must be at most maxLeftSec'),
  browse: ({ modes, minStake, maxStake }) => ({ modes, minStake, maxStake }),

  decide({ params, tickets, contests, openContests, clock }) {
    if (tickets.length + contests.length >= params.atOnce) return []
    const leftSec = ({ joinBy }: OpenContestView) => (joinBy === undefined ? undefined : (joinBy - clock.now()) / 1000)
    const isWanted = (contest: OpenContestView) => {
      const { mode, format, opponents = 'ANY', stake, filled, capacity, durationSec } = contest
      // Where it does not say until when it can be joined, it can now.
      const left = leftSec(contest) ?? params.minLeftSec
      return (
        isOneOf(params.modes, mode) &&
        isOneOf(params.formats, format) &&
        isOneOf(params.opponents, opponents) &&
        stake >= params.minStake &&
        stake <= params.maxStake &&
        filled >= params.minFilled &&
        filled < capacity &&
        left >= params.minLeftSec &&
        left <= params.maxLeftSec &&
        durationSec <= params.maxDurationSec
      )
    }
    const fullness = ({ filled, capacity }: OpenContestView) => filled / capacity
    const [first, ...others] = openContests
      .filter(isWanted)
      .toSorted((a, b) => fullness(b) - fullness(a) || (leftSec(a) ?? 1e9) - (leftSec(b) ?? 1e9) || (a.contestId < b.contestId ? -1 : 1))
    if (first === undefined) return []
    const sameMode = others.filter(({ mode }) => mode === first.mode)
    return [joinContest({ contestId: first.contestId, orElse: sameMode.map(({ contestId }) => contestId) })]
  },
})

const isOneOf = (values: readonly string[], value: string): boolean => values.includes(value)
