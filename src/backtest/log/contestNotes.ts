import { z } from 'zod'
import { type Chain, chainSchema, type Format, formatSchema, type Mode, modeSchema } from '../../contract/enums.ts'
import type { ServiceEvent } from '../../contract/events.ts'
import { findField } from '../../contract/paths.ts'
import type { ProcedureOutput } from '../../contract/procedures.ts'
import type { Contest } from '../../contract/records.ts'
import { canonicalPrice, type Price } from '../../core/price.ts'
import { keyedRandom } from '../../core/random.ts'
import type { Mint } from '../../core/tokens.ts'
import { type Input, type InputOf, itemsOf } from '../../pipeline/index.ts'
import type { ContestLine, HeaderLine } from '../../recording/index.ts'
import { DraftTurns } from './draftTurns.ts'
import type { Opportunity, RecordedPrice, RecordedSeat } from './opportunity.ts'

/** All that a log says of one contest, gathered line by line. */
interface Note {
  readonly contestId: string
  mode: Mode | undefined
  chain: Chain
  format: Format
  stake: bigint | undefined
  durationSec: number | undefined
  capacity: number
  params: Readonly<Record<string, unknown>>
  via: 'queue' | 'list'
  openAt: number
  joinBy: number | null
  /** When it was last seen open. */
  openUntil: number | null
  lockedAt: number | null
  startsAt: number | null
  endsAt: number | null
  settledAt: number | null
  isOver: boolean
  /** It was read while it was played, or when it was over. */
  isLive: boolean
  /** Whether the recorded bot had a seat. */
  isSeated: boolean
  readonly own: OwnEntry
  /** As `you` says. */
  ownSide: string | null
  entries: NonNullable<Contest['entries']>
  /** Of the read that has them, and of `state`: where several bots were recorded, what was read last counts. */
  entriesAt: number
  stateAt: number
  /** Final scores by entry, null of one that made no valid move; an entry whose score was never read is not in it. */
  readonly scores: Map<string, string | null>
  state: Readonly<Record<string, unknown>> | undefined
  readonly turns: DraftTurns
}

/** The recorded bot's own entry, by what says so. */
interface OwnEntry {
  /** `you` of a read of the contest. */
  you: string | undefined
  /** The mode's state, which is where a live bot has it from. */
  state: string | undefined
  /** The entry whose user is the agent of the log. */
  user: string | undefined
}

const priceText = z.string().transform((text, context): Price => {
  try {
    return canonicalPrice(text)
  } catch {
    context.addIssue('not a price')
    return z.NEVER
  }
})
const pricesByMint = z.record(z.string(), priceText).nullish().catch(null)

/** The prices that modes show once they have decided. Not documented: what reads otherwise is as good as missing. */
const stateSchema = z.looseObject({
  token: z.string().optional().catch(undefined),
  startPrice: priceText.nullish().catch(null),
  endPrice: priceText.nullish().catch(null),
  startPrices: pricesByMint,
  endPrices: pricesByMint,
  picks: z
    .array(z.looseObject({ entryId: z.string(), tokens: z.array(z.string()) }))
    .optional()
    .catch(undefined),
  predictions: z
    .array(z.looseObject({ entryId: z.string(), value: z.string().nullish() }))
    .optional()
    .catch(undefined),
})

/** Gathers the contests of a log: those the bot had a seat in, and those it was shown. */
export class ContestNotes {
  readonly #notes = new Map<string, Note>()
  readonly #stated: Opportunity[] = []
  /** When a ticket that waits was made, by its id. */
  readonly #ticketAt = new Map<string, number>()
  /** Whose log is being read. */
  #agentId: string | null = null

  onHeader({ agentId }: HeaderLine): void {
    this.#agentId = agentId
  }

