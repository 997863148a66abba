import { type Rational, rational } from './rational.ts'
import { noContest, noSeat, refuse } from './refuse.ts'
import type { Agent } from './state.ts'
import type { Turn } from './turn.ts'
import type { Entry, Outcome } from './types.ts'

const SCORE = /^(-?)(\d{1,60})(?:\.(\d{1,18}))?$/

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
  if (!SCORE.test(score)) return refuse('INVALID_INPUT', `score ${score} must be a decimal, such as -0.0125`, { score })
  entry.given = score
  return { ok: true, contestId }
}

/** A seat's score that was given to it; undefined where its moves decide. */
export function givenScore(given: Entry['given']): Rational | undefined {
  if (given === undefined) return undefined
  const [, sign = '', whole = '', fraction = ''] = SCORE.exec(given) ?? []
  if (whole === '') return undefined
  const value = BigInt(whole + fraction)
  return rational(sign === '-' ? -value : value, 10n ** BigInt(fraction.length))
}
