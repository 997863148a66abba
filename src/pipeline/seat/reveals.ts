import type { Reservations } from '../../guard/index.ts'
import type { Intents } from '../actions/intents.ts'
import { moveShows } from '../actions/reconciliation.ts'
import type { Seat } from '../books/books.ts'
import { isRevealable } from '../guardView.ts'
import type { InputOf } from '../protocol/input.ts'
import { parseTaskKey } from '../protocol/taskKey.ts'
import type { Present } from '../state/present.ts'
import { type ContestEnd, MARGIN_MS } from './custodyMachine.ts'
import { isRecorded } from './seats.ts'

/**
 * When a prediction may be shown: as the mode's state says, where it does not say from the contest's end; never while commits
 * may still be open, since others would see it before they decide. Undefined while that is not known.
 */
export function revealableFrom({ revealFrom, endsAt, startsAt, commitsUntil, commitsPastEnd }: Seat): number | undefined {
  const said = revealFrom ?? (commitsPastEnd ? undefined : endsAt)
  const commitsClose = commitsUntil ?? startsAt ?? endsAt
  return said === undefined || commitsClose === undefined ? undefined : Math.max(said, commitsClose)
}

/** Shows what was committed in its time, whatever else does not work: a prediction that is not shown is a stake that is lost. */
export class Reveals {
  readonly #present: Present
  readonly #intents: Intents
  readonly #reservations: Reservations

  constructor(present: Present, { intents, reservations }: { readonly intents: Intents; readonly reservations: Reservations }) {
    this.#present = present
    this.#intents = intents
    this.#reservations = reservations
  }

  /** Plans the reveal of a seat whose contest is live, whether or not the stream can be read. */
  tend(seat: Seat): void {
    const { books } = this.#present
    if (books.custody.size === 0 || isRecorded(this.#present) || seat.phase !== 'live') return
    const { contestId, committed } = seat
    const { predictions } = this.#intents
    if (committed === true && books.custody.get(contestId)?.status === 'made') predictions.tell(contestId, { type: 'committed' })
    if (!isRevealable(contestId, { books: this.#present.books, reservations: this.#reservations })) return
    const from = revealableFrom(seat)
    if (this.#intents.isUnderWay({ type: 'revealPrediction', contestId }))
      this.#intents.postponeReveal(contestId, from === undefined ? undefined : from + MARGIN_MS)
    else predictions.tell(contestId, { type: 'timed', from })
  }

  /** It came to nothing, or nobody knows whether it was taken, which is looked up before the next. */
  onFailed(contestId: string): void {
    if (!this.#present.ended.has(contestId)) this.#intents.predictions.tell(contestId, { type: 'heldBack' })
  }

  /** It is time. */
  onDue(contestId: string): void {
    this.#intents.predictions.tell(contestId, { type: 'due' })
  }

  onContestEnded(contestId: string, how: ContestEnd): void {
    this.#intents.predictions.tell(contestId, { type: 'ended', how })
  }

  /** How the mode of a contest that is over ended: a reveal that was given up may have arrived after all. */
  onAnswer({ request: { purpose }, result }: InputOf<'answer'>): void {
    const { kind, subjectId: contestId } = parseTaskKey(purpose)
    const { predictions } = this.#intents
    if (kind !== 'finalState' || !result.ok || predictions.endOf(contestId) === undefined) return
    if (moveShows(result.output, 'revealed', this.#present.options.paths).evidence === 'present')
      predictions.tell(contestId, { type: 'revealed' })
  }

  /** Looks after predictions in contests that are over. */
  closeCustody({ seatsRead }: { readonly seatsRead: boolean }): void {
    const { books, ended } = this.#present
    const { predictions } = this.#intents
    // A seat that was given back: its stake is, too. By the journal alone, it may have been taken again, and its prediction be of the second one.
    for (const contestId of books.custody.keys())
      if (seatsRead && ended.has(contestId) && predictions.endOf(contestId) === undefined)
        predictions.tell(contestId, { type: 'ended', how: 'cancelled' })
    predictions.tend()
  }
}