  /** One line of an imported log. */
  onContest(line: ContestLine): void {
    const mode = modeSchema.safeParse(line.mode)
    const chain = chainSchema.safeParse(line.chain)
    if (!mode.success || !chain.success) return
    const { contestId, at, format, durationSec, capacity, opponents, params, via } = line
    const seat: RecordedSeat = { kind: opponents, side: null, score: undefined, picks: [], pickMs: [], predicted: undefined }
    this.#stated.push({
      ...{ contestId, format, durationSec, capacity, params, via, mode: mode.data, chain: chain.data },
      stake: BigInt(line.stake),
      openAt: at,
      joinBy: null,
      lockedAt: null,
      ranMs: null,
      side: null,
      others: Array.from({ length: capacity - 1 }, () => seat),
      facts: [],
    })
  }

  onInput(input: Input): void {
    if (input.type === 'event' && input.read.ok) this.#onEvent(input.read.event)
    if (input.type === 'answer') this.#onAnswer(input)
    if (input.type === 'outcome' && input.outcome.status === 'accepted') this.#onTicket(input.outcome.output, input.at)
  }

  /** Contests whose terms are known, in the order in which they opened. */
  opportunities(): readonly Opportunity[] {
    const recorded = [...this.#notes.values()].flatMap((note) => opportunityOf(note) ?? [])
    return [...this.#stated, ...recorded].sort((a, b) => a.openAt - b.openAt || (a.contestId < b.contestId ? -1 : 1))
  }

  #onEvent({ type, data, createdAt }: ServiceEvent): void {
    if (!('contestId' in data) || typeof data.contestId !== 'string') return
    const note = this.#note(data.contestId, createdAt)
    note.isSeated ||= isForSeats(type)
    if (type === 'match.found') {
      note.via = 'queue'
      note.openAt = this.#ticketAt.get(data.ticketId) ?? createdAt
      note.mode ??= modeOf(data.mode)
      note.stake ??= data.stake
    }
    if (type === 'contest.live') {
      note.mode ??= modeOf(data.mode)
      note.lockedAt = createdAt
      note.startsAt = data.startsAt
      note.endsAt = data.endsAt
      note.durationSec ??= Math.round((data.endsAt - data.startsAt) / 1000)
    }
    if (type === 'contest.settled') {
      note.isOver = true
      note.settledAt = createdAt
      note.stake ??= data.stake
    }
  }

  #onAnswer({ request: { procedure }, result, at }: InputOf<'answer'>): void {
    if (!result.ok) return
    const { output } = result
    if (procedure === 'agent.modes.state') this.#onState(output, at)
    if (procedure === 'agent.contests.get') this.#onContestRead(output as Contest, at)
    if (procedure === 'agent.contests.mine' || procedure === 'agent.contests.list') {
      for (const contest of itemsOf(output as ProcedureOutput<'agent.contests.mine'>)) this.#onContestRead(contest, at)
    }
    if (procedure === 'agent.queue.list') {
      for (const ticket of itemsOf(output as ProcedureOutput<'agent.queue.list'>)) this.#onTicket(ticket, at)
    }
  }

  /** The answer to an enqueue is a ticket too. */
  #onTicket(ticket: unknown, at: number): void {
    const { ticketId } = (ticket ?? {}) as { ticketId?: unknown }
    if (typeof ticketId === 'string' && !this.#ticketAt.has(ticketId)) this.#ticketAt.set(ticketId, at)
  }

  #onState(output: unknown, at: number): void {
    const { contestId } = output as ProcedureOutput<'agent.modes.state'>
    const note = contestId === undefined ? undefined : this.#notes.get(contestId)
    if (note === undefined) return
    if (at >= note.stateAt) {
      note.state = output as Readonly<Record<string, unknown>>
      note.stateAt = at
    }
    const entry = findField(output, 'entryId', (value) => (typeof value === 'string' && value !== '' ? value : undefined))
    if (entry.found) {
      note.isSeated = true
      note.own.state = entry.value
    }
    note.turns.onState(output)
  }

  #onContestRead(contest: Contest, at: number): void {
    if (contest.contestId === undefined) return
    const note = this.#note(contest.contestId, at)
    if (note.via === 'list') note.openAt = Math.min(note.openAt, at)
    note.mode ??= modeOf(contest.mode)
    note.stake ??= contest.stake
    note.durationSec = contest.durationSec ?? note.durationSec
    note.capacity = contest.capacity ?? note.capacity
    note.chain = chainSchema.safeParse(contest.chain).data ?? note.chain
    note.format = formatSchema.safeParse(contest.format).data ?? note.format
    note.params = contest.params ?? note.params
    note.startsAt = contest.startsAt ?? note.startsAt
    note.endsAt = contest.endsAt ?? note.endsAt
    this.#onEntries(note, contest, at)
    note.joinBy = typeof contest.joinBy === 'string' ? Date.parse(contest.joinBy) : note.joinBy
    note.isOver ||= contest.status === 'settled'
    note.isLive ||= contest.status === 'live' || contest.status === 'settled'
    if (contest.status === 'open') note.openUntil = Math.max(at, note.openUntil ?? 0)
    const { you } = contest
    if (you === null || you === undefined) return
    note.isSeated = true
    note.own.you = you.entryId ?? note.own.you
    note.ownSide = you.side ?? null
  }

  #onEntries(note: Note, { entries, status }: Contest, at: number): void {
    if (entries === undefined) return
    if (at >= note.entriesAt) {
      note.entries = entries
      note.entriesAt = at
    }
    note.own.user = entries.find(({ userId }) => userId !== null && userId === this.#agentId)?.entryId ?? note.own.user
    // Before the end a score says how it stood then, and none may mean no more than that it is not shown yet.
    if (status !== 'settled') return
    for (const { entryId, score } of entries) if (entryId !== undefined && score !== undefined) note.scores.set(entryId, score)
  }

  #note(contestId: string, at: number): Note {
    const known = this.#notes.get(contestId)
    if (known !== undefined) return known
    const note: Note = {
      contestId,
      ...{ mode: undefined, chain: 'solana', format: 'duel', stake: undefined, durationSec: undefined, capacity: 2, params: {} },
      ...{
        via: 'list',
        openAt: at,
        joinBy: null,
        openUntil: null,
        lockedAt: null,
        startsAt: null,
        endsAt: null,
        settledAt: null,
        isOver: false,
        isLive: false,
      },
      ...{ isSeated: false, own: { you: undefined, state: undefined, user: undefined }, ownSide: null },
      ...{ entries: [], entriesAt: 0, stateAt: 0, scores: new Map(), state: undefined, turns: new DraftTurns() },
    }
    this.#notes.set(contestId, note)
    return note
  }
}

