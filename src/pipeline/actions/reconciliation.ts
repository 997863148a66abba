import { type ExtraPaths, findField, idOf } from '../../contract/paths.ts'
import type { ProcedureOutput, ReadName } from '../../contract/procedures.ts'
import type { Contest, Ticket } from '../../contract/records.ts'
import { SKEW_MS } from '../../core/skew.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { ActionOf, ServiceAction } from '../../strategy/action.ts'
import { itemsOf } from '../books/foldAnswer.ts'
import type { Intent } from '../protocol/input.ts'

// Law 5: an action whose answer was lost is neither failed nor done until the service's own reads say so. What each
// action is looked up in, what may be seen there, and what follows from it: `CONCLUSIONS`, and docs/recovery.md.

/** What a look at the service shows of an action that may have been sent. */
export type Evidence =
  /** Its effect. */
  | 'present'
  /** Where its effect would be, it is not. */
  | 'missing'
  /** What it is about has come to its end, so that its effect need not show any more. */
  | 'over'
  /** The read does not reach back to when it was sent. */
  | 'outOfRange'
  /** An answer that does not say. */
  | 'inconclusive'
  /** No answer. */
  | 'unanswered'

/** What follows for the action. */
export type Conclusion =
  /** It took effect: its money is in play, its ticket or seat is this bot's. */
  | 'done'
  /** One absence: two of them, in reads begun twice the request timeout after it was sent, and it never happened. */
  | 'absence'
  /** It did not take effect, and to send it again can do nothing but what it was to do: it may be, from now on. */
  | 'again'
  /** Nothing follows: it counts as done, and is looked up again. */
  | 'wait'

export type ServiceActionType = ServiceAction['type']

const once = { present: 'done', missing: 'absence', over: 'absence', outOfRange: 'wait', inconclusive: 'wait', unanswered: 'wait' } as const
/**
 * The service takes these once and refuses them after: a turn of a draft has one pick, and a prediction is sent with the same commitment,
 * value and salt each time. A seat that is ready can be readied.
 */
const repeatable = { ...once, missing: 'again' } as const
/** A reveal that was taken and is refused the second time costs nothing; one that was not taken, and is not sent again, the stake. */
const reveal = { ...repeatable, inconclusive: 'again' } as const

/** What follows from what is seen, for every action there is. */
export const CONCLUSIONS: { readonly [T in ServiceActionType]: Readonly<Record<Evidence, Conclusion>> } = {
  enqueue: once,
  cancelTicket: once,
  createContest: once,
  joinContest: once,
  leaveContest: once,
  ready: repeatable,
  draftPick: repeatable,
  commitPrediction: repeatable,
  revealPrediction: reveal,
}

/** One look. `id`: the ticket or contest it made, or the contest it joined. */
export interface Look {
  readonly evidence: Evidence
  readonly id?: string
}

export interface LookUp {
  readonly procedure: ReadName
  readonly input: unknown
}

export interface LookContext {
  readonly intent: Intent
  /** Ids of tickets and contests that other intents of this bot account for. */
  readonly claimed: ReadonlySet<string>
  /** Terms of this bot's tickets that wait, or may: one can have led to a contest that the stream has not told of yet. */
  readonly queued: Iterable<SaidTerms>
  /** The service has taken it, and no other entry of this bot is in doubt: the one row that may be what it made is that. */
  readonly isCertain?: boolean | undefined
  readonly paths: ExtraPaths
}

interface Row<T extends ServiceActionType> {
  lookUp(action: ActionOf<T>): LookUp
  see(action: ActionOf<T>, output: unknown, context: LookContext): Look
}

/** `agent.queue.list` shows no more (specification, part 8). */
const LISTED_TICKETS = 20

const mine = { procedure: 'agent.contests.mine', input: null } as const
const queue = { procedure: 'agent.queue.list', input: null } as const

const INCONCLUSIVE: Look = { evidence: 'inconclusive' }
/** Whether a list says that it goes on: what it does not show may stand on the next page. */
const goesOn = (output: unknown): boolean => {
  const { nextCursor } = output as { readonly nextCursor?: unknown }
  return nextCursor !== undefined && nextCursor !== null && nextCursor !== ''
}
const shownIf = (isShown: boolean): Look => ({ evidence: isShown ? 'present' : 'missing' })

// Each row is given the answer to its own look-up, decoded already: that pairing is what the casts say.
const tickets = (output: unknown) => itemsOf(output as ProcedureOutput<'agent.queue.list'>)
const contests = (output: unknown) => itemsOf(output as ProcedureOutput<'agent.contests.mine'>)

/** What a list shows of the one seat; a list of what cannot be told apart shows nothing. */
export function seatShows(
  output: unknown,
  contestId: string,
  { paths, whenThere }: { paths: ExtraPaths; whenThere: 'present' | 'missing' },
): Look {
  const ids = contests(output).map((contest) => idOf(contest, 'contestId', paths))
  if (ids.includes(contestId)) return { evidence: whenThere, id: contestId }
  return goesOn(output) || ids.includes(undefined) ? INCONCLUSIVE : { evidence: whenThere === 'present' ? 'missing' : 'present' }
}

const TERMS = ['mode', 'stake', 'durationSec'] as const

