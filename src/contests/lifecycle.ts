import { broken, invariant } from '../core/error.ts'
import type { Mint } from '../core/tokens.ts'
import type { PlayedContest, Progress } from './modes/contestMode.ts'
import { hasPlay, modeOf } from './modes/index.ts'
import { endStake } from './money/accounts.ts'
import { endContest } from './settlement/endContest.ts'
import { settleContest } from './settlement/settleContest.ts'
import { scheduleContest } from './state/schedule.ts'
import { seatedIn } from './state/state.ts'
import { emit, isoOf, priceAt, type Turn } from './turn.ts'
import type { CancelReason, Contest, ModeParams } from './types.ts'

type Played = PlayedContest<ModeParams, unknown>

const MIN_PLAYERS = 2

/** Locks an open contest once every seat is taken and readied. */
export function lockWhenFull(turn: Turn, contest: Contest): void {
  if (contest.entries.length === contest.capacity && isReady(contest)) lockContest(turn, contest)
}

/** Tokens whose price the contest's next transition needs. */
export function mintsDue(contest: Contest): readonly Mint[] {
  if (contest.dueAt === null || !hasPlay(contest)) return []
  return modeOf(contest).mintsAt(contest, contest.dueAt)
}

/** Runs the transition that has fallen due; the state's time is its time. */
export function runContestDue(turn: Turn, contest: Contest): void {
  if (hasPlay(contest)) runPlayDue(turn, contest)
  else closeJoinWindow(turn, contest)
}

/** Goes on with a live contest after a transition or a move. */
export function proceed(turn: Turn, contest: Played, progress: Progress): void {
  if (progress === 'decided') settleContest(turn, contest)
  else scheduleContest(turn.state, contest, modeOf(contest).nextDueAt(contest))
}

/** Ends an undecided contest: every stake goes back whole. */
export function cancelContest(turn: Turn, contest: Contest, reason: CancelReason): void {
  const { state } = turn
  const { contestId, stake, entries } = contest
  const seated = seatedIn(state, contest)
  endContest(state, contest, seated, 'cancelled')
  contest.cancelReason = reason
  const data = { contestId, status: 'cancelled', reason, refunded: stake.toString() }
  for (const entry of entries) entry.payout = stake
  for (const agent of seated) {
    endStake(agent, stake, stake)
    emit(turn, agent.agentId, { type: 'contest.cancelled', data })
  }
}

const isReady = ({ entries }: Contest): boolean => entries.every(({ ready }) => ready)

/** Teams that are all on one side have nobody to beat. */
function isFilled({ format, capacity, teamSize, entries }: Contest): boolean {
  const hasRivals = teamSize === null || new Set(entries.map(({ side }) => side)).size >= MIN_PLAYERS
  return entries.length >= (format === 'duel' ? capacity : MIN_PLAYERS) && hasRivals
}

function closeJoinWindow(turn: Turn, contest: Contest): void {
  if (!isFilled(contest)) cancelContest(turn, contest, 'not_filled')
  else if (!isReady(contest)) cancelContest(turn, contest, 'not_ready')
  else lockContest(turn, contest)
}

/** Locks a contest that has its seats: they change no more, and the window is set. */
export function lockContest(turn: Turn, contest: Contest): void {
  const { state } = turn
  const mode = modeOf(contest)
  const startsAt = state.now + mode.leadMs(contest.params, contest.entries.length)
  const endsAt = startsAt + contest.durationSec * 1000
  contest.status = 'live'
  contest.startsAt = startsAt
  contest.endsAt = endsAt
  contest.play = mode.lock(contest, state.now)
  invariant(hasPlay(contest), `mode ${contest.mode} locked without a state of play`)
  state.index.open.delete(contest)
  state.index.live.add(contest)
  scheduleContest(state, contest, mode.nextDueAt(contest))
  const { contestId, chain } = contest
  const data = { contestId, mode: contest.mode, chain, status: 'live', startsAt: isoOf(startsAt), endsAt: isoOf(endsAt) }
  for (const { agentId } of contest.entries) emit(turn, agentId, { type: 'contest.live', data })
}

function runPlayDue(turn: Turn, contest: Played): void {
  const { now } = turn.state
  const mode = modeOf(contest)
  const mints = mintsDue(contest)
  const prices = mints.map((mint) => priceAt(turn, mint, now))
  if (prices.includes(null)) {
    cancelContest(turn, contest, 'no_price')
    return
  }
  const progress = mode.due(contest, now, (mint) => {
    const price = prices[mints.indexOf(mint)] ?? null
    if (price === null) broken(`mode ${mode.name} asked for a price it had not named`, { mint })
    return price
  })
  proceed(turn, contest, progress)
  if (contest.dueAt !== null && contest.dueAt <= now) broken(`mode ${mode.name} left something to do at ${isoOf(now)}`)
}
