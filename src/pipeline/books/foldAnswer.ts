import { type ExtraPaths, findField, idOf, idText } from '../../contract/paths.ts'
import type { ProcedureInput, ProcedureOutput, ReadName } from '../../contract/procedures.ts'
import type { Contest, Ticket } from '../../contract/records.ts'
import { CornermanError } from '../../core/error.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { Books, Seat } from './books.ts'
import { type Ended, seatsOf, toLive, withSeat } from './foldEvent.ts'
import { readModeState } from './modeState.ts'
import { openContestOf } from './views.ts'

/** A read that was answered, in the form the fold needs it. */
export interface Answered<N extends ReadName = ReadName> {
  readonly procedure: N
  readonly input: unknown
  readonly output: ProcedureOutput<N>
  readonly begunAt: number
  readonly now: number
  readonly paths: ExtraPaths
}

export interface FoldedAnswer {
  readonly books: Books
  /** A field that the bot needs and the answer does not have, or has in words that are not known. */
  readonly missing?: CornermanError | undefined
}

type Folds = { readonly [N in ReadName]?: (books: Books, answer: Answered<N>, ended: Ended) => FoldedAnswer }

/** How each read changes tickets and seats; a read that is not listed changes nothing of them. */
const folds: Folds = {
  'agent.contests.list': (books, { output, begunAt, paths }) => {
    const value = itemsOf(output).flatMap((contest) => {
      const open = openContestOf(contest, paths)
      return open === undefined || books.seats.has(open.contestId) ? [] : [open]
    })
    return { books: { ...books, openContests: { value, begunAt } } }
  },
  'agent.contests.mine': (books, { output, paths }, ended) => ({
    books: itemsOf(output).reduce((after, contest) => {
      const contestId = idOf(contest, 'contestId', paths)
      return contestId === undefined ? after : withContest(after, { contestId, contest, paths }, ended)
    }, books),
  }),
  // A list may leave out what the contest itself has. It is the one that was asked for, whatever it calls itself.
  'agent.contests.get': (books, { input, output, begunAt, paths }, ended) => {
    const { contestId } = input as ProcedureInput<'agent.contests.get'>
    return { books: withContest(books, { contestId, contest: output, paths, readFrom: begunAt }, ended) }
  },
  'agent.queue.list': (books, { output, paths }, ended) => {
    const tickets = itemsOf(output).map((ticket) => ({ ticketId: idOf(ticket, 'ticketId', paths), ticket }))
    return withTickets(books, tickets, ended)
  },
  'agent.queue.get': (books, { input, output: ticket }, ended) => {
    const { ticketId } = input as ProcedureInput<'agent.queue.get'>
    return withTickets(books, [{ ticketId, ticket }], ended)
  },
  'agent.modes.state': (books, { input, output, begunAt, now, paths }, ended) => {
    const { contestId } = input as ProcedureInput<'agent.modes.state'>
    const seat = books.seats.get(contestId)
    // What was asked before our last move was taken may show the state before it.
    if (seat === undefined || begunAt <= seat.movedAt) return { books }
    // What the service has taken it need not show.
    const custody = books.custody.get(contestId)?.status
    const isCommitted = custody === 'committed' || custody === 'revealed'
    const { change, missing } = readModeState(output, isCommitted ? { ...seat, committed: true } : seat, now, paths)
    return { books: withSeat(books, contestId, change, ended), missing }
  },
}

/** Tickets, seats and what is open, after the answer to a read. */
export function foldAnswer(books: Books, answer: Answered, ended: Ended): FoldedAnswer {
  const fold = folds[answer.procedure] as ((books: Books, answer: Answered, ended: Ended) => FoldedAnswer) | undefined
  return fold === undefined ? { books } : fold(books, answer, ended)
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

function withContest(
  books: Books,
  { contestId, contest, paths, readFrom }: { contestId: string; contest: Contest; paths: ExtraPaths; readFrom?: number },
  ended: Ended,
): Books {
  // Only the event ends a contest, since it carries the money: a read neither ends one nor adopts an ended one.
  if (contest.status === 'settled' || contest.status === 'cancelled') return books
  const known = books.seats.get(contestId)
  const find = (field: 'entryId' | 'token') => {
    const found = findField(contest, field, idText, paths)
    return found.found ? found.value : undefined
  }
  const entryId = find('entryId') ?? known?.entryId
  const change: Partial<Seat> = {
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
  return withSeat(books, contestId, change, ended)
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

function withTickets(books: Books, tickets: readonly ReadTicket[], ended: Ended): FoldedAnswer {
  return {
    books: tickets.reduce((after, read) => withTicket(after, read, ended), books),
    missing: tickets.flatMap(({ ticket: { status } }) => (status === undefined ? [] : [status.toLowerCase()])).flatMap(unknownState)[0],
  }
}

function unknownState(word: string): readonly CornermanError[] {
  if (isEnd(word) || beginsWith(WAITING, word)) return []
  const message = `the service calls a ticket "${word}", a word that is not known here: it counts as one that waits, with its stake. See it with \`call agent.queue.list\`, and report the word`
  return [new CornermanError('TICKET_STATE_UNKNOWN', message, { details: { state: word } })]
}

function withTicket(books: Books, { ticketId, ticket }: ReadTicket, ended: Ended): Books {
  if (ticketId === undefined || !isWaiting(ticket) || ended.has(ticketId)) return books
  const known = books.tickets.get(ticketId)
  const { mode = known?.mode, stake = known?.stake, durationSec = known?.durationSec ?? 0 } = ticket
  return { ...books, tickets: new Map(books.tickets).set(ticketId, { ticketId, mode, stake, durationSec }) }
}
