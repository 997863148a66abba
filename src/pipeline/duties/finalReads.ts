import { meaningOf } from '../../contract/refusals.ts'
import type { Bot } from '../bot.ts'
import type { InputOf } from '../protocol/input.ts'
import { type Purpose, type PurposeOwnedBy, partsOf } from '../protocol/purpose.ts'
import type { Reads } from '../reads.ts'

/** The purpose of the read that shows how the mode of a contest ended. */
export const finalStateOf = (contestId: string) => `finalState:${contestId}` as const
const TRIES = 3

type FinalRead = PurposeOwnedBy<'finalReads'>

/**
 * Reads each contest once more when it has been settled: the scores of all seats and the prices that decided are in no
 * event, and a backtest on the recording plays against them. Nothing the bot does depends on it, so that a service that
 * does not tell is let be.
 */
export class FinalReads {
  readonly #bot: Bot
  readonly #reads: Reads
  /** Reads that are owed, and how often each was tried. */
  readonly #owed = new Map<Purpose, number>()

  constructor(bot: Bot, reads: Reads) {
    this.#bot = bot
    this.#reads = reads
  }

  get isDone(): boolean {
    return this.#owed.size === 0
  }

  onSettled(contestId: string): void {
    for (const purpose of [`finalContest:${contestId}`, finalStateOf(contestId)] as const) {
      this.#owed.set(purpose, 0)
      this.#ask(purpose)
    }
  }

  onAnswer({ request: { purpose }, result }: InputOf<'answer'>): void {
    const tries = this.#owed.get(purpose)
    if (tries === undefined) return
    // A service that says no has said all it will; one that could not be asked may yet tell.
    const isToldOff = !result.ok && result.refusal !== undefined && meaningOf(result.refusal, 'any') !== 'rate'
    if (!result.ok && !isToldOff && tries < TRIES) return
    this.#owed.delete(purpose)
    this.#bot.agenda.drop(purpose)
  }

  /** A read that failed is due again. */
  onDue(purpose: FinalRead): void {
    if (this.#owed.has(purpose)) this.#ask(purpose)
  }

  #ask(purpose: FinalRead): void {
    const { kind, about: contestId } = partsOf(purpose)
    this.#owed.set(purpose, (this.#owed.get(purpose) ?? 0) + 1)
    if (kind === 'finalContest') this.#reads.ask(purpose, 'agent.contests.get', { contestId })
    else this.#reads.ask(purpose, 'agent.modes.state', { contestId })
  }
}
