import { cancelContest, lockWhenFull } from '../lifecycle.ts'
import { modeOf } from '../modes/index.ts'
import { endStake, stakeProblem, takeStake } from '../money/accounts.ts'
import { noContest, noSeat, refuse } from '../refuse.ts'
import type { Agent, ContestsState } from '../state/state.ts'
import { membersOf, takeOut } from '../state/stateIndex.ts'
import type { Turn } from '../turn.ts'
import type { Contest, CreateContestCommand, Entry, Outcome, Refused } from '../types.ts'
import { makeContest, openContest, planContest } from './makeContest.ts'
import { accepts } from './matching.ts'
import { chooseSide } from './sides.ts'
import { announceSeat, takeSeat } from './takeSeat.ts'
import { formProblem, payoutsProblem, termsProblem } from './terms.ts'

/** Opens a contest with its creator in the first seat, not yet ready. */
export function createContest(turn: Turn, agent: Agent, command: CreateContestCommand): Outcome {
  const { state } = turn
  const { stake, format, capacity, opponents, visibility, teamSize, joinWindowSec } = command
  const termsRefused = termsProblem(command) ?? formProblem(command)
  if (termsRefused !== null) return { ok: false, refusal: termsRefused }
  const { side: sideParam = null, ...asked } = command.params
  if (sideParam !== null && typeof sideParam !== 'string') return refuse('INVALID_INPUT', 'params.side must be the name of a side')
  const plan = planContest(state, command, { capacity, asked, contestId: command.contestId })
  if (!plan.ok) return plan
  const sides = modeOf(command).sides
  const wish = command.side ?? sideParam ?? (sides === null ? null : (plan.random.pick(sides) ?? null))
  const choice = chooseSide({ sides }, { format, capacity, teamSize, entries: [] }, wish)
  if (!choice.ok) return choice
  const problem = payoutsProblem(plan.params, format, capacity) ?? stakeProblem(agent, stake, state.now)
  if (problem !== null) return { ok: false, refusal: problem }

  const contest = makeContest(state, plan, { format, opponents, visibility, capacity, teamSize, joinWindowSec, rated: false })
  openContest(state, contest)
  takeStake(agent, stake)
  takeSeat(state, contest, { agent, side: choice.side, ready: false })
  announceSeat(turn, contest, contest.entries.length)
  return { ok: true, contestId: contest.contestId }
}

/** Takes a seat in an open contest; it must still be readied. */
export function joinContest(turn: Turn, agent: Agent, command: { readonly contestId: string; readonly side: string | null }): Outcome {
  const { state } = turn
  const { contestId, side } = command
  const contest = state.contests.get(contestId)
  if (contest === undefined) return noContest(contestId)
  const { status, opponents, entries, capacity, stake } = contest
  if (entryOf(contest, agent) !== undefined)
    return refuse('ALREADY_JOINED', `you have a seat in contest ${contestId} already`, { contestId })
  if (status !== 'open') return notOpen(contest)
  if (!accepts(opponents, agent.kind))
    return refuse('CONTEST_NOT_OPEN', `contest ${contestId} is open to ${opponents} only: join another`, { contestId, opponents })
  if (entries.length >= capacity)
    return refuse('CONTEST_FULL', `all ${capacity} seats of contest ${contestId} are taken: join another`, { contestId, capacity })
  const choice = chooseSide(modeOf(contest), contest, side)
  if (!choice.ok) return choice
  const problem = stakeProblem(agent, stake, state.now)
  if (problem !== null) return { ok: false, refusal: problem }

  takeStake(agent, stake)
  takeSeat(state, contest, { agent, side: choice.side, ready: false })
  announceSeat(turn, contest, entries.length)
  return { ok: true, contestId }
}

/** Gives up a seat of an open contest, for the whole stake; the last to leave closes the contest. */
export function leaveContest(turn: Turn, agent: Agent, contestId: string): Outcome {
  const found = openSeat(turn.state, agent, contestId)
  if (!found.ok) return found
  const { contest, entry } = found
  if (contest.entries.length === 1) {
    cancelContest(turn, contest, 'left')
    return { ok: true, contestId }
  }
  contest.entries.splice(contest.entries.indexOf(entry), 1)
  takeOut(membersOf(turn.state.index, agent).contests, contest)
  endStake(agent, contest.stake, contest.stake)
  return { ok: true, contestId }
}

/** Readies a seat of an open contest, or takes that back; the last one to be ready locks a full contest. */
export function readyContest(
  turn: Turn,
  agent: Agent,
  { contestId, ready }: { readonly contestId: string; readonly ready: boolean },
): Outcome {
  const found = openSeat(turn.state, agent, contestId)
  if (!found.ok) return found
  found.entry.ready = ready
  lockWhenFull(turn, found.contest)
  return { ok: true, contestId }
}

type FoundSeat = { readonly ok: true; readonly contest: Contest; readonly entry: Entry } | Refused

function openSeat({ contests }: ContestsState, agent: Agent, contestId: string): FoundSeat {
  const contest = contests.get(contestId)
  if (contest === undefined) return noContest(contestId)
  const entry = entryOf(contest, agent)
  if (entry === undefined) return noSeat(contestId)
  return contest.status === 'open' ? { ok: true, contest, entry } : notOpen(contest)
}

const entryOf = ({ entries }: Contest, { agentId }: Agent): Entry | undefined => entries.find((entry) => entry.agentId === agentId)

function notOpen({ contestId, status }: Contest): Refused {
  return refuse('CONTEST_NOT_OPEN', `contest ${contestId} is ${status}: seats change only while it is open`, { contestId, status })
}
