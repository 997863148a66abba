import { EMPTY, filter, type OperatorFunction, tap } from 'rxjs'
import type { Seat } from '../books/books.ts'
import { each, NOTHING } from '../flow/each.ts'
import type { Heard, Proposal, Turn } from '../flow/proposal.ts'
import type { Strategies } from './strategies.ts'

// The strategies of each kind as operators: what they are given to speak about goes in, and what they want comes out.

type Module<Due> = (strategies: Strategies) => OperatorFunction<Due, Proposal>

/** Of a kind that the bot has none of: nobody listens. */
const ignored = () => EMPTY

const isHeard = (about: Heard | Turn): about is Heard => 'type' in about

/** What was promised and comes now. */
export const lateAnswers: Module<Heard> = ({ calls, customs, traders }) =>
  each((heard) => {
    const isAnswer = heard.type === 'late' && !customs.isOfOne(heard.late) && !traders.isOfOne(heard.late)
    return isAnswer ? calls.onLate(heard.late) : NOTHING
  })

/** Custom strategies, each from its first turn on. */
export const customs: Module<Heard | Turn> = ({ customs }) =>
  customs.areNone ? ignored : each((about) => (isHeard(about) ? customs.onHeard(about) : customs.onTurn()))

/** Draft pickers, asked for a pick. */
export const pickers: Module<Seat> = ({ moves }) => each((seat) => moves.pick(seat))

/** Predictors, asked for a price to commit to. */
export const predictors: Module<Seat> = ({ moves }) => each((seat) => moves.predict(seat))

/** Traders at work: they hear of periods and prices, and what became of their swaps. */
export const tradersAtWork: Module<Heard | Turn> = ({ traders }) =>
  traders.areNone ? ignored : each((about) => (isHeard(about) ? traders.onHeard(about) : traders.onTurn()))

/** A trader for each contest whose window has opened, of which custom strategies hear first. */
export const traders: Module<Seat> = ({ customs, traders }) =>
  each(function* (seat) {
    yield* customs.open(seat)
    yield* traders.start(seat)
  })

/** Queue policies, asked one after the other. */
export const policies: Module<Turn> = ({ policies }) => each(() => policies.decide())

/** Seats that were read or changed, each once. */
export const moves = ({ moves }: Strategies): OperatorFunction<Turn, Seat> => each(({ isOfSwaps }) => (isOfSwaps ? NOTHING : moves.due()))
export const draftTurns = ({ moves }: Strategies): OperatorFunction<Seat, Seat> => filter((seat) => moves.isDraftTurn(seat))
export const duePredictions = ({ moves }: Strategies): OperatorFunction<Seat, Seat> => filter((seat) => moves.isPredictionDue(seat))
/** Contests that are played by swaps and in which nobody trades yet. */
export const openedContests = ({ customs, traders }: Strategies): OperatorFunction<Turn, Seat> =>
  traders.areNone && customs.areNone ? ignored : each(() => (traders.areNone && !customs.hear('contest$') ? NOTHING : traders.opened))
export const policyTurns = ({ policies }: Strategies): OperatorFunction<Turn, Turn> => filter(() => policies.areDue())

/** Puts each proposal before the guard, in its place: what it approves is an order of the step. */
export const guarded = ({ entrance }: Strategies): OperatorFunction<Proposal, Proposal> => tap((proposal) => entrance.enter(proposal))
