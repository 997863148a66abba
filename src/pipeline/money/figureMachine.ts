import { deadlineAt, type Machine, type Move, sooner } from '../state/lifecycle.ts'

/** The figures of money that the service says: what may be lost, and what there is. */
export type FigureName = 'limits' | 'bankroll'

interface Named {
  readonly figure: FigureName
  /** When it is read again, in Unix milliseconds. */
  readonly againAt: number | undefined
}

/** Nobody has said it yet. */
interface Unread extends Named {
  readonly is: 'unread'
}

/** It is being read. */
interface Asked extends Named {
  readonly is: 'asked'
  /** As it is without the answer. */
  readonly before: 'unread' | 'known' | 'old'
}

/** The service has said it, and is asked again as soon as money moves. */
interface Known extends Named {
  readonly is: 'known'
}

/** Money has moved while the stream was behind: it is read once the stream is read to its end, whatever is read until then. */
interface Old extends Named {
  readonly is: 'old'
}

export type FigureState = Unread | Asked | Known | Old

export type FigureHappening =
  /** Somebody needs it as it is now. */
  | { readonly type: 'wanted' }
  | { readonly type: 'due' }
  /** Money has moved, and the stream is behind: there may be more of that. */
  | { readonly type: 'moved' }
  /** The stream is read to its end. */
  | { readonly type: 'caughtUp' }
  /** `againAt`: when it is to be read again; where that was wanted meanwhile, no later than it was planned. */
  | { readonly type: 'answered'; readonly askedIn: number; readonly againAt: number; readonly isWanted: boolean }
  /** The read came to nothing, or is not sent yet. */
  | { readonly type: 'unread'; readonly againAt: number }

export type FigureEffect =
  | { readonly type: 'read' }
  /** It has all that was placed by the input that led to its read. */
  | { readonly type: 'seen'; readonly askedIn: number }

type FigureMove = Move<FigureState, FigureEffect>
type Told<T extends FigureHappening['type']> = Extract<FigureHappening, { readonly type: T }>

const stay = (state: FigureState): FigureMove => ({ state, effects: [] })

/** A figure that is being read already is read once more after that. */
function wanted(state: FigureState): FigureMove {
  const { is, figure, againAt } = state
  return { state: is === 'asked' ? state : { is: 'asked', figure, againAt, before: is }, effects: [{ type: 'read' }] }
}

const due = (state: FigureState): FigureMove => wanted({ ...state, againAt: undefined })
const moved = ({ figure, againAt }: FigureState): FigureMove => stay({ is: 'old', figure, againAt })

function answered({ before, figure, ...state }: Asked, { askedIn, againAt, isWanted }: Told<'answered'>): FigureMove {
  const next = { figure, againAt: isWanted ? sooner(state.againAt, againAt) : againAt }
  return { state: { is: before === 'old' ? 'old' : 'known', ...next }, effects: [{ type: 'seen', askedIn }] }
}

const unread = ({ before, figure, ...state }: Asked, { againAt }: Told<'unread'>): FigureMove =>
  stay({ is: before, figure, againAt: sooner(state.againAt, againAt) })

/** One of the service's figures of money, from when it is asked for until money moves. */
export const figureMachine: Machine<FigureState, FigureHappening, FigureEffect, unknown> = {
  name: 'figure',
  on: {
    unread: {
      wanted: { next: wanted, to: ['asked'] },
      due: { next: due, to: ['asked'] },
      moved: { next: moved, to: ['old'] },
      caughtUp: { next: stay, to: ['unread'] },
    },
    asked: {
      wanted: { next: wanted, to: ['asked'] },
      due: { next: due, to: ['asked'] },
      moved: { next: (state) => stay({ ...state, before: 'old' }), to: ['asked'] },
      caughtUp: { next: (state) => (state.before === 'old' ? wanted({ ...state, before: 'known' }) : stay(state)), to: ['asked'] },
      answered: { next: answered, to: ['known', 'old'] },
      unread: { next: unread, to: ['unread', 'known', 'old'] },
    },
    known: {
      wanted: { next: wanted, to: ['asked'] },
      due: { next: due, to: ['asked'] },
      moved: { next: moved, to: ['old'] },
      caughtUp: { next: stay, to: ['known'] },
    },
    old: {
      wanted: { next: wanted, to: ['asked'] },
      due: { next: due, to: ['asked'] },
      moved: { next: stay, to: ['old'] },
      caughtUp: { next: (state) => wanted({ ...state, is: 'known' }), to: ['asked'] },
    },
  },
  dueAt: ({ figure, againAt }) => deadlineAt(figure, againAt),
}
