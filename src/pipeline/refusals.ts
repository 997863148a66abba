import { formatUsdc, type Usdc } from '../core/usdc.ts'
import type { RefusalCode } from '../guard/index.ts'
import type { RefusedAction } from './protocol/step.ts'
import type { StepDraft } from './stepDraft.ts'
import type { Tally } from './tally.ts'

/** A policy asks every few seconds, all night where a cap is reached: between two lines of the same, so long. */
const SAY_EVERY_MS = 600_000

/** What is meant to be asked for again and again is for `debug` alone. */
const QUIET: ReadonlySet<RefusalCode> = new Set(['MODE_ON_TRIAL'])

interface Said {
  readonly at: number
  /** Refusals since then that were not said. */
  more: number
}

/**
 * What the guard keeps back: all of it is in the step, for the journal and the recording. In the log it is said at once, and
 * then, for as long as the same strategy is refused the same kind of action with the same code, every ten minutes with how
 * often; the lines between are for `debug`.
 */
export class Refusals {
  readonly #tally: Tally
  readonly #said = new Map<string, Said>()

  constructor(tally: Tally) {
    this.#tally = tally
  }

  /**
   * The guard keeps an action back.
   *
   * @param what the action in words
   * @param atStake stake of the contest that is lost if nothing follows; undefined where none is
   */
  add(step: StepDraft, refused: RefusedAction, what: string, atStake?: Usdc): void {
    const { strategy, action, refusal } = refused
    const { code, message, numbers } = refusal
    this.#tally.refused += 1
    step.refused.push(refused)
    const about = 'contestId' in action ? { contestId: action.contestId } : {}
    const of = atStake === undefined ? '' : `:${about.contestId}`
    const more = QUIET.has(code) ? undefined : this.#unsaid(`${strategy}:${action.type}:${code}${of}`, step.input.at)
    const again = more === undefined || more === 0 ? '' : `; ${more} times more since this was last said`
    const risk = atStake === undefined ? '' : `. ${formatUsdc(atStake)} USDC are lost if this contest gets no swap`
    const level = more === undefined ? 'debug' : atStake === undefined ? 'info' : 'warn'
    const stake = atStake === undefined ? {} : { stake: atStake }
    step.note(level, `refused ${what}: ${message}${again}${risk}`, { code, strategy, ...about, ...numbers, ...stake })
  }

  /** How many were not said, where one is to be said now. */
  #unsaid(key: string, now: number): number | undefined {
    const said = this.#said.get(key)
    if (said !== undefined && now - said.at < SAY_EVERY_MS) {
      said.more += 1
      return undefined
    }
    this.#said.set(key, { at: now, more: 0 })
    return said?.more ?? 0
  }
}
