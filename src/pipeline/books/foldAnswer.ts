import { type ExtraPaths, findField, idOf, idText } from '../../contract/paths.ts'
import type { ProcedureInput, ProcedureOutput, ReadName } from '../../contract/procedures.ts'
import type { Contest, Ticket } from '../../contract/records.ts'
import { CornermanError } from '../../core/error.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Books, Seat, WaitingTicket } from './books.ts'
import { seatsOf, toLive } from './foldEvent.ts'
import { type ReadingAt, readModeState } from './modeState.ts'
import { type Said, saidOfSeat } from './said.ts'
import { openContestOf } from './views.ts'

/** A read that was answered, in the form the fold needs it. */
export interface Answered<N extends ReadName = ReadName> extends ReadingAt {
  readonly procedure: N
  readonly input: unknown
  readonly output: ProcedureOutput<N>
  readonly begunAt: number
}

/** What an answer says. */
export interface SaidByAnswer {
  /** Of tickets and seats. */
  readonly said: readonly Said[]
  /** Contests that others opened, where it lists them. */
  readonly openContests?: Books['openContests']
  /** A field that the bot needs and the answer does not have, or has in words that are not known. */
  readonly missing?: CornermanError | undefined
}

type Readers = { readonly [N in ReadName]?: (books: Books, answer: Answered<N>) => SaidByAnswer }

const NOTHING: SaidByAnswer = { said: [] }

/** What each read says of tickets and seats; one that is not listed says nothing of them. */
const READERS: Readers = {
  'agent.contests.list': ({ seats }, { output, begunAt, paths }) => {
    const value = itemsOf(output).flatMap((contest) => {
      const open = openContestOf(contest, paths)
      return open === undefined || seats.has(open.contestId) ? [] : [open]
    })
    return { said: [], openContests: { value, begunAt } }
  },
  'agent.contests.mine': (_, { output, paths }) => ({
    said: itemsOf(output).flatMap((contest) => {
      const contestId = idOf(contest, 'contestId', paths)
      return contestId === undefined ? [] : ofContest({ contestId, contest, paths })
    }),
  }),
  // A list may leave out what the contest itself has. It is the one that was asked for, whatever it calls itself.
  'agent.contests.get': (_, { input, output, begunAt, paths }) => {
    const { contestId } = input as ProcedureInput<'agent.contests.get'>
    return { said: ofContest({ contestId, contest: output, paths, readFrom: begunAt }) }
  },
  'agent.queue.list': (_, { output, paths }) =>
    ofTickets(itemsOf(output).map((ticket) => ({ ticketId: idOf(ticket, 'ticketId', paths), ticket }))),
  'agent.queue.get': (_, { input, output: ticket }) => {
    const { ticketId } = input as ProcedureInput<'agent.queue.get'>
    return ofTickets([{ ticketId, ticket }])
  },
  'agent.modes.state': ({ custody, seats }, { input, output, begunAt, now, lagMs, paths }) => {
    const { contestId } = input as ProcedureInput<'agent.modes.state'>
    const seat = seats.get(contestId)
    // What was asked before our last move was taken may show the state before it.
    if (seat === undefined || begunAt <= seat.movedAt) return NOTHING
    // What the service has taken it need not show.
    const status = custody.get(contestId)?.status
    const isCommitted = status === 'committed' || status === 'revealed'
    const { change, missing } = readModeState(output, isCommitted ? { ...seat, committed: true } : seat, { now, lagMs, paths })
    return { said: [saidOfSeat(contestId, change)], missing }
  },
}

/** What the answer to a read says of tickets, seats and what is open. */
export function saidByAnswer(books: Books, answer: Answered): SaidByAnswer {
  const reader = READERS[answer.procedure] as ((books: Books, answer: Answered) => SaidByAnswer) | undefined
  return reader === undefined ? NOTHING : reader(books, answer)
}

/** The items of a list, whether the service sends them bare or in a page. */
export function itemsOf<T>(output: readonly T[] | { readonly items: readonly T[] }): readonly T[] {
  return 'items' in output ? output.items : output
}

const SECOND_MS = 1000
/**
 * A service may tell a time in whole seconds, or as time that is left: one that is within a second of what is known is the same, told less
 * exactly. Events say it to the millisecond, and a swap before the window counts for nothing.
 */
const exactest = (told: number | null | undefined, known: number | undefined): number | undefined =>
  told === null || told === undefined || (known !== undefined && Math.abs(told - known) < SECOND_MS) ? known : told

function ofContest({ contestId, ...told }: ToldContest & { readonly contestId: string }): readonly Said[] {
  const { status } = told.contest
  // Only the event ends a contest, since it carries the money: a read neither ends one nor adopts an ended one.
  return status === 'settled' || status === 'cancelled' ? [] : [{ of: 'seat', contestId, change: (known) => contestChange(told, known) }]
}

