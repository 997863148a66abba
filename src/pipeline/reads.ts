import type { ProcedureInput, ReadName } from '../contract/procedures.ts'
import type { Bot } from './bot.ts'
import type { InputOf } from './input.ts'
import { type Purpose, partsOf } from './purpose.ts'

const RETRY_MS = 1000
/** However long the service asks for: its limit is of a minute, and what it said of a longer time may not hold any more. */
const LONGEST_WAIT_MS = 60_000
/** The same of what a move may hang on. The key as a whole waits as the service says all the same. */
const LONGEST_WAIT_FOR_STATE_MS = 2000

/** The service reads of one bot: one of a purpose at a time, again after a failure. */
export class Reads {
  readonly #bot: Bot
  /** Purposes under way; true when it was asked for again meanwhile. */
  readonly #underWay = new Map<Purpose, boolean>()

  constructor(bot: Bot) {
    this.#bot = bot
  }

  isUnderWay(purpose: Purpose): boolean {
    return this.#underWay.has(purpose)
  }

  ask<N extends ReadName>(purpose: Purpose, procedure: N, input: ProcedureInput<N>): void {
    if (this.#underWay.has(purpose)) {
      this.#underWay.set(purpose, true)
      return
    }
    this.#underWay.set(purpose, false)
    this.#bot.step.reads.push({ purpose, procedure, input })
  }

  /**
   * Takes note of an answer.
   *
   * @returns when the same read is due again: at once if it was asked for meanwhile, later after a failure
   */
  answered({ request, result }: InputOf<'answer'>): number | undefined {
    const again = this.#underWay.get(request.purpose) === true
    this.#underWay.delete(request.purpose)
    const { now, step } = this.#bot
    if (result.ok) return again ? now : undefined
    // A mode may have no state before its contest is live.
    const isExpected = partsOf(request.purpose).kind === 'early' && saysNo(result.refusal)
    step.note(isExpected ? 'debug' : 'warn', `${request.procedure} could not be read: ${result.reason}`, { purpose: request.purpose })
    const longest = request.procedure === 'agent.modes.state' ? LONGEST_WAIT_FOR_STATE_MS : LONGEST_WAIT_MS
    return now + Math.min(retryAfterMs(result.refusal?.details) ?? RETRY_MS, longest)
  }
}

/** Refusals that are no word on what was asked: who asks, how often, or something on the way. */
const NO_WORD: ReadonlySet<number> = new Set([401, 408, 425, 429, 499])

/** Whether the service has said that it does not have what it was asked for. */
export function saysNo(refusal: { readonly code: string; readonly status: number } | undefined): boolean {
  if (refusal === undefined || NO_WORD.has(refusal.status) || refusal.code === 'HTTP_403') return false
  return refusal.status >= 400 && refusal.status < 500
}

function retryAfterMs(details: unknown): number | undefined {
  const wait = typeof details === 'object' && details !== null && 'retryAfterMs' in details ? details.retryAfterMs : undefined
  return typeof wait === 'number' && wait >= 0 ? wait : undefined
}
