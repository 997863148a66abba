import { type ExtraPaths, findField } from '../contract/paths.ts'
import type { ProcedureOutput, ReadName } from '../contract/procedures.ts'
import type { ActionOf, ServiceAction } from '../strategy/action.ts'
import { itemsOf } from './foldAnswer.ts'
import type { Intent } from './input.ts'

// Law 5: an action whose answer was lost is neither failed nor done until the service's own reads
// say so. One row an action: the read that shows it, and what to look for there.

/**
 * What a read says of an action that may have been sent; undefined when it says nothing either way.
 * `id`: the ticket or contest it made, or the contest it joined.
 */
export type Evidence = { readonly happened: boolean; readonly id?: string } | undefined

export interface LookUp {
  readonly procedure: ReadName
  readonly input: unknown
}

type ServiceActionType = ServiceAction['type']

interface Row<T extends ServiceActionType> {
  lookUp(action: ActionOf<T>): LookUp
  read(action: ActionOf<T>, output: unknown, context: EvidenceContext): Evidence
}

export interface EvidenceContext {
  readonly intent: Intent
  /** Ids of tickets and contests that other intents of this bot account for. */
  readonly claimed: ReadonlySet<string>
  readonly paths: ExtraPaths
}

/** Clocks of the two machines may differ by this much when a creation time is compared. */
export const SKEW_MS = 5_000

const mine = { procedure: 'agent.contests.mine', input: null } as const
const queue = { procedure: 'agent.queue.list', input: null } as const

const happenedIf = (happened: boolean): Evidence => ({ happened })
const madeBy = (id: string | undefined): Evidence => (id === undefined ? { happened: false } : { happened: true, id })

// Each row is given the answer to its own look-up, decoded already: that pairing is what the casts say.
const tickets = (output: unknown) => itemsOf(output as ProcedureOutput<'agent.queue.list'>)
const contests = (output: unknown) => itemsOf(output as ProcedureOutput<'agent.contests.mine'>)
const seatIn = (output: unknown, contestId: string) => contests(output).find((contest) => contest.contestId === contestId)

/** Whether a move shows in the mode's state, at the path where the service has it. */
function moveShows(output: unknown, field: 'committed' | 'revealed', paths: ExtraPaths): Evidence {
  const shown = findField(output, field, (value) => (value === undefined ? undefined : value !== null && value !== false), paths)
  return shown.found ? happenedIf(shown.value) : undefined
}

const stateOf = (action: { contestId: string }): LookUp => ({ procedure: 'agent.modes.state', input: { contestId: action.contestId } })

const rows: { readonly [T in ServiceActionType]: Row<T> } = {
  enqueue: {
    lookUp: () => queue,
    read: (action, output, { intent, claimed }) =>
      madeBy(
        tickets(output).find(
          (ticket) =>
            ticket.ticketId !== undefined &&
            !claimed.has(ticket.ticketId) &&
            ticket.mode === action.mode &&
            ticket.stake === action.stake &&
            ticket.durationSec === action.durationSec &&
            (ticket.createdAt ?? intent.at) >= intent.at - SKEW_MS,
        )?.ticketId,
      ),
  },
  createContest: {
    lookUp: () => mine,
    read: (action, output, { claimed }) =>
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
    read: (action, output) => madeBy(seatIn(output, action.contestId)?.contestId),
  },
  leaveContest: {
    lookUp: () => mine,
    read: (action, output) => happenedIf(seatIn(output, action.contestId) === undefined),
  },
  cancelTicket: {
    lookUp: () => queue,
    read: (action, output) => {
      const ticket = tickets(output).find((item) => item.ticketId === action.ticketId)
      return ticket === undefined ? undefined : happenedIf(ticket.status?.toLowerCase().startsWith('cancel') === true)
    },
  },
  ready: {
    lookUp: ({ contestId }) => ({ procedure: 'agent.contests.get', input: { contestId } }),
    read: (action, output) => {
      const { status, you } = output as ProcedureOutput<'agent.contests.get'>
      if (status !== undefined && status !== 'open') return { happened: true }
      return you?.ready === undefined ? undefined : happenedIf(you.ready === action.ready)
    },
  },
  draftPick: {
    lookUp: stateOf,
    read: (action, output, { paths }) => {
      const picks = findField(output, 'mine', (value) => (Array.isArray(value) ? value : undefined), paths)
      return picks.found ? happenedIf(JSON.stringify(picks.value).includes(action.token)) : undefined
    },
  },
  commitPrediction: { lookUp: stateOf, read: (_action, output, { paths }) => moveShows(output, 'committed', paths) },
  revealPrediction: { lookUp: stateOf, read: (_action, output, { paths }) => moveShows(output, 'revealed', paths) },
}

const rowOf = (action: ServiceAction) => rows[action.type] as Row<ServiceActionType>

/** The read that shows whether the action took effect. */
export const lookUpOf = (action: ServiceAction): LookUp => rowOf(action).lookUp(action)

/** What the answer to that read says. */
export const evidenceOf = (output: unknown, action: ServiceAction, context: EvidenceContext): Evidence =>
  rowOf(action).read(action, output, context)
