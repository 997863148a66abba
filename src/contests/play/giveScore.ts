import { hasPlay, modeOf } from '../modes/index.ts'
import { noContest, noSeat, refuse } from '../refuse.ts'
import { scheduleContest } from '../state/schedule.ts'
import type { Agent } from '../state/state.ts'
import type { Turn } from '../turn.ts'
import type { Outcome } from '../types.ts'
import { isScore } from './givenScore.ts'

/** Takes note of a score that is known from elsewhere: a backtest plays against those of its log. */
export function giveScore({ state }: Turn, { agentId }: Agent, given: { readonly contestId: string; readonly score: string }): Outcome {
  const { contestId, score } = given
  const contest = state.contests.get(contestId)
  if (contest === undefined) return noContest(contestId)
  const entry = contest.entries.find((seat) => seat.agentId === agentId)
  if (entry === undefined) return noSeat(contestId)
  const { status } = contest
  if (status !== 'open' && status !== 'live')
    return refuse('CONTEST_NOT_OPEN', `contest ${contestId} is ${status}: its scores are final`, { contestId })
  if (!isScore(score)) return refuse('INVALID_INPUT', `score ${score} must be a decimal, such as -0.0125`, { score })
  entry.given = score
  const mode = modeOf(contest)
  if (hasPlay(contest) && mode.onGiven !== undefined) {
    mode.onGiven(contest, state.now)
    scheduleContest(state, contest, mode.nextDueAt(contest))
  }
  return { ok: true, contestId }
}
