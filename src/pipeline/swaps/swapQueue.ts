import type { SwapAction } from '../../strategy/action.ts'

/** Swaps that wait while another of the wallet is under way; one more is refused. */
const MOST_WAITING = 16
/** A swap that has waited longer was asked for at prices that are gone. */
const MOST_WAIT_MS = 10_000

export interface WaitingSwap {
  readonly action: SwapAction
  readonly by: string
  readonly at: number
}

/** True where the stake of a contest is lost unless a swap of it begins. */
export type OwesSwap = (contestId: string) => boolean

/**
 * The swaps of one wallet that wait their turn, oldest first: bounded, and refused rather than dropped. A contest's first swap goes before
 * the others, and waits as long as its contest is live: it gets a fresh quote when it begins.
 */
export class SwapQueue {
  readonly #owesSwap: OwesSwap
  #waiting: WaitingSwap[] = []

  constructor(owesSwap: OwesSwap) {
    this.#owesSwap = owesSwap
  }

  get size(): number {
    return this.#waiting.length
  }

  /** How many can wait, and for how long. */
  static readonly limits = { most: MOST_WAITING, waitMs: MOST_WAIT_MS }

  /** @returns the swap that has no place: this one, or the newest that is no contest's first where this one is */
  add(swap: WaitingSwap): WaitingSwap | undefined {
    this.#waiting.push(swap)
    if (this.#waiting.length <= MOST_WAITING) return undefined
    const spare = this.#isFirst(swap) ? this.#waiting.findLast((waiting) => !this.#isFirst(waiting)) : swap
    return this.#takeOut(spare ?? swap)
  }

  take(): WaitingSwap | undefined {
    const next = this.#waiting.find((swap) => this.#isFirst(swap)) ?? this.#waiting[0]
    return next === undefined ? undefined : this.#takeOut(next)
  }

  /** Takes out what a strategy wanted of a contest. */
  drop(by: string, contestId: string): void {
    this.#waiting = this.#waiting.filter((swap) => swap.by !== by || swap.action.contestId !== contestId)
  }

  /** Takes out what has waited too long. */
  takeLate(now: number): readonly WaitingSwap[] {
    const isLate = (swap: WaitingSwap) => now - swap.at >= MOST_WAIT_MS && !this.#isFirst(swap)
    const late = this.#waiting.filter(isLate)
    if (late.length > 0) this.#waiting = this.#waiting.filter((swap) => !late.includes(swap))
    return late
  }

  /** Unix milliseconds at which the oldest that can wait too long has. */
  get lateAt(): number | undefined {
    const oldest = this.#waiting.find((swap) => !this.#isFirst(swap))
    return oldest === undefined ? undefined : oldest.at + MOST_WAIT_MS
  }

  /** True while a contest waits for its first swap. */
  get hasFirst(): boolean {
    return this.#waiting.some((swap) => this.#isFirst(swap))
  }

  hasBy(asker: string): boolean {
    return this.#waiting.some(({ by }) => by === asker)
  }

  hasOf(contestId: string): boolean {
    return this.#waiting.some(({ action }) => action.contestId === contestId)
  }

  #isFirst(swap: WaitingSwap): boolean {
    const { contestId } = swap.action
    return this.#owesSwap(contestId) && this.#waiting.find(({ action }) => action.contestId === contestId) === swap
  }

  #takeOut(swap: WaitingSwap): WaitingSwap {
    this.#waiting = this.#waiting.filter((waiting) => waiting !== swap)
    return swap
  }
}