const modeOf = (text: string | undefined): Mode | undefined => modeSchema.safeParse(text).data

/** Events that only those are told who have a seat. */
const isForSeats = (type: ServiceEvent['type']): boolean =>
  type === 'match.found' || type === 'contest.joined' || type === 'contest.live' || type === 'contest.settled'

function opportunityOf(note: Note): Opportunity | undefined {
  const { contestId, mode, chain, format, stake, durationSec, capacity, params, isOver } = note
  const joinBy = note.joinBy ?? note.openUntil
  const entered = entryOf(note)
  if (mode === undefined || stake === undefined || durationSec === undefined || entered === undefined) return undefined
  return {
    ...{ contestId, mode, chain, format, stake, durationSec, capacity, params, joinBy, ...entered },
    ranMs: note.settledAt === null || note.startsAt === null ? null : note.settledAt - note.startsAt,
    side: ownSideOf(note),
    others: othersOf(note),
    facts: isOver ? factsOf(note) : [],
  }
}

/**
 * How a contest is entered. Without a seat nobody is told when it locked: its start stands for that. One that nobody saw open was seated by
 * the match queue; undefined of one with more seats, since the queue seats duels.
 */
function entryOf({ via, openAt, lockedAt, openUntil, startsAt, isSeated, isLive, capacity }: Note): Entry | undefined {
  if (via === 'queue' || isSeated) return { via, openAt, lockedAt }
  if (openUntil !== null || !isLive) return { via, openAt, lockedAt: startsAt }
  return capacity > 2 ? undefined : { via: 'queue', openAt: Math.min(openAt, startsAt ?? openAt), lockedAt: startsAt }
}
type Entry = Pick<Opportunity, 'via' | 'openAt' | 'lockedAt'>

const ownEntryOf = ({ own: { you, state, user } }: Note): string | undefined => you ?? state ?? user

function ownSideOf(note: Note): string | null {
  const own = ownEntryOf(note)
  const seat = own === undefined ? note.entries[freedSeatOf(note)] : note.entries.find(({ entryId }) => entryId === own)
  return note.ownSide ?? seat?.side ?? null
}

/**
 * The place of the seat that whoever plays now takes, where the recorded bot had none and all were taken; else -1. It is drawn by the
 * contest's id: who came last may have been who waited least.
 */
function freedSeatOf({ contestId, isSeated, entries, capacity }: Note): number {
  return isSeated || entries.length < capacity ? -1 : keyedRandom('seat', contestId).integer(0, entries.length - 1)
}

/** The seats that are not the recorded bot's. None where it had one and nothing says which: it must not meet itself. */
function othersOf(note: Note): RecordedSeat[] {
  const own = ownEntryOf(note)
  if (note.isSeated && own === undefined) return []
  const shown = stateSchema.safeParse(note.state).data
  const freed = freedSeatOf(note)
  return note.entries
    .filter(({ entryId }, seat) => seat !== freed && (own === undefined || entryId !== own))
    .map(({ entryId, kind, side }) => ({
      kind: kind === 'HUMAN' ? 'HUMAN' : 'AGENT',
      side: side ?? null,
      score: entryId === undefined ? undefined : note.scores.get(entryId),
      picks: shown?.picks?.find((seat) => seat.entryId === entryId)?.tokens ?? [],
      pickMs: note.turns.pickMsOf(entryId),
      predicted: shown?.predictions?.find((seat) => seat.entryId === entryId)?.value ?? undefined,
    }))
}

function factsOf({ state, startsAt, endsAt }: Note): RecordedPrice[] {
  const read = stateSchema.safeParse(state)
  if (!read.success) return []
  const { token, startPrice, endPrice, startPrices, endPrices } = read.data
  const single = (at: number | null, price: Price | null | undefined) =>
    at === null || token === undefined || price === null || price === undefined ? [] : [{ mint: token, at, price }]
  const several = (at: number | null, prices: Readonly<Record<Mint, Price>> | null | undefined) =>
    at === null ? [] : Object.entries(prices ?? {}).map(([mint, price]) => ({ mint, at, price }))
  return [...single(startsAt, startPrice), ...single(endsAt, endPrice), ...several(startsAt, startPrices), ...several(endsAt, endPrices)]
}
