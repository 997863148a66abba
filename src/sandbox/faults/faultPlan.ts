import { keyedRandom, type Random } from '../../core/random.ts'
import { type Faults, NO_FAULTS } from './faults.ts'

/** What is to go wrong with one call. */
export interface CallFaults {
  readonly latencyMs: number
  readonly instead: 'dropBefore' | 'rateLimited' | 'error500' | undefined
  readonly dropAfter: boolean
}

/** A webhook that is held back waits up to so long, by the sandbox's clock. */
const LONGEST_HOLD_MS = 5000

/**
 * Draws faults by the seed. The n-th call of a procedure by an agent meets the same fate in every run,
 * whatever other agents do meanwhile; and one kind of fault draws nothing from another's chance.
 */
export class FaultPlan {
  readonly #seed: number
  readonly #counts = new Map<string, number>()
  #faults: Faults

  constructor(seed: number, faults: Faults = NO_FAULTS) {
    this.#seed = seed
    this.#faults = faults
  }

  get faults(): Faults {
    return this.#faults
  }

  /** Takes effect with the next call, page and delivery. */
  set faults(faults: Faults) {
    this.#faults = faults
  }

  /** What is to go wrong with this call; `undefined` where no fault is asked for. */
  ofCall(agentId: string, procedure: string): CallFaults | undefined {
    const { latencyMs, dropBefore, rateLimited, error500, dropAfter } = this.#faults
    if (latencyMs[1] + dropBefore + rateLimited + error500 + dropAfter === 0) return undefined
    const random = this.#next('call', agentId, procedure)
    const wait = random.integer(...latencyMs)
    const [drops, limits, fails, loses] = [dropBefore, rateLimited, error500, dropAfter].map((chance) => random.next() < chance)
    const instead = drops ? 'dropBefore' : limits ? 'rateLimited' : fails ? 'error500' : undefined
    return { latencyMs: wait, instead, dropAfter: loses === true }
  }

  /** Where in a page of `agent.events` one is to be there twice, as a share of its length; `undefined`: nowhere. */
  repeatAt(agentId: string): number | undefined {
    if (this.#faults.pollDuplicate === 0) return undefined
    const random = this.#next('poll', agentId)
    return random.next() < this.#faults.pollDuplicate ? random.next() : undefined
  }

  /** How long a webhook's first attempt is held back. */
  holdMs(eventId: string): number {
    if (this.#faults.webhookShuffle === 0) return 0
    const random = keyedRandom(this.#seed, 'fault', 'shuffle', eventId)
    return random.next() < this.#faults.webhookShuffle ? random.integer(1, LONGEST_HOLD_MS) : 0
  }

  isSentTwice(eventId: string): boolean {
    return keyedRandom(this.#seed, 'fault', 'duplicate', eventId).next() < this.#faults.webhookDuplicate
  }

  #next(...keys: readonly string[]): Random {
    const key = keys.join(' ')
    const count = this.#counts.get(key) ?? 0
    this.#counts.set(key, count + 1)
    return keyedRandom(this.#seed, 'fault', key, count)
  }
}