interface ToldContest {
  readonly contest: Contest
  readonly paths: ExtraPaths
  /** When it was asked for by itself; undefined of one in a list. Unix milliseconds. */
  readonly readFrom?: number
}

function contestChange({ contest, paths, readFrom }: ToldContest, known: Seat | undefined): Partial<Seat> {
  const find = (field: 'entryId' | 'token') => {
    const found = findField(contest, field, idText, paths)
    return found.found ? found.value : undefined
  }
  const entryId = find('entryId') ?? known?.entryId
  return {
    // Of the contest itself; what was asked before our join was taken may not show the seat.
    ...(readFrom === undefined || (known !== undefined && readFrom <= known.movedAt) ? {} : { isRead: true }),
    mode: known?.mode ?? contest.mode,
    stake: larger(known?.stake, contest.stake),
    token: known?.token ?? find('token'),
    durationSec: contest.durationSec ?? known?.durationSec,
    startsAt: exactest(contest.startsAt, known?.startsAt),
    endsAt: exactest(contest.endsAt, known?.endsAt),
    side: contest.you?.side ?? known?.side,
    ...seatsOf(contest, known),
    standings: standingsOf(contest, entryId) ?? known?.standings,
    entryId,
    ready: contest.you?.ready ?? known?.ready,
    ...(contest.status === 'live' ? toLive(known) : { phase: known?.phase ?? 'open' }),
  }
}

/** The seats of a contest that shows them; a list may leave them out, and an empty one says nothing of a contest that one sits in. */
function standingsOf({ entries = [], you }: Contest, own: string | undefined): Seat['standings'] {
  if (entries.length === 0) return undefined
  const ownId = you?.entryId ?? own
  return entries.map(({ entryId, userId, kind, side, score }) => ({
    ...{ isOwn: ownId !== undefined && entryId === ownId, userId: userId ?? undefined },
    ...{ kind: kind ?? undefined, side: side ?? undefined, score: score ?? undefined },
  }))
}

/** Of what was asked for and what the service says: no cap may rest on the smaller one. */
function larger(known: Usdc | undefined, said: Usdc | undefined): Usdc | undefined {
  if (known === undefined || said === undefined) return known ?? said
  return said > known ? said : known
}

/** State names of a ticket are not documented: these, and whatever begins like one of them, mean that it waits no more. */
const OVER = ['match', 'seat', 'fill', 'expire', 'fail', 'cancel', 'close', 'complete', 'done', 'settle', 'reject', 'withdraw'] as const

const WAITING = ['queue', 'open', 'wait', 'pend', 'search', 'matching', 'seating'] as const
const beginsWith = (words: readonly string[], word: string) => words.some((known) => word.startsWith(known))
/** What is being matched, or seated, still waits. */
const isEnd = (word: string) => beginsWith(OVER, word) && !word.endsWith('ing')

/** A word that is not known may mean that a stake waits: only one that is known to be an end says that none does. */
export function isWaiting({ status, contestId }: Ticket): boolean {
  const word = status?.toLowerCase() ?? ''
  return typeof contestId !== 'string' && !isEnd(word)
}

/** Ends that leave the ticket without a seat: one that could not be seated may name the contest all the same. */
const UNSEATED = ['expire', 'fail', 'cancel', 'reject', 'withdraw'] as const

/** The contest that a ticket which waits no more was seated in. */
export function seatedIn({ status, contestId }: Ticket): string | undefined {
  const isUnseated = status !== undefined && beginsWith(UNSEATED, status.toLowerCase())
  return typeof contestId === 'string' && !isUnseated ? contestId : undefined
}

/** A ticket and its id, which a list may have elsewhere. */
interface ReadTicket {
  readonly ticketId: string | undefined
  readonly ticket: Ticket
}

const ofTickets = (read: readonly ReadTicket[]): SaidByAnswer => ({
  said: read.flatMap(ofTicket),
  missing: read.flatMap(({ ticket: { status } }) => (status === undefined ? [] : [status.toLowerCase()])).flatMap(unknownState)[0],
})

function unknownState(word: string): readonly CornermanError[] {
  if (isEnd(word) || beginsWith(WAITING, word)) return []
  const message = `the service calls a ticket "${word}", a word that is not known here: it counts as one that waits, with its stake. See it with \`call agent.queue.list\`, and report the word`
  return [new CornermanError('TICKET_STATE_UNKNOWN', message, { details: { state: word } })]
}

function ofTicket({ ticketId, ticket }: ReadTicket): readonly Said[] {
  if (ticketId === undefined || !isWaiting(ticket)) return []
  const waits = (known: WaitingTicket | undefined) => {
    const { mode = known?.mode, stake = known?.stake, durationSec = known?.durationSec ?? 0 } = ticket
    return { ticketId, mode, stake, durationSec }
  }
  return [{ of: 'ticket', ticketId, waits }]
}
