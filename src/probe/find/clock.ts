import { isEntryProcedure } from '../../contract/procedures.ts'
import { boundOf, mostAgreed, type OffsetBound } from '../../core/clockOffset.ts'
import { type Exchange, outputOf } from '../exchange.ts'
import type { FactEvent, Facts } from '../facts.ts'
import { isId, isIso, pathsIn } from './values.ts'

// The service's clock as a recording shows it: by the times in events and answers, with the `Date` header as one more bound.

/** How the clock of who recorded stands to the service's. */
export interface RecordedClock {
  /** From the clock of who recorded to that of the service's events. */
  readonly toService: (at: number) => number
  /** From the `Date` header to the clock of the service's events, in milliseconds. */
  readonly headerBehindMs: number
  /** Two times that differ by no more may be the same. Infinite where the times contradict each other: nothing is known of when anything was. */
  readonly graceMs: number
}

/** Network, and the time an answer takes. */
const LEAST_GRACE_MS = 300
const GRACE_WITHOUT_DATES_MS = 1500
/** An event is heard of within this as a rule. */
const HEARD_WITHIN_MS = 2000
const SECOND_MS = 1000
/** Recordings of before do not say when a request was sent: an answer is lost after this. */
const TIMEOUT_MS = 5000
/** No time is trusted if a larger share of them contradicts the others. */
const MOST_CONTRADICTING = 0.1
/** So many times decide: one could be an error. */
const LEAST_TIMES = 2

export function clockOf(exchanges: readonly Exchange[], facts: Facts): RecordedClock {
  const header = headerOf(exchanges)
  const times = timesOf(exchanges, facts)
  const isByTimes = times.length >= LEAST_TIMES
  const agreed = isByTimes ? mostAgreed(header === undefined ? times : [...times, header]) : header
  if (agreed === undefined) return { toService: (at) => at, headerBehindMs: 0, graceMs: GRACE_WITHOUT_DATES_MS }
  const { offsetMs, graceMs } = middleOf(agreed)
  const contradicting = times.filter(({ leastMs, mostMs }) => leastMs > offsetMs + graceMs || mostMs < offsetMs - graceMs).length
  return {
    toService: (at) => at + offsetMs,
    headerBehindMs: header === undefined ? 0 : offsetMs - middleOf(header).offsetMs,
    graceMs: contradicting > Math.max(1, times.length * MOST_CONTRADICTING) ? Number.POSITIVE_INFINITY : graceMs,
  }
}

function middleOf({ leastMs, mostMs }: OffsetBound): { readonly offsetMs: number; readonly graceMs: number } {
  if (mostMs === Number.POSITIVE_INFINITY) return { offsetMs: leastMs, graceMs: LEAST_GRACE_MS + HEARD_WITHIN_MS }
  if (leastMs === Number.NEGATIVE_INFINITY) return { offsetMs: mostMs, graceMs: LEAST_GRACE_MS + HEARD_WITHIN_MS }
  return { offsetMs: (leastMs + mostMs) / 2, graceMs: LEAST_GRACE_MS + Math.min((mostMs - leastMs) / 2, TIMEOUT_MS) }
}

/** Offset by the `Date` header. Each answer bounds it to a second; all of them together narrow it further. */
function headerOf(exchanges: readonly Exchange[]): OffsetBound | undefined {
  const bounds = exchanges.flatMap(({ at, headers }) => {
    const dateMs = Date.parse(headers?.date ?? '')
    return Number.isNaN(dateMs) ? [] : [boundOf({ dateMs, notBefore: at, notAfter: at, spanMs: SECOND_MS })]
  })
  if (bounds.length === 0) return undefined
  // An answer that came late is later than its second allows: what came soonest is nearest to the truth.
  const leastMs = bounds.reduce((most, bound) => Math.max(most, bound.leastMs), Number.NEGATIVE_INFINITY)
  const mostMs = bounds.reduce((least, bound) => Math.min(least, bound.mostMs), Number.POSITIVE_INFINITY)
  return leastMs <= mostMs ? { leastMs, mostMs } : { leastMs: leastMs - Math.min(leastMs - mostMs, SECOND_MS), mostMs: leastMs }
}

/** An own entry, by every id that its request and its answer name. */
interface SentEntry {
  readonly sentAt: number
  readonly answeredAt: number
  readonly ids: ReadonlySet<string>
}

const IN_CONTEST: ReadonlySet<string> = new Set(['draftPick', 'commitPrediction', 'revealPrediction'])

