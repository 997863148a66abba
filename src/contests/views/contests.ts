import type { ProcedureAnswer } from '../../contract/procedures.ts'
import { hasPlay, modeOf } from '../modes/index.ts'
import { noContest } from '../refuse.ts'
import { agentOf, type ContestsState } from '../state/state.ts'
import { membersOf } from '../state/stateIndex.ts'
import { isoOrNull } from '../turn.ts'
import type { Contest, Entry } from '../types.ts'
import { type Answer, answer } from './page.ts'

export type ContestRecord = ReturnType<typeof contestRecord>
/** Each mode adds fields of its own. */
export type ModeStateRecord = ProcedureAnswer<'agent.modes.state'> & Readonly<Record<string, unknown>>

/** A contest as `agent.contests.get` answers; one that is not listed can be read by its id. */
export function contestView(state: ContestsState, contestId: string, viewerId: string): Answer<ContestRecord> {
  const contest = state.contests.get(contestId)
  return contest === undefined ? noContest(contestId) : answer(contestRecord(state, contest, viewerId))
}

/** The agent's open and live contests, newest first. */
export function contestsOf(state: ContestsState, agentId: string): ContestRecord[] {
  return [...membersOf(state.index, agentOf(state, agentId)).contests]
    .sort((a, b) => b.seq - a.seq)
    .map((contest) => contestRecord(state, contest, agentId))
}

/** `agent.modes.state`: the mode's own phase with its deadlines, once the contest has locked. */
export function modeStateView(state: ContestsState, contestId: string, viewerId: string): Answer<ModeStateRecord> {
  const contest = state.contests.get(contestId)
  if (contest === undefined) return noContest(contestId)
  const seat = contest.entries.findIndex(({ agentId }) => agentId === viewerId)
  const { mode, status, params, startsAt, endsAt, entries } = contest
  const viewer = { seat: seat < 0 ? null : seat, shown: (entry: Entry) => shownUserId(contest, entry, viewerId) }
  const play: Readonly<Record<string, unknown>> = hasPlay(contest) ? modeOf(contest).view(contest, viewer) : {}
  return answer({
    ...play,
    contestId,
    mode,
    status,
    phase: status === 'live' ? play.phase : status,
    entryId: entries[seat]?.entryId ?? null,
    params,
    startsAt: isoOrNull(startsAt),
    endsAt: isoOrNull(endsAt),
  })
}

export function contestRecord(state: ContestsState, contest: Contest, viewerId: string) {
  const { contestId, mode, chain, format, status, stake, durationSec, capacity, lane, visibility, params, startsAt, endsAt, entries } =
    contest
  const own = entries.find(({ agentId }) => agentId === viewerId)
  return {
    contestId,
    mode,
    chain,
    format,
    status,
    stake: stake.toString(),
    durationSec,
    capacity,
    filled: entries.length,
    lane,
    visibility,
    params,
    startsAt: isoOrNull(startsAt),
    endsAt: isoOrNull(endsAt),
    entries: entries.map((entry) => ({
      entryId: entry.entryId,
      userId: shownUserId(contest, entry, viewerId),
      kind: agentOf(state, entry.agentId).kind,
      side: entry.side,
      ready: entry.ready,
      score: entry.score,
    })),
    you: own === undefined ? null : { entryId: own.entryId, side: own.side, ready: own.ready },
  }
}

/** In a hidden contest nobody is told who the others are until it has ended. */
function shownUserId({ params, status }: Contest, { agentId }: Entry, viewerId: string): string | null {
  const isHidden = params.hidden === true && (status === 'open' || status === 'live')
  return isHidden && agentId !== viewerId ? null : agentId
}
