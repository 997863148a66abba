import type { ExtraPaths } from '../../contract/paths.ts'
import type { ProcedureOutput } from '../../contract/procedures.ts'
import { type Books, emptyBooks } from '../books/books.ts'
import { type Answered, saidByAnswer } from '../books/foldAnswer.ts'
import { withSaid } from '../books/said.ts'
import { MARGIN_MS } from './custodyMachine.ts'
import { revealableFrom } from './reveals.ts'

/** What the service says of a contest with a prediction in it. */
export interface PredictionSaid {
  readonly contestId: string
  readonly contest: ProcedureOutput<'agent.contests.get'>
  /** Undefined where it could not be read: then the contest's end counts. */
  readonly state: ProcedureOutput<'agent.modes.state'> | undefined
  /** When that was asked for, in Unix milliseconds. */
  readonly at: number
  readonly paths: ExtraPaths
}

/**
 * From when a prediction is shown, by the rules of `Reveals`, without a bot and its books.
 *
 * @returns Unix milliseconds; undefined where the contest is not live, or does not say
 */
export function revealTimeOf({ contestId, contest, state, at, paths }: PredictionSaid): number | undefined {
  const read = (books: Books, answer: Pick<Answered, 'procedure' | 'output'>) =>
    withSaid(books, saidByAnswer(books, { ...answer, input: { contestId }, begunAt: at, now: at, paths }).said, new Set())
  const known = read(emptyBooks, { procedure: 'agent.contests.get', output: contest })
  const books = state === undefined ? known : read(known, { procedure: 'agent.modes.state', output: state })
  const seat = books.seats.get(contestId)
  const from = seat?.phase === 'live' ? revealableFrom(seat) : undefined
  return from === undefined ? undefined : from + MARGIN_MS
}