function timesOf(exchanges: readonly Exchange[], facts: Facts): OffsetBound[] {
  const { events, moves } = facts
  const live = livePlay(exchanges, facts)
  const sent = exchanges.flatMap((exchange): (SentEntry & { readonly madeAt: number | undefined })[] => {
    const output = outputOf(exchange)
    if (!isEntryProcedure(exchange.procedure) || output === undefined) return []
    const values = [...pathsIn(output), ...pathsIn(exchange.input)]
    const ids = new Set(values.flatMap(([, value]) => (isId(value) ? [String(value)] : [])))
    return [{ sentAt: exchange.sentAt ?? exchange.at - TIMEOUT_MS, answeredAt: exchange.at, ids, madeAt: madeAtIn(values) }]
  })
  const heardAt = heardIn(exchanges)
  const ofEntries = sent.flatMap(({ madeAt, sentAt, answeredAt }) =>
    madeAt === undefined ? [] : [boundOf({ dateMs: madeAt, notBefore: sentAt, notAfter: answeredAt })],
  )
  const ofEvents = events.flatMap((event) => {
    const entry = sent.find(({ ids }) => idsOf(event).some((id) => ids.has(id)))
    const dateMs = Date.parse(event.createdAt)
    const notAfter = heardAt.get(event.id) ?? Number.POSITIVE_INFINITY
    return Number.isNaN(dateMs) || (entry === undefined && notAfter === Number.POSITIVE_INFINITY)
      ? []
      : [boundOf({ dateMs, notBefore: entry?.sentAt, notAfter })]
  })
  // A move in a contest is taken before that is settled, and a move of live play after it has begun.
  const ofMoves = moves.flatMap(({ type, contestId, accepted, at, sentAt = at - TIMEOUT_MS }) => {
    if (!accepted || contestId === undefined || !IN_CONTEST.has(type)) return []
    const timeOf = (wanted: string) => {
      const event = events.find((one) => one.type === wanted && one.data.contestId === contestId)
      return event === undefined ? undefined : Date.parse(event.createdAt)
    }
    const [liveAt, overAt] = [live.has(type) ? timeOf('contest.live') : undefined, timeOf('contest.settled')]
    if (liveAt === undefined && overAt === undefined) return []
    return [
      {
        leastMs: liveAt === undefined ? Number.NEGATIVE_INFINITY : liveAt - at,
        mostMs: overAt === undefined ? Number.POSITIVE_INFINITY : overAt - sentAt,
      },
    ]
  })
  return [...ofEntries, ...ofEvents, ...ofMoves]
}

const idsOf = ({ data }: FactEvent): string[] => [data.ticketId, data.contestId].filter((id) => typeof id === 'string')

/**
 * Moves that are taken while a contest is live. Picks are none where the service drafts before: each was taken before its contest was heard to
 * be live. The order of what was heard says so, since dates may be wrong.
 */
export function livePlay(exchanges: readonly Exchange[], { events, moves }: Facts): ReadonlySet<string> {
  const heard = heardIn(exchanges, true)
  const liveHeardAt = new Map(
    events.flatMap(({ id, type, data }) => (type === 'contest.live' ? [[data.contestId, heard.get(id)] as const] : [])),
  )
  const leads = moves.flatMap(({ type, contestId, accepted, at }) => {
    const liveAt = liveHeardAt.get(contestId)
    return type === 'draftPick' && accepted && liveAt !== undefined ? [liveAt - at] : []
  })
  const isBefore = leads.length > 0 && leads.every((leadMs) => leadMs > HEARD_WITHIN_MS)
  return new Set(isBefore ? ['revealPrediction'] : ['draftPick', 'revealPrediction'])
}

/** When each event was heard of first, of those that came after the end of the stream: what came before it may be old. */
function heardIn(exchanges: readonly Exchange[], withOld = false): ReadonlyMap<string, number> {
  const heard = new Map<string, number>()
  let isAtEnd = withOld
  for (const exchange of exchanges) {
    const { events } = (outputOf(exchange) ?? {}) as { readonly events?: unknown }
    if (exchange.procedure !== 'agent.events' || !Array.isArray(events)) continue
    for (const event of events as { readonly id?: unknown }[])
      if (isAtEnd && typeof event?.id === 'string' && !heard.has(event.id)) heard.set(event.id, exchange.at)
    isAtEnd ||= events.length === 0
  }
  return heard
}

/** A time under a name such as `createdAt`, in whatever spelling. */
function madeAtIn(values: readonly (readonly [string, unknown])[]): number | undefined {
  const named = values.find(([path]) => /^created_?at$/i.test(path.split('.').at(-1) ?? ''))
  if (isIso(named?.[1])) return Date.parse(named[1])
  return typeof named?.[1] === 'number' && named[1] > LEAST_MS ? named[1] : undefined
}
/** Below, a number counts seconds: as milliseconds it would be of 1973 and before. */
const LEAST_MS = 1e11
