import type { CustomStreams, DraftPicker, Predictor, Strategy } from '../../strategy/define.ts'
import type { Intents } from '../actions/intents.ts'
import type { Seat } from '../books/books.ts'
import type { Proposal } from '../flow/proposal.ts'
import type { Plays } from '../playable/plays.ts'
import type { Present } from '../state/present.ts'
import type { Calls } from './calls.ts'
import type { Customs } from './customs.ts'
import { draftTurnOf, predictionOf } from './question.ts'

interface MovesOptions {
  readonly present: Present
  readonly strategies: readonly Strategy[]
  readonly plays: Plays
  readonly calls: Calls
  readonly customs: Customs
  readonly intents: Intents
}

/** The bot's pickers and predictors, and the moves that its seats ask for. A custom strategy that listens has the first word. */
export class Moves {
  readonly #present: Present
  readonly #plays: Plays
  readonly #calls: Calls
  readonly #customs: Customs
  readonly #intents: Intents
  readonly #pickers: readonly DraftPicker[]
  readonly #predictors: readonly Predictor[]
  readonly #asked = new WeakSet<Seat>()

  constructor({ present, strategies, plays, calls, customs, intents }: MovesOptions) {
    this.#present = present
    this.#plays = plays
    this.#calls = calls
    this.#customs = customs
    this.#intents = intents
    this.#pickers = strategies.filter((strategy) => strategy.kind === 'draft')
    this.#predictors = strategies.filter((strategy) => strategy.kind === 'predict')
  }

  /** Seats that were read or changed since they were looked at last, each once, so that a strategy that passes is asked again only then. */
  *due(): Generator<Seat> {
    const { books } = this.#present
    if (!books.caughtUp) return
    for (const seat of books.seats.values()) {
      if (this.#asked.has(seat)) continue
      this.#asked.add(seat)
      yield seat
    }
  }

  /** Whose turn it is to pick. */
  isDraftTurn({ turn, contestId, isTooLate }: Seat): boolean {
    return turn !== undefined && !isTooLate && !this.#intents.isUnderWay({ type: 'draftPick', contestId, token: '' })
  }

  *pick(seat: Seat): Generator<Proposal> {
    this.#plays.due(seat.contestId, seat.picksHeld)
    const turn = draftTurnOf(seat)
    if (turn !== undefined) yield* this.#tell(seat, 'draftTurn$', turn)
    const [strategy] = this.#pickers
    if (strategy !== undefined && this.isDraftTurn(seat)) yield* this.#calls.call({ kind: 'pick', strategy, contestId: seat.contestId })
  }

  /** Whether a commitment may be made now, and none is under way. */
  isPredictionDue({ commitBy, committed, contestId, entryId }: Seat): boolean {
    const mayCommit = commitBy !== undefined && this.#present.now < commitBy && committed !== true && entryId !== undefined
    return mayCommit && !this.#intents.isUnderWay({ type: 'commitPrediction', contestId, price: '' })
  }

  /** What is held already is committed to again; else it is for strategies to say. */
  *predict(seat: Seat): Generator<Proposal> {
    const { contestId, mode } = seat
    const held = this.#present.books.custody.get(contestId)
    if (held !== undefined && !(held.status === 'made' && !this.#intents.predictions.isForSeat(contestId))) {
      // Made before a stop or a refusal: commit to the same price with the same salt.
      if (held.status === 'made') this.#intents.submit({ type: 'commitPrediction', contestId, price: held.price }, 'framework')
      return
    }
    // It was never taken, and would be of no use: its commitment is to another entry.
    if (held !== undefined) this.#intents.predictions.tell(contestId, { type: 'dropped' })
    this.#plays.due(contestId)
    const due = predictionOf(contestId, this.#present.books)
    if (due !== undefined) yield* this.#tell(seat, 'predictionDue$', due)
    const strategy = this.predictorFor(mode)
    if (strategy !== undefined && this.isPredictionDue(seat))
      yield* this.#calls.call({ kind: 'predict', strategy, contestId, join: undefined })
  }

  /** A custom strategy that listens is asked for its move, like one of the kind. */
  #tell<K extends 'draftTurn$' | 'predictionDue$'>({ contestId }: Seat, stream: K, told: CustomStreams[K]): Iterable<Proposal> {
    if (this.#customs.hear(stream)) this.#plays.asked(contestId, { awaitsAnswer: false })
    return this.#customs.tell(stream, () => told)
  }

  predictorFor(mode: string | undefined): Predictor | undefined {
    return mode === undefined ? undefined : this.#predictors.find(({ modes }) => modes.includes(mode))
  }
}
