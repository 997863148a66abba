import { type ExtraPaths, findField } from '../contract/paths.ts'
import type { ProcedureOutput, ReadName } from '../contract/procedures.ts'
import type { ActionOf, ServiceAction } from '../strategy/action.ts'
import { itemsOf } from './foldAnswer.ts'
import type { Intent } from './input.ts'

// Law 5: an action whose answer was lost is neither failed nor done until the service's own reads say so. What each
// action is looked up in, what may be seen there, and what follows from it: `VERDICTS`, and docs/recovery.md.

/** What a look at the service shows of an action that may have been sent. */
export type Sight =
  /** Its effect. */
  | 'shown'
  /** Where its effect would be, it is not. */
  | 'missing'
  /** What it is about has come to its end, so that its effect need not show any more. */
  | 'over'
  /** The read does not reach back to when it was sent. */
  | 'beyond'
  /** No answer, or one that does not say. */
  | 'silent'

/** What follows for the action. */
export type Verdict =
  /** It took effect: its money is in play, its ticket or seat is this bot's. */
  | 'done'
  /** One absence: two of them, in reads begun twice the request timeout after it was sent, and it never happened. */
  | 'absence'
  /** It did not take effect, and to send it again can do nothing but what it was to do: it may be, from now on. */
  | 'again'
  /** Nothing follows: it counts as done, and is looked up again. */
  | 'wait'

export type ServiceActionType = ServiceAction['type']

const once = { shown: 'done', missing: 'absence', over: 'absence', beyond: 'wait', silent: 'wait' } as const
/** The service takes these once and refuses them after, with the same commitment, value and salt each time. */
const repeatable = { ...once, missing: 'again' } as const

/** What follows from what is seen, for every action there is. */
export const VERDICTS: { readonly [T in ServiceActionType]: Readonly<Record<Sight, Verdict>> } = {
  enqueue: once,
  cancelTicket: once,
  createContest: once,
  joinContest: once,
  leaveContest: once,
  ready: once,
  draftPick: once,
  commitPrediction: repeatable,
  revealPrediction: repeatable,
}

/** One look. `id`: the ticket or contest it made, or the contest it joined. */
export interface Look {
  readonly sight: Sight
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
  readonly paths: ExtraPaths
}

interface Row<T extends ServiceActionType> {
  lookUp(action: ActionOf<T>): LookUp
  see(action: ActionOf<T>, output: unknown, context: LookContext): Look
}

/** Clocks of the two machines may differ by this much when a creation time is compared. */
export const SKEW_MS = 5_000
/** `agent.queue.list` shows no more (specification, part 8). */
const LISTED_TICKETS = 20

const mine = { procedure: 'agent.contests.mine', input: null } as const
const queue = { procedure: 'agent.queue.list', input: null } as const

const SILENT: Look = { sight: 'silent' }
const shownIf = (isShown: boolean): Look => ({ sight: isShown ? 'shown' : 'missing' })
const madeBy = (id: string | undefined): Look => (id === undefined ? { sight: 'missing' } : { sight: 'shown', id })

// Each row is given the answer to its own look-up, decoded already: that pairing is what the casts say.
const tickets = (output: unknown) => itemsOf(output as ProcedureOutput<'agent.queue.list'>)
const contests = (output: unknown) => itemsOf(output as ProcedureOutput<'agent.contests.mine'>)
const seatIn = (output: unknown, contestId: string) => contests(output).find((contest) => contest.contestId === contestId)

/** Whether a move shows in the mode's state, at the path where the service has it. */
function moveShows(output: unknown, field: 'committed' | 'revealed', paths: ExtraPaths): Look {
  const shown = findField(output, field, (value) => (value === undefined ? undefined : value !== null && value !== false), paths)
  return shown.found ? shownIf(shown.value) : SILENT
}

const stateOf = (action: { contestId: string }): LookUp => ({ procedure: 'agent.modes.state', input: { contestId: action.contestId } })

const rows: { readonly [T in ServiceActionType]: Row<T> } = {
  enqueue: {
    lookUp: () => queue,
    see: (action, output, { intent, claimed }) => {
      const listed = tickets(output)
      const since = intent.at - SKEW_MS
      const made = listed.find(
        (ticket) =>
          ticket.ticketId !== undefined &&
          !claimed.has(ticket.ticketId) &&
          ticket.mode === action.mode &&
          ticket.stake === action.stake &&
          ticket.durationSec === action.durationSec &&
          (ticket.createdAt ?? intent.at) >= since,
      )?.ticketId
      const reachesBack = listed.length < LISTED_TICKETS || listed.some(({ createdAt }) => createdAt !== undefined && createdAt < since)
      return made === undefined && !reachesBack ? { sight: 'beyond' } : madeBy(made)
    },
  },
  cancelTicket: {
    // By its id, since the list may have left it behind.
    lookUp: ({ ticketId }) => ({ procedure: 'agent.queue.get', input: { ticketId } }),
    see: (_action, output) => {
      const { status } = output as ProcedureOutput<'agent.queue.get'>
      return status === undefined ? SILENT : shownIf(status.toLowerCase().startsWith('cancel'))
    },
  },
  createContest: {
    lookUp: () => mine,
    see: (action, output, { claimed }) =>
      madeBy(
        contests(output).find(
          (contest) =>
            contest.contestId !== undefined &&
            !claimed.has(contest.contestId) &&
            contest.mode === action.mode &&
            contest.stake === action.stake &&
            contest.durationSec === action.durationSec,
        )?.contestId,
      ),
  },
  joinContest: {
    lookUp: () => mine,
    see: (action, output) => madeBy(seatIn(output, action.contestId)?.contestId),
  },
  leaveContest: {
    lookUp: () => mine,
    see: (action, output) => shownIf(seatIn(output, action.contestId) === undefined),
  },
  ready: {
    lookUp: ({ contestId }) => ({ procedure: 'agent.contests.get', input: { contestId } }),
    see: (action, output) => {
      const { status, you } = output as ProcedureOutput<'agent.contests.get'>
      if (status !== undefined && status !== 'open') return { sight: 'shown' }
      return you?.ready === undefined ? SILENT : shownIf(you.ready === action.ready)
    },
  },
  draftPick: {
    lookUp: stateOf,
    see: (action, output, { paths }) => {
      const picks = findField(output, 'mine', (value) => (Array.isArray(value) ? value : undefined), paths)
      return picks.found ? shownIf(JSON.stringify(picks.value).includes(action.token)) : SILENT
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
