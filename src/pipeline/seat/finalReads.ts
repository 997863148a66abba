import { meaningOf } from '../../contract/refusals.ts'
import type { InputOf } from '../protocol/input.ts'
import { parseTaskKey, type TaskKeyOf } from '../protocol/taskKey.ts'
import type { AnsweredRead, Reads } from '../reads.ts'
import { Lifecycle } from '../state/lifecycle.ts'
import type { Present } from '../state/present.ts'
import {
  type FinalRead,
  type FinalReadEffect,
  type FinalReadHappening,
  type FinalReadState,
  finalReadMachine,
  owed,
} from './finalReadMachine.ts'

/** The purpose of the read that shows how the mode of a contest ended. */
export const finalStateOf = (contestId: string) => `finalState:${contestId}` as const

/**
 * Reads each contest once more when it has been settled: the scores of all seats and the prices that decided are in no
 * event, and a backtest on the recording plays against them. Nothing the bot does depends on it, so that a service that
 * does not tell is let be.
 */
export class FinalReads {
  readonly #reads: Reads
  readonly #owed: Lifecycle<FinalReadState, FinalReadHappening, FinalReadEffect, undefined>

  constructor(present: Present, reads: Reads) {
    this.#reads = reads
    this.#owed = new Lifecycle(finalReadMachine, { present, seen: undefined, perform: (_, { purpose }) => this.#read(purpose) })
  }

  get isDone(): boolean {
    return this.#owed.states.size === 0
  }

  onSettled(contestId: string): void {
    for (const purpose of [`finalContest:${contestId}`, finalStateOf(contestId)] as const)
      this.#owed.begin(purpose, owed(purpose), [{ type: 'read' }])
  }

  onAnswer({ request: { purpose }, result }: InputOf<'answer'>, { againAt }: AnsweredRead): void {
    // A service that says no has said all it will; one that could not be asked may yet tell.
    const isToldOff = !result.ok && result.refusal !== undefined && meaningOf(result.refusal, 'any') !== 'rate'
    this.#owed.tell(purpose, { type: 'answered', againAt: result.ok || isToldOff ? undefined : againAt })
  }

  /** A read that failed is due again. */
  onDue(purpose: TaskKeyOf<'finalReads'>): void {
    this.#owed.tell(purpose, { type: 'due' })
  }

  #read(purpose: FinalRead): void {
    const { kind, subjectId: contestId } = parseTaskKey(purpose)
    const at =
      kind === 'finalContest'
        ? this.#reads.ask(purpose, 'agent.contests.get', { contestId })
        : this.#reads.ask(purpose, 'agent.modes.state', { contestId })
    if (at !== undefined) this.#owed.tell(purpose, { type: 'unread', at })
  }
}