/** What an entry of these terms made, among what a list shows. One that may be it, and does not say enough, leaves it open. */
function madeAmong<T extends Ticket | Contest>(
  listed: readonly T[],
  {
    action,
    claimed,
    isCertain = false,
    idIn,
  }: Pick<LookContext, 'claimed' | 'isCertain'> & { action: Terms; idIn: (row: T) => string | undefined },
): Look {
  const mayBe: (string | undefined)[] = []
  for (const row of listed) {
    const id = idIn(row)
    if (id !== undefined && claimed.has(id)) continue
    if (!mayHave(row, action)) continue
    if (id !== undefined && TERMS.every((term) => row[term] !== undefined)) return { evidence: 'present', id }
    mayBe.push(id)
  }
  const [only, ...others] = mayBe
  if (isCertain && only !== undefined && others.length === 0) return { evidence: 'present', id: only }
  return mayBe.length > 0 ? INCONCLUSIVE : { evidence: 'missing' }
}

/** Terms as far as they are said. */
export interface SaidTerms {
  readonly mode?: string | undefined
  readonly stake?: Usdc | undefined
  readonly durationSec?: number | undefined
}
type Terms = Pick<ActionOf<'enqueue' | 'createContest'>, (typeof TERMS)[number]>

/** Whether nothing that is said contradicts these terms. */
const mayHave = (said: SaidTerms, terms: Terms): boolean => TERMS.every((term) => said[term] === undefined || said[term] === terms[term])

/** Whether a move shows in the mode's state, at the path where the service has it. */
export function moveShows(output: unknown, field: 'committed' | 'revealed', paths: ExtraPaths): Look {
  const shown = findField(output, field, (value) => (value === undefined ? undefined : value !== null && value !== false), paths)
  return shown.found ? shownIf(shown.value) : INCONCLUSIVE
}

const stateOf = (action: { contestId: string }): LookUp => ({ procedure: 'agent.modes.state', input: { contestId: action.contestId } })

const rows: { readonly [T in ServiceActionType]: Row<T> } = {
  enqueue: {
    lookUp: () => queue,
    see: (action, output, { intent, claimed, isCertain, paths }) => {
      const listed = tickets(output)
      const since = intent.at - SKEW_MS
      const recent = listed.filter(({ createdAt }) => (createdAt ?? intent.at) >= since)
      const look = madeAmong(recent, { action, claimed, isCertain, idIn: (ticket) => idOf(ticket, 'ticketId', paths) })
      const reachesBack = (listed.length < LISTED_TICKETS && !goesOn(output)) || recent.length < listed.length
      return look.evidence === 'missing' && !reachesBack ? { evidence: 'outOfRange' } : look
    },
  },
  cancelTicket: {
    // By its id, since the list may have left it behind.
    lookUp: ({ ticketId }) => ({ procedure: 'agent.queue.get', input: { ticketId } }),
    see: (_action, output) => {
      const { status } = output as ProcedureOutput<'agent.queue.get'>
      return status === undefined ? INCONCLUSIVE : shownIf(status.toLowerCase().startsWith('cancel'))
    },
  },
  createContest: {
    lookUp: () => mine,
    see: (action, output, { claimed, queued, paths }) => {
      const look = madeAmong(contests(output), { action, claimed, idIn: (contest) => idOf(contest, 'contestId', paths) })
      if (look.evidence === 'present' && [...queued].some((ticket) => mayHave(ticket, action))) return INCONCLUSIVE
      return look.evidence === 'missing' && goesOn(output) ? INCONCLUSIVE : look
    },
  },
  joinContest: {
    lookUp: () => mine,
    see: ({ contestId }, output, { paths }) => seatShows(output, contestId, { paths, whenThere: 'present' }),
  },
  leaveContest: {
    lookUp: () => mine,
    see: ({ contestId }, output, { paths }) => seatShows(output, contestId, { paths, whenThere: 'missing' }),
  },
  ready: {
    lookUp: ({ contestId }) => ({ procedure: 'agent.contests.get', input: { contestId } }),
    see: (action, output) => {
      const { status, you } = output as ProcedureOutput<'agent.contests.get'>
      if (status !== undefined && status !== 'open') return { evidence: 'present' }
      return you?.ready === undefined ? INCONCLUSIVE : shownIf(you.ready === action.ready)
    },
  },
  draftPick: {
    lookUp: stateOf,
    see: (action, output, { paths }) => {
      const picks = findField(output, 'mine', (value) => (Array.isArray(value) ? value : undefined), paths)
      return picks.found ? shownIf(JSON.stringify(picks.value).includes(action.token)) : INCONCLUSIVE
    },
  },
  commitPrediction: { lookUp: stateOf, see: (_action, output, { paths }) => moveShows(output, 'committed', paths) },
  revealPrediction: { lookUp: stateOf, see: (_action, output, { paths }) => moveShows(output, 'revealed', paths) },
}

const rowOf = (action: ServiceAction) => rows[action.type] as Row<ServiceActionType>

/** The read that shows whether the action took effect. */
export const lookUpOf = (action: ServiceAction): LookUp => rowOf(action).lookUp(action)

/** What the answer to that read shows. */
export const lookAt = (output: unknown, action: ServiceAction, context: LookContext): Look => rowOf(action).see(action, output, context)
