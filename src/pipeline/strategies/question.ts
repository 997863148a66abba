import { readOnly } from '../../core/readOnly.ts'
import { type Action, type ActionOf, readAction } from '../../strategy/action.ts'
import type {
  DraftContext,
  DraftPicker,
  DraftTurn,
  PredictContext,
  PredictionDue,
  PredictionMode,
  Predictor,
  QueueContext,
  QueuePolicy,
  StrategyContext,
} from '../../strategy/define.ts'
import type { BotView } from '../../strategy/view.ts'
import type { Books, Seat } from '../books/books.ts'
import { contestViewOf, joinableOf } from '../books/views.ts'
import { answerInvalid } from './answerInvalid.ts'

/** One question to one strategy, and what its answer is for. */
export type Question =
  | { readonly kind: 'decide'; readonly strategy: QueuePolicy }
  | { readonly kind: 'pick'; readonly strategy: DraftPicker; readonly contestId: string }
  | {
      readonly kind: 'predict'
      readonly strategy: Predictor
      readonly contestId: string
      /** The action that waits for a side; undefined when a commitment is asked for. */
      readonly join: ActionOf<'joinContest'> | undefined
    }

/** What a question is asked with, as of this input. */
interface Known {
  readonly books: Books
  readonly state: () => BotView
}

/** The contest a question is about; a contest that is only about to be joined is none yet. */
export function contestOf(question: Question): string | undefined {
  if (question.kind === 'decide' || (question.kind === 'predict' && question.join !== undefined)) return undefined
  return question.contestId
}

/** Whether one answer does for both. Contests about to be joined are questions of their own each. */
export function isSame(one: Question, other: Question): boolean {
  if (one.strategy !== other.strategy || contestOf(one) !== contestOf(other)) return false
  return one.kind === 'decide' || other.kind === 'decide' || one.contestId === other.contestId
}

/**
 * What the strategy is asked with: the books as of this input, read-only.
 *
 * @returns undefined where there is nothing left to ask
 */
export function contextOf(
  question: Question,
  { books, state: viewed }: Known,
  tools: Omit<StrategyContext<unknown>, 'params'>,
): StrategyContext<unknown> | undefined {
  const { params } = question.strategy
  switch (question.kind) {
    case 'decide': {
      const state = viewed()
      const { limits, bankroll, tickets, contests, openContests, stats, modes } = state
      const context: QueueContext<unknown> = { ...tools, params, state, limits, bankroll, tickets, contests, openContests, stats, modes }
      return context
    }
    case 'pick': {
      const turn = draftTurnOf(books.seats.get(question.contestId))
      if (turn === undefined) return undefined
      const context: DraftContext<unknown> = { ...tools, params, ...turn }
      return context
    }
    case 'predict': {
      const contest = predictionOf(question.contestId, books)
      if (contest === undefined) return undefined
      const context: PredictContext<unknown> = { ...tools, params, contest }
      return context
    }
  }
}

/** Asks a strategy with a context of its kind. @returns what it returned, a promise perhaps */
export function ask(strategy: Question['strategy'], context: StrategyContext<unknown>): unknown {
  switch (strategy.kind) {
    case 'queue':
      return strategy.decide(context as QueueContext<unknown>)
    case 'draft':
      return strategy.pick(context as DraftContext<unknown>)
    case 'predict':
      return strategy.predict(context as PredictContext<unknown>)
  }
}

/** The pick a seat asks for; undefined where it asks for none. */
export function draftTurnOf(seat: Seat | undefined): DraftTurn | undefined {
  return seat?.turn === undefined ? undefined : { contest: contestViewOf(seat), draft: readOnly(seat.turn) }
}

/** The prediction that a seat asks for, or a contest that is about to be joined. */
export function predictionOf(contestId: string, books: Books): PredictionDue | undefined {
  const seat = books.seats.get(contestId)
  if (seat !== undefined) {
    const { startsAt, endsAt } = seat
    const durationSec = startsAt === undefined || endsAt === undefined ? seat.durationSec : (endsAt - startsAt) / 1000
    return readOnly({ ...contestViewOf(seat), mode: modeToPredict(seat.mode), durationSec })
  }
  const listed = joinableOf(books, contestId)
  return listed && readOnly({ ...listed, mode: modeToPredict(listed.mode), startsAt: undefined, endsAt: undefined, standings: undefined })
}

/** A predictor is asked in modes of its own alone (`Predictor.modes`). */
const modeToPredict = (mode: string | undefined) => mode as PredictionMode

/**
 * The actions an answer comes to; none where the strategy passes.
 *
 * @throws CornermanError `ANSWER_INVALID`, `ACTION_INVALID` or `PRICE_INVALID` for nonsense
 */
export function actionsOf(question: Question, answer: unknown): readonly Action[] {
  if (answer === null || answer === undefined) return []
  switch (question.kind) {
    case 'decide':
      if (!Array.isArray(answer)) throw answerInvalid('a list of actions', answer)
      return answer.map(readAction)
    case 'pick':
      if (typeof answer !== 'string') throw answerInvalid('a mint from draft.available', answer)
      return [{ type: 'draftPick', contestId: question.contestId, token: answer }]
    case 'predict': {
      const { side, price } = typeof answer === 'object' ? (answer as { side?: unknown; price?: unknown }) : {}
      if (question.join !== undefined) {
        if (typeof side !== 'string') throw answerInvalid("{ side: 'UP' } or { side: 'DOWN' } for up_down", answer)
        return [readAction({ ...question.join, side })]
      }
      if (typeof price !== 'string') throw answerInvalid("{ price: '187.25' } for price_prediction", answer)
      return [readAction({ type: 'commitPrediction', contestId: question.contestId, price })]
    }
  }
}
