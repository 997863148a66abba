import type { Format, Lane, Opponents } from '../../contract/enums.ts'
import { keyedRandom, type Random } from '../../core/random.ts'
import { modeOf } from '../modes/index.ts'
import { refuse } from '../refuse.ts'
import { scheduleContest } from '../state/schedule.ts'
import type { ContestsState } from '../state/state.ts'
import type { Contest, ModeParams, Refused } from '../types.ts'
import type { Terms } from './terms.ts'

const LANES: Readonly<Record<Opponents, Lane>> = { HUMAN: 'HUMAN', AGENT: 'AGENT', ANY: 'MIXED' }

/** A contest about to be made: its id and everything drawn for it, with nothing changed yet. */
export interface ContestPlan {
  readonly ok: true
  readonly contestId: string
  readonly terms: Terms
  readonly params: ModeParams
  /** Keyed by the contest, as its parameters were. */
  readonly random: Random
}

interface Asked {
  readonly capacity: number
  /** Parameters of the mode that were asked for; a ticket asks for none. */
  readonly asked: Readonly<Record<string, unknown>>
  /** An id that is known from elsewhere; undefined: a seeded one. */
  readonly contestId: string | undefined
}

/** Plans the next contest, or says which parameter its mode refuses. */
export function planContest(
  state: ContestsState,
  terms: Terms,
  { capacity, asked, contestId = state.index.ids.contest(state.counters.contest + 1) }: Asked,
): ContestPlan | Refused {
  const { mints } = state
  const random = keyedRandom(contestId)
  const read = modeOf(terms).params(asked, { capacity, mints, random })
  if (read.ok) return { ok: true, contestId, terms, params: read.params, random }
  return refuse('INVALID_INPUT', read.message, { mode: terms.mode })
}

export interface ContestForm {
  readonly format: Format
  readonly opponents: Opponents
  readonly visibility: Contest['visibility']
  readonly capacity: number
  readonly teamSize: number | null
  readonly rated: boolean
  readonly joinWindowSec: number
}

/** Makes the planned contest, with no seat taken. */
export function makeContest(state: ContestsState, { contestId, terms, params }: ContestPlan, form: ContestForm): Contest {
  const { mode, chain, stake, durationSec } = terms
  const { format, opponents, visibility, capacity, teamSize, rated, joinWindowSec } = form
  state.counters.contest += 1
  const contest: Contest = {
    contestId,
    seq: state.counters.contest,
    mode,
    chain,
    format,
    stake,
    durationSec,
    opponents,
    visibility,
    capacity,
    teamSize,
    params,
    rated,
    createdAt: state.now,
    joinBy: state.now + joinWindowSec * 1000,
    lane: LANES[opponents],
    status: 'open',
    startsAt: null,
    endsAt: null,
    entries: [],
    endedAt: null,
    cancelReason: null,
    dueAt: null,
    dueOrder: 0,
    play: null,
  }
  state.contests.set(contestId, contest)
  return contest
}

/** Opens a contest to whoever joins, until its window closes. */
export function openContest(state: ContestsState, contest: Contest): void {
  state.index.open.add(contest)
  scheduleContest(state, contest, contest.joinBy)
}
