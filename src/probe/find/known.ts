import type { Exchange } from '../exchange.ts'
import type { FactEvent, FactMove, Facts } from '../facts.ts'

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

export interface Known {
  readonly contests: ReadonlyMap<string, KnownContest>
  readonly tickets: ReadonlyMap<string, KnownTicket>
  /** Users who took a seat in each of our contests, by contest. */
  readonly joined: ReadonlyMap<string, ReadonlySet<string>>
  readonly moves: readonly FactMove[]
  /** From the clock of who recorded to that of the service. */
  readonly toService: (at: number) => number
  /** What two times may differ by and yet be the same, in milliseconds. */
  readonly graceMs: number
}

export type Stage = 'open' | 'live' | 'settled' | 'cancelled'

export function knownFrom(exchanges: readonly Exchange[], facts: Facts): Known {
  const { offsetMs, graceMs } = clocksOf(exchanges)
  const toService = (at: number) => at - offsetMs
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
  return { contests, tickets, joined, moves: facts.moves, toService, graceMs }
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

/** Network, and the time an answer takes. */
const LEAST_GRACE_MS = 300
const GRACE_WITHOUT_DATES_MS = 1500
const SECOND_MS = 1000

/**
 * How far the clock of who recorded is ahead of the service's. The header has whole seconds: each answer bounds it to one, and all of them
 * together to what is left between.
 */
function clocksOf(exchanges: readonly Exchange[]): { readonly offsetMs: number; readonly graceMs: number } {
  const ahead = exchanges.flatMap(({ at, headers }) => {
    const date = Date.parse(headers?.date ?? '')
    return Number.isNaN(date) ? [] : [at - date]
  })
  if (ahead.length === 0) return { offsetMs: 0, graceMs: GRACE_WITHOUT_DATES_MS }
  const most = ahead.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY)
  const least = ahead.reduce((greatest, one) => Math.max(greatest, one), Number.NEGATIVE_INFINITY) - SECOND_MS
  // Answers that came late are later than a second allows: what came soonest is nearest to the truth.
  const lateMs = Math.max(0, least - most)
  if (lateMs > 0) return { offsetMs: most, graceMs: LEAST_GRACE_MS + Math.min(lateMs, SECOND_MS) }
  return { offsetMs: (most + least) / 2, graceMs: LEAST_GRACE_MS + Math.min((most - least) / 2, SECOND_MS) }
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
