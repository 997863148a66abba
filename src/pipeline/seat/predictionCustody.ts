import type { ActionOf } from '../../strategy/action.ts'
import type { Pen } from '../books/ownedBooks.ts'
import { withEntry } from '../books/withEntry.ts'
import type { Plays } from '../playable/plays.ts'
import type { Custody } from '../protocol/input.ts'
import { Lifecycle } from '../state/lifecycle.ts'
import type { Present } from '../state/present.ts'
import type { Tally } from '../tally.ts'
import {
  type ContestEnd,
  type CustodyEffect,
  type CustodyHappening,
  type CustodySeen,
  type CustodyState,
  custodyMachine,
} from './custodyMachine.ts'

interface PredictionCustodyOptions {
  readonly seen: CustodySeen
  readonly plays: Plays
  readonly tally: Tally
  /** Told that a prediction is to be shown now. */
  readonly onReveal: (contestId: string) => void
  /** A valid move was made in a contest. */
  readonly onMoved: (contestId: string) => void
}

/** Keeps predictions with their salts from before they are committed until they are revealed: a salt that is lost is a stake that is lost. */
export class PredictionCustody {
  readonly #present: Present
  readonly #write: Pen<'custody'>
  readonly #options: PredictionCustodyOptions
  readonly #held: Lifecycle<CustodyState, CustodyHappening, CustodyEffect, CustodySeen>

  constructor(present: Present, options: PredictionCustodyOptions) {
    const { seen } = options
    this.#present = present
    this.#write = present.owned.penFor('custody')
    this.#options = options
    const perform = (effect: CustodyEffect) => this.#perform(effect)
    this.#held = new Lifecycle(custodyMachine, { present, seen, show: (contestId, state) => this.#show(contestId, state), perform })
  }

  /** What an earlier run held. */
  recover(custody: readonly Custody[]): void {
    for (const { status, ...held } of custody)
      if (status !== 'missed' && status !== 'dropped') this.#held.begin(held.contestId, { ...begun(held), is: status })
  }

  /** Makes the salt and the commitment, once a contest: a second attempt commits to the same. */
  take({ contestId, price }: ActionOf<'commitPrediction'>): void {
    const { books, options } = this.#present
    const entryId = books.seats.get(contestId)?.entryId
    if (books.custody.has(contestId) || entryId === undefined) return
    const held = { contestId, entryId, price, ...options.seal(price, entryId) }
    this.#held.begin(contestId, { ...begun(held), is: 'made' }, [{ type: 'kept', custody: { ...held, status: 'made' } }])
  }

  /** Tells a prediction what happened to it, where there is one. */
  tell(contestId: string, happening: Exclude<CustodyHappening, { readonly type: 'tended' }>): void {
    this.#held.tell(contestId, happening)
  }

  /** Closes what is over, as far as it is known what became of it. */
  tend(): void {
    for (const [contestId, { end }] of this.#held.states) if (end !== undefined) this.#held.tell(contestId, { type: 'tended' })
  }

  /** How the contest of a prediction ended; undefined while it goes on, and where there is none. */
  endOf(contestId: string): ContestEnd | undefined {
    return this.#held.states.get(contestId)?.end
  }

  /** Whether the prediction in custody is sealed for the seat that the bot has: one that was given back and taken again is another. */
  isForSeat(contestId: string): boolean {
    const { custody, seats } = this.#present.books
    const held = custody.get(contestId)
    return held !== undefined && held.entryId === seats.get(contestId)?.entryId
  }

  /** Why the last reveal in a contest came to nothing; undefined where none was tried, or none failed. */
  revealTrouble(contestId: string): string | undefined {
    return this.#held.states.get(contestId)?.trouble
  }

  /** Predictions that are still to be shown after a reveal came to nothing. */
  get troubled(): readonly { readonly contestId: string; readonly reason: string }[] {
    return [...this.#held.states].flatMap(([contestId, { is, trouble }]) =>
      is === 'committed' && trouble !== undefined ? [{ contestId, reason: trouble }] : [],
    )
  }

  #show(contestId: string, state: CustodyState | undefined): void {
    if (state?.is === this.#present.books.custody.get(contestId)?.status) return
    const held = state === undefined ? undefined : { ...state.custody, status: state.is }
    this.#write({ custody: withEntry(this.#present.books.custody, contestId, held) })
  }

  #perform(effect: CustodyEffect): void {
    const { step } = this.#present
    const { plays, tally, onMoved, onReveal } = this.#options
    if (effect.type === 'note') {
      step.note(effect.level, effect.message, effect.fields)
      return
    }
    if (effect.type === 'reveal') {
      onReveal(effect.contestId)
      return
    }
    const { custody } = effect
    const { contestId, status } = custody
    if (status === 'revealed' || status === 'missed') tally[status] += 1
    step.custody.push(custody)
    if (status === 'committed') plays.cleared(contestId)
    if (status === 'revealed') onMoved(contestId)
  }
}

const begun = (custody: CustodyState['custody']): Omit<CustodyState, 'is'> => ({
  ...{ custody, trouble: undefined, end: undefined, revealAt: undefined, againAt: undefined },
})
