import type { ServiceAction } from '../../strategy/action.ts'
import type { WaitingTicket } from '../books/books.ts'
import { deadlineAt, type Machine, type Move } from '../state/lifecycle.ts'

/** A ticket that waits, and holds its stake. */
export interface TicketState {
  readonly is: 'waiting'
  readonly ticket: WaitingTicket
  /** When it is given back once more; undefined where it was not asked for, or may be again. Unix milliseconds. */
  readonly leaveAt: number | undefined
}

export type TicketHappening =
  /** It was read. */
  | { readonly type: 'learnt'; readonly ticket: WaitingTicket }
  /** It was matched, or has come to nothing. */
  | { readonly type: 'over' }
  /** The run ends, or is stopped: it is given back. */
  | { readonly type: 'windUp' }
  | { readonly type: 'due' }

/** A wish of the framework's own: it goes to the guard like any other. */
export interface TicketEffect {
  readonly type: 'propose'
  readonly action: ServiceAction
}

export interface TicketSeen {
  readonly now: number
  isUnderWay(action: ServiceAction): boolean
  /** Milliseconds until it is asked for once more where the service refuses it; undefined: it is asked for no more. */
  leaveRetryMs(ticketId: string): number | undefined
}

type TicketMove = Move<TicketState, TicketEffect>

const learnt = (state: TicketState, { ticket }: Extract<TicketHappening, { type: 'learnt' }>): TicketMove => ({
  ...{ state: { ...state, ticket }, effects: [] },
})
const over = (): TicketMove => ({ state: undefined, effects: [] })
const due = (state: TicketState): TicketMove => ({ state: { ...state, leaveAt: undefined }, effects: [] })

function windUp(state: TicketState, _: TicketHappening, { now, isUnderWay, leaveRetryMs }: TicketSeen): TicketMove {
  const { ticketId } = state.ticket
  const action: ServiceAction = { type: 'cancelTicket', ticketId }
  const retryMs = leaveRetryMs(ticketId)
  if (state.leaveAt !== undefined || retryMs === undefined || isUnderWay(action)) return { state, effects: [] }
  return { state: { ...state, leaveAt: now + retryMs }, effects: [{ type: 'propose', action }] }
}

/** A ticket from when it is known until it waits no more. */
export const ticketMachine: Machine<TicketState, TicketHappening, TicketEffect, TicketSeen> = {
  name: 'ticket',
  on: {
    waiting: {
      learnt: { next: learnt, to: ['waiting'] },
      over: { next: over, to: ['gone'] },
      windUp: { next: windUp, to: ['waiting'] },
      due: { next: due, to: ['waiting'] },
    },
  },
  dueAt: ({ ticket: { ticketId }, leaveAt }) => deadlineAt(`leave:${ticketId}`, leaveAt),
}
