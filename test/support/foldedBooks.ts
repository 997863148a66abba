import type { Books, Seat } from '../../src/pipeline/books/books.ts'
import { type Accepted, saidByAction } from '../../src/pipeline/books/foldAccepted.ts'
import { type Answered, saidByAnswer } from '../../src/pipeline/books/foldAnswer.ts'
import { type Ended, saidOfSeat, withSaid } from '../../src/pipeline/books/said.ts'

// The books after one thing that was said, without a bot.

export const withSeat = (books: Books, contestId: string, change: Partial<Seat>, ended: Ended = new Set()): Books =>
  withSaid(books, [saidOfSeat(contestId, change)], ended)

export function foldAnswer(books: Books, answer: Answered, ended: Ended) {
  const { said, openContests = books.openContests, missing } = saidByAnswer(books, answer)
  const after = withSaid(books, said, ended)
  return { books: openContests === after.openContests ? after : { ...after, openContests }, missing }
}

export const foldAccepted = (books: Books, accepted: Accepted, ended: Ended): Books =>
  withSaid(books, saidByAction(books, accepted, ended), ended)
