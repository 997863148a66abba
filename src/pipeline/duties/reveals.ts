import type { Intents } from '../actions/intents.ts'
import { moveShows } from '../actions/reconciliation.ts'
import type { Seat } from '../books/books.ts'
import type { Bot } from '../bot.ts'
import { isRevealable } from '../guardView.ts'
import type { InputOf } from '../protocol/input.ts'
import { type Purpose, partsOf } from '../protocol/purpose.ts'
import { type ContestEnd, MARGIN_MS } from '../seat/custodyMachine.ts'
import type { Followed } from './followed.ts'

/** Of a mode's state that does not say from when it takes reveals: its phase does, once it does. What it has said it may say otherwise. */
const STATE_POLL_MS = { untold: 2000, told: 5000 }
/** Of a contest that is not known to be live, with a prediction in it. */
const CONTEST_POLL_MS = 5000

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
  readonly #bot: Bot
  readonly #intents: Intents
  readonly #followed: Followed
  /** Contests whose mode's state was asked for since they are live. */
  readonly #askedLive = new Set<string>()

  constructor(bot: Bot, { intents, followed }: { readonly intents: Intents; readonly followed: Followed }) {
    this.#bot = bot
    this.#intents = intents
    this.#followed = followed
  }

  /** Plans the reveal of a seat, whether or not the stream can be read. */
  tend(seat: Seat): void {
    const { books, step } = this.#bot
    // What the journal holds is not yet how things stand.
    if (books.custody.size === 0 || (step.input.type === 'event' && step.input.recorded)) return
    if (seat.phase === 'live') this.#plan(seat)
    else this.#lookWhetherLive(seat)
  }

  /** From when a prediction may be shown stands in the mode's state alone: as a time, or as a phase that comes before the end. */
  readWindow({ contestId, revealFrom }: Seat): void {
    const { agenda, books, now } = this.#bot
    if (books.custody.get(contestId)?.status !== 'committed') return
    const purpose: Purpose = `state:${contestId}`
    this.#followed.follow(purpose, books.custody.size * (revealFrom === undefined ? STATE_POLL_MS.untold : STATE_POLL_MS.told))
    if (this.#askedLive.has(contestId)) return
    // What was said of an open contest may be another time now, and may be past.
    this.#askedLive.add(contestId)
    agenda.soon(purpose, now)
  }

  /** It came to nothing, or nobody knows whether it was taken, which is looked up before the next. */
  onFailed(contestId: string): void {
    if (!this.#bot.ended.has(contestId)) this.#intents.vault.tell(contestId, { type: 'heldBack' })
  }

  /** It is time. */
  onDue(contestId: string): void {
    this.#intents.vault.tell(contestId, { type: 'due' })
  }

  onContestEnded(contestId: string, how: ContestEnd): void {
    this.#askedLive.delete(contestId)
    this.#intents.vault.tell(contestId, { type: 'ended', how })
  }

  /** How the mode of a contest that is over ended: a reveal that was given up may have arrived after all. */
  onAnswer({ request: { purpose }, result }: InputOf<'answer'>): void {
    const { kind, about: contestId } = partsOf(purpose)
    const { vault } = this.#intents
    if (kind !== 'finalState' || !result.ok || vault.endOf(contestId) === undefined) return
    if (moveShows(result.output, 'revealed', this.#bot.options.paths).sight === 'shown') vault.tell(contestId, { type: 'revealed' })
  }

  /** Looks after predictions in contests that are over. */
  closeCustody({ seatsRead }: { readonly seatsRead: boolean }): void {
    const { books, ended } = this.#bot
    const { vault } = this.#intents
    // A seat that was given back: its stake is, too. By the journal alone, it may have been taken again, and its prediction be of the second one.
    for (const contestId of books.custody.keys())
      if (seatsRead && ended.has(contestId) && vault.endOf(contestId) === undefined)
        vault.tell(contestId, { type: 'ended', how: 'cancelled' })
    vault.tend()
  }

  #plan(seat: Seat): void {
    const { contestId, committed } = seat
    const { books } = this.#bot
    if (committed === true && books.custody.get(contestId)?.status === 'made') this.#intents.vault.tell(contestId, { type: 'committed' })
    if (!this.#isRevealable(contestId)) return
    const from = revealableFrom(seat)
    if (this.#intents.isUnderWay({ type: 'revealPrediction', contestId })) {
      this.#intents.postponeReveal(contestId, from === undefined ? undefined : from + MARGIN_MS)
      return
    }
    this.#intents.vault.tell(contestId, { type: 'timed', from })
  }

  /** A prediction that was committed to early has its time to be shown, whether or not an event says that its contest is live. */
  #lookWhetherLive({ contestId }: Seat): void {
    if (this.#isRevealable(contestId)) this.#followed.follow(`contest:${contestId}`, this.#bot.books.custody.size * CONTEST_POLL_MS)
  }

  #isRevealable(contestId: string): boolean {
    const { books, reservations } = this.#bot
    return isRevealable(contestId, { books, reservations })
  }
}
