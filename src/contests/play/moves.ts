import { proceed } from '../lifecycle.ts'
import type { MadeMove, MoveAnswer, MoveRules, MoveType } from '../modes/contestMode.ts'
import { hasPlay, modeOf } from '../modes/index.ts'
import { noContest, noSeat, refuse } from '../refuse.ts'
import type { Agent } from '../state/state.ts'
import type { Turn } from '../turn.ts'
import type { Contest, ModeParams, Move, Outcome } from '../types.ts'

/** Plays a move of a live contest by the rules of its mode. */
export function playMove(turn: Turn, agent: Agent, { contestId, move }: { readonly contestId: string; readonly move: Move }): Outcome {
  const { state } = turn
  const contest = state.contests.get(contestId)
  if (contest === undefined) return noContest(contestId)
  const seat = contest.entries.findIndex(({ agentId }) => agentId === agent.agentId)
  if (seat < 0) return noSeat(contestId)
  const answer = answerMove(modeOf(contest).moves, contest, { move, seat, now: state.now })
  if (!answer.ok) return answer
  if (hasPlay(contest)) proceed(turn, contest, answer.progress)
  return { ok: true, contestId }
}

function answerMove<T extends MoveType>(rules: MoveRules<ModeParams, unknown>, contest: Contest, made: MadeMove<T>): MoveAnswer {
  const { type } = made.move
  const { contestId, mode, status } = contest
  const rule = rules[type]
  if (rule === undefined) return refuse('INVALID_INPUT', `mode ${mode} has no move ${type}: see agent.modes.state`, { contestId, mode })
  if (status === 'live' && hasPlay(contest)) return rule.play(contest, made)
  return refuse(rule.closed, `contest ${contestId} is ${status}: ${type} is for a live one`, { contestId, status })
}
