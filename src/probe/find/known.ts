import type { Exchange } from '../exchange.ts'
import type { FactEvent, FactMove, Facts } from '../facts.ts'
import { clockOf, livePlay, type RecordedClock } from './clock.ts'

// What is known for certain, by contest and ticket: the ground that findings stand on.

/** A move; the service has taken or refused it between its two times. */
export interface KnownMove extends FactMove {
  readonly sentAt: number
}

export interface KnownContest {
  readonly contestId: string
  mode?: string | undefined
  stake?: string | undefined
  /** Unix milliseconds by the service's clock, as of all that follow. */
  seatAt?: number | undefined
  liveAt?: number | undefined
  startsAt?: number | undefined
  endsAt?: number | undefined
  settledAt?: number | undefined
  cancelledAt?: number | undefined
  /** The service dates its events as they cannot have been: none of its times counts. */
  isContradictory?: boolean
  /** Accepted moves in it. */
  readonly moves: KnownMove[]
  readonly refused: KnownMove[]
}

export interface KnownTicket {
  readonly ticketId: string
  contestId?: string | undefined
  matchedAt?: number | undefined
  overAt?: number | undefined
}

export interface Known extends RecordedClock {
  readonly contests: ReadonlyMap<string, KnownContest>
  readonly tickets: ReadonlyMap<string, KnownTicket>
  /** Users who took a seat in each of our contests, by contest. */
  readonly joined: ReadonlyMap<string, ReadonlySet<string>>
  readonly moves: readonly FactMove[]
}

export type Stage = 'open' | 'live' | 'settled' | 'cancelled'

export function knownFrom(exchanges: readonly Exchange[], facts: Facts): Known {
  const { toService, headerBehindMs, graceMs } = clockOf(exchanges, facts)
  const live = livePlay(exchanges, facts)
  const contests = new Map<string, KnownContest>()
  const tickets = new Map<string, KnownTicket>()
  const joined = new Map<string, Set<string>>()
  const contestOf = (contestId: string) => kept(contests, contestId, () => ({ contestId, moves: [], refused: [] }))
  for (const event of facts.events) {
    const { contestId, ticketId } = idsOf(event)
    if (contestId !== undefined) tell(contestOf(contestId), event)
    if (ticketId !== undefined)
      tellTicket(
        kept(tickets, ticketId, () => ({ ticketId })),
        event,
      )
    const { userId } = event.data
    if (event.type === 'contest.joined' && contestId !== undefined && typeof userId === 'string')
      kept(joined, contestId, () => new Set<string>()).add(userId)
  }
  for (const move of facts.moves) {
    if (move.contestId === undefined) continue
    const timed = { ...move, at: toService(move.at), sentAt: toService(move.sentAt ?? move.at - ANSWER_MS) }
    if (!move.accepted) {
      contests.get(move.contestId)?.refused.push(timed)
      continue
    }
    const contest = contestOf(move.contestId)
    contest.moves.push(timed)
    if (move.type === 'joinContest') contest.seatAt = Math.min(contest.seatAt ?? Number.POSITIVE_INFINITY, toService(move.at))
    contest.mode ??= move.mode
  }
  for (const contest of contests.values()) if (isContradictory(contest, { graceMs, live })) forgetTimes(contest)
  return { contests, tickets, joined, moves: facts.moves, toService, headerBehindMs, graceMs }
}

/** The answer to a move may come so much later than the service has taken it. */
const ANSWER_MS = 500

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const idsOf = ({ data }: FactEvent) => ({ contestId: textOf(data.contestId), ticketId: textOf(data.ticketId) })

function kept<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

function tell(contest: KnownContest, { type, createdAt, data }: FactEvent): void {
  const at = Date.parse(createdAt)
  contest.mode ??= textOf(data.mode)
  contest.stake ??= textOf(data.stake)
  // Whatever an event says of a contest is about one that we are in.
  contest.seatAt = Math.min(contest.seatAt ?? Number.POSITIVE_INFINITY, at)
  if (type === 'contest.live') {
    contest.liveAt = at
    contest.startsAt = Date.parse(textOf(data.startsAt) ?? '')
    contest.endsAt = Date.parse(textOf(data.endsAt) ?? '')
  }
  if (type === 'contest.settled') contest.settledAt = at
  if (type === 'contest.cancelled') contest.cancelledAt = at
}

function tellTicket(ticket: KnownTicket, { type, createdAt, data }: FactEvent): void {
  const at = Date.parse(createdAt)
  if (type === 'match.found') {
    ticket.matchedAt = at
    ticket.contestId = textOf(data.contestId)
  } else ticket.overAt = at
}

/** True if events and moves contradict each other: live before the seat, settled before live, or a move outside of live play. */
function isContradictory(
  { seatAt, liveAt, endsAt, settledAt, cancelledAt, moves }: KnownContest,
  { graceMs, live }: { readonly graceMs: number; readonly live: ReadonlySet<string> },
): boolean {
  const overAt = settledAt ?? cancelledAt
  const isBefore = (a: number | undefined, b: number | undefined) => a !== undefined && b !== undefined && a < b - graceMs
  if (isBefore(overAt, liveAt) || isBefore(endsAt, liveAt) || isBefore(overAt, seatAt)) return true
  return moves.some(({ type, at, sentAt }) => isBefore(overAt, sentAt) || (live.has(type) && isBefore(at, liveAt)))
}

/** Nothing is known of when such a contest was in which state. */
function forgetTimes(contest: KnownContest): void {
  for (const name of ['seatAt', 'liveAt', 'startsAt', 'endsAt', 'settledAt', 'cancelledAt'] as const) contest[name] = undefined
  contest.isContradictory = true
}

/** In which state a contest is known to have been; undefined where it is not ours, or too near to a change. */
export function stageAt({ graceMs }: Pick<Known, 'graceMs'>, contest: KnownContest | undefined, at: number): Stage | undefined {
  if (contest?.seatAt === undefined || at < contest.seatAt - graceMs) return undefined
  const { liveAt, settledAt, cancelledAt } = contest
  const endAt = settledAt ?? cancelledAt
  if (endAt !== undefined && at > endAt + graceMs) return settledAt === undefined ? 'cancelled' : 'settled'
  if (isEnding({ graceMs }, contest, at)) return undefined
  if (liveAt !== undefined && at > liveAt + graceMs) return 'live'
  if (liveAt !== undefined && at > liveAt - graceMs) return undefined
  return 'open'
}

/** Between the end of a contest and what came of it: some services say still that it is live, some say already that it is over. */
export function isEnding({ graceMs }: Pick<Known, 'graceMs'>, { endsAt, settledAt, cancelledAt }: KnownContest, at: number): boolean {
  const endAt = settledAt ?? cancelledAt
  const from = Math.min(endsAt ?? Number.POSITIVE_INFINITY, endAt ?? Number.POSITIVE_INFINITY)
  return at > from - graceMs && (endAt === undefined || at <= endAt + graceMs)
}
