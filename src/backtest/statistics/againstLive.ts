import { isTradingMode } from '../../contract/modes.ts'
import type { LiveContest } from '../log/liveContests.ts'
import type { ComparedContest, PlayedContest } from '../result.ts'

/**
 * A bot's contests on its own recording beside what they really came to, in the order of the recording; then those that the backtest alone
 * has. Undefined where the log has no contest of that bot.
 */
export function againstLive(played: readonly PlayedContest[], live: readonly LiveContest[] | undefined): ComparedContest[] | undefined {
  if (live === undefined || live.length === 0) return undefined
  const byId = new Map(played.map((contest) => [contest.contestId, contest]))
  const recorded = new Set(live.map(({ contestId }) => contestId))
  const again = live.map((real): ComparedContest => {
    const { contestId, mode, result, profit } = real
    const here = byId.get(contestId)
    const backtest = here === undefined ? null : { result: here.result, profit: here.profit }
    return { contestId, mode, live: { result, profit }, backtest, why: whyOf(real, here) }
  })
  const alone = played.filter(({ contestId }) => !recorded.has(contestId))
  return [
    ...again,
    ...alone.map(({ contestId, mode, result, profit }): ComparedContest => {
      return {
        contestId,
        mode,
        live: null,
        backtest: { result, profit },
        why: 'entered here alone: the recorded bot entered another contest',
      }
    }),
  ]
}

/** Null where both came to the same. */
function whyOf(live: LiveContest, here: PlayedContest | undefined): string | null {
  if (here === undefined) return 'not entered here: the policy asked for something else, or at a time at which nobody of the log was there'
  if (here.result === live.result && here.profit === live.profit) return null
  if (here.result === null) return 'cancelled here: the log has no price for it, or a seat was not taken'
  if (here.others.some(({ source }) => source === 'reference'))
    return 'a seeded opponent played: the log lacks the final score of the recorded one'
  const laterMs = live.startsAt === null || here.startsAt === null ? 0 : here.startsAt - live.startsAt
  if (laterMs !== 0) return `it began ${Math.abs(laterMs / 1000)} s ${laterMs > 0 ? 'later' : 'sooner'} here`
  if (isTradingMode(live.mode)) return 'its swaps were filled at other instants or prices here: which one lands when is not in the log'
  return 'the bot moved otherwise here'
}
