import { deadlineAt, type Machine, type Move, sooner } from '../state/lifecycle.ts'

/** A ticket that waits, and a contest that does not begin, are looked up so often. */
const WAITING_MS = 300_000
/** So long after its end a contest is looked up, and again. */
const LATE_MS = 60_000
/** The event that says the same may be on its way: an end counts that a second look, so much later, shows again. */
const CONFIRM_MS = 10_000

/** A ticket or a seat, by the purpose of its looks. */
export type OpenThing = `overdueTicket:${string}` | `overdueSeat:${string}`

/** How a look shows something to be over. */
export interface SeenEnd {
  /** The word of the service, and for a contest that it does not show any more `gone`. */
  readonly status: string
  /** The contest that a ticket was seated in. */
  readonly contestId?: string | undefined
}

interface Watched {
  readonly purpose: OpenThing
  /** When it is looked up; undefined while a look is under way. Unix milliseconds, as all times here. */
  readonly dueAt: number | undefined
}

/** It is open, as far as is known. */
interface Expected extends Watched {
  readonly is: 'expected'
}

/** The last look showed an end, which no event has told of. */
interface Doubted extends Watched {
  readonly is: 'doubted'
}

export type OverdueState = Expected | Doubted

export type OverdueHappening =
  | { readonly type: 'due' }
  /** It is to be looked up at once: there is reason to doubt it. */
  | { readonly type: 'asked' }
  /** The look is not sent yet. */
  | { readonly type: 'unread'; readonly at: number }
  /** A contest begins, or its end is another one. `endsAt`: of one that is live, where it is known. */
  | { readonly type: 'changed'; readonly endsAt: number | undefined }
  /** A look was answered: with an end, or without. */
  | { readonly type: 'looked'; readonly end: SeenEnd | undefined }
  /** It is open no more: whoever told of it has it known. */
  | { readonly type: 'told' }

export type OverdueEffect =
  | { readonly type: 'look' }
  /** It is over, and nobody but two looks has said so. */
  | { readonly type: 'over'; readonly end: SeenEnd }

export interface OverdueSeen {
  readonly now: number
  /** The stream is read to its end: what cannot be read now may say it all. */
  readonly caughtUp: boolean
}

type OverdueMove = Move<OverdueState, OverdueEffect>
type Told<T extends OverdueHappening['type']> = Extract<OverdueHappening, { readonly type: T }>

const stay = (state: OverdueState): OverdueMove => ({ state, effects: [] })
const soon = (state: OverdueState, at: number): OverdueMove => stay({ ...state, dueAt: sooner(state.dueAt, at) })

const due = (state: OverdueState): OverdueMove => ({ state: { ...state, dueAt: undefined }, effects: [{ type: 'look' }] })
const asked = (state: OverdueState, _: Told<'asked'>, { now }: OverdueSeen): OverdueMove => soon(state, now)
const unread = (state: OverdueState, { at }: Told<'unread'>): OverdueMove => soon(state, at)
const told = (): OverdueMove => ({ state: undefined, effects: [] })

const changed = (state: Expected, { endsAt }: Told<'changed'>, { now }: OverdueSeen): OverdueMove =>
  stay({ ...state, dueAt: endsAt === undefined ? now + WAITING_MS : Math.max(endsAt, now) + LATE_MS })
const changedInDoubt = (state: Doubted, _: Told<'changed'>, { now }: OverdueSeen): OverdueMove =>
  stay({ ...state, dueAt: now + CONFIRM_MS })

function looked(state: OverdueState, { end }: Told<'looked'>, { now, caughtUp }: OverdueSeen): OverdueMove {
  const { purpose } = state
  if (end === undefined || !caughtUp) {
    const againMs = purpose.startsWith('overdueTicket:') ? WAITING_MS : LATE_MS
    return stay({ is: 'expected', purpose, dueAt: now + againMs })
  }
  if (state.is === 'expected') return stay({ is: 'doubted', purpose, dueAt: now + CONFIRM_MS })
  return { state: undefined, effects: [{ type: 'over', end }] }
}

/** Whether a ticket or a seat that no event has ended is over all the same. */
export const overdueMachine: Machine<OverdueState, OverdueHappening, OverdueEffect, OverdueSeen> = {
  name: 'overdue',
  on: {
    expected: {
      due: { next: due, to: ['expected'] },
      asked: { next: asked, to: ['expected'] },
      unread: { next: unread, to: ['expected'] },
      changed: { next: changed, to: ['expected'] },
      looked: { next: looked, to: ['expected', 'doubted'] },
      told: { next: told, to: ['gone'] },
    },
    doubted: {
      due: { next: due, to: ['doubted'] },
      asked: { next: asked, to: ['doubted'] },
      unread: { next: unread, to: ['doubted'] },
      changed: { next: changedInDoubt, to: ['doubted'] },
      looked: { next: looked, to: ['expected', 'gone'] },
      told: { next: told, to: ['gone'] },
    },
  },
  dueAt: ({ purpose, dueAt }) => deadlineAt(purpose, dueAt),
}

/** A ticket that has come to be known. */
export const waitingTicket = (ticketId: string, now: number): OverdueState => ({
  ...{ is: 'expected', purpose: `overdueTicket:${ticketId}`, dueAt: now + WAITING_MS },
})
/** A seat whose phase is to be told. */
export const openSeat = (contestId: string): OverdueState => ({ is: 'expected', purpose: `overdueSeat:${contestId}`, dueAt: undefined })
