import type { ProcedureInput, ReadName } from '../contract/procedures.ts'
import { saysNo } from '../contract/refusals.ts'
import { backoffMs } from '../core/backoff.ts'
import type { IncompleteAnswers } from './answers/incompleteAnswers.ts'
import type { Strays } from './answers/strays.ts'
import type { InputOf } from './protocol/input.ts'
import { parseTaskKey, plansItself, type TaskKey } from './protocol/taskKey.ts'
import type { Present } from './state/present.ts'

/** After a failure, and after the same failure again and again. */
const RETRY = { firstMs: 1000, longestMs: 15_000 }
/** Things that cannot be read: more at once, the oldest is forgotten. */
const REMEMBERED = 1000
/** However long the service asks for: its limit is of a minute, and what it said of a longer time may not hold any more. */
const LONGEST_WAIT_MS = 60_000
/** The same of what a move may hang on. The key as a whole waits as the service says all the same. */
const LONGEST_WAIT_FOR_STATE_MS = 2000

interface UnderWay {
  /** The number of the input that led to it. */
  readonly askedIn: number
  /** It was asked for once more meanwhile. */
  isWantedAgain: boolean
}

/** What an answer says beside its result. */
export interface AnsweredRead {
  /** The number of the input that led to the read; undefined of one that this run has not asked for. */
  readonly askedIn: number | undefined
  /** When the same read is due again: at once if it was asked for meanwhile, later after a failure. */
  readonly againAt: number | undefined
}

/** The service reads of one bot: one of a purpose at a time, again after a failure. */
export class Reads {
  readonly #present: Present
  readonly #strays: Strays
  readonly #incomplete: IncompleteAnswers
  readonly #underWay = new Map<TaskKey, UnderWay>()
  /** By purpose, failures in a row, and since when. */
  readonly #failing = new Map<TaskKey, { readonly failures: number; readonly since: number }>()

  constructor(present: Present, { strays, incomplete }: { readonly strays: Strays; readonly incomplete: IncompleteAnswers }) {
    this.#present = present
    this.#strays = strays
    this.#incomplete = incomplete
  }

  isUnderWay(purpose: TaskKey): boolean {
    return this.#underWay.has(purpose)
  }

  /** The number of the input that led to the read under way; undefined where there is none. */
  askedIn(purpose: TaskKey): number | undefined {
    return this.#underWay.get(purpose)?.askedIn
  }

  /** @returns when it is due again, where it has to wait */
  ask<N extends ReadName>(purpose: TaskKey, procedure: N, input: ProcedureInput<N>): number | undefined {
    const underWay = this.#underWay.get(purpose)
    if (underWay !== undefined) {
      // One that this very input has led to is sent after all that it leads to.
      if (underWay.askedIn !== this.#present.n) underWay.isWantedAgain = true
      return undefined
    }
    const pausedUntil = this.#strays.pausedUntil({ procedure, input })
    if (pausedUntil !== undefined) {
      this.#plan(purpose, pausedUntil)
      return pausedUntil
    }
    this.#underWay.set(purpose, { askedIn: this.#present.n, isWantedAgain: false })
    this.#present.step.reads.push({ purpose, procedure, input })
    return undefined
  }

  /** Takes note of an answer, and plans a read that nobody else does. */
  answered(answer: InputOf<'answer'>): AnsweredRead {
    const answered = this.#answered(answer)
    if (answered.againAt !== undefined) this.#plan(answer.request.purpose, answered.againAt)
    return answered
  }

  /** Lifecycles plan their own. */
  #plan(purpose: TaskKey, at: number): void {
    if (!plansItself(purpose)) this.#present.deadlines.soon(purpose, at)
  }

  #answered({ request, result }: InputOf<'answer'>): AnsweredRead {
    const { askedIn, isWantedAgain = false } = this.#underWay.get(request.purpose) ?? {}
    this.#underWay.delete(request.purpose)
    const { now, step } = this.#present
    if (result.ok) {
      this.#onReadable(request)
      this.#incomplete.isWhole(request.procedure)
      return { askedIn, againAt: isWantedAgain ? now : undefined }
    }
    // That its answer was about something else was said when it began.
    const pausedUntil = this.#strays.pausedUntil(request)
    if (pausedUntil !== undefined) return { askedIn, againAt: pausedUntil }
    // A mode may have no state before its contest is live.
    const isEarly = parseTaskKey(request.purpose).kind === 'early'
    const isExpected = isEarly && (saysNo(result.refusal) || result.lacks !== undefined)
    const isIncomplete = result.lacks !== undefined && !isEarly
    if (isIncomplete) this.#incomplete.lacks(request.procedure, result.lacks)
    const { failures, since } = this.#failing.get(request.purpose) ?? { failures: 0, since: now }
    this.#failing.set(request.purpose, { failures: failures + 1, since })
    const oldest = this.#failing.keys().next()
    if (this.#failing.size > REMEMBERED && !oldest.done) this.#failing.delete(oldest.value)
    const times = failures === 0 ? '' : ` (${failures + 1} times in ${Math.round((now - since) / 1000)} s)`
    if (!isIncomplete && isSaid(failures + 1))
      step.note(isExpected ? 'debug' : 'warn', `${request.procedure} could not be read: ${result.reason}${times}`, {
        purpose: request.purpose,
      })
    const isOfMove = request.procedure === 'agent.modes.state'
    const told = retryAfterMs(result.refusal?.details)
    // Of what the service has answered it can say more a second later.
    const ownMs = result.refusal === undefined ? backoffMs(failures, RETRY.firstMs, RETRY.longestMs) : RETRY.firstMs
    return { askedIn, againAt: now + Math.min(told ?? ownMs, isOfMove ? LONGEST_WAIT_FOR_STATE_MS : LONGEST_WAIT_MS) }
  }

  #onReadable({ purpose, procedure }: InputOf<'answer'>['request']): void {
    const { failures, since } = this.#failing.get(purpose) ?? { failures: 0, since: 0 }
    this.#failing.delete(purpose)
    const { now, step } = this.#present
    // One that failed once was said, and came to nothing more.
    if (failures > 1)
      step.note('info', `${procedure} can be read again, after ${failures} failures in ${Math.round((now - since) / 1000)} s`, { purpose })
  }
}

/** Of what fails again and again the first failure is said, the 4th, the 16th and so on. */
export const isSaid = (failures: number): boolean => (failures & (failures - 1)) === 0 && failures % 3 === 1

function retryAfterMs(details: unknown): number | undefined {
  const wait = typeof details === 'object' && details !== null && 'retryAfterMs' in details ? details.retryAfterMs : undefined
  return typeof wait === 'number' && wait >= 0 ? wait : undefined
}
