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

/** The swaps of one wallet that wait their turn, oldest first: bounded, and refused rather than dropped. */
export class SwapQueue {
  #waiting: WaitingSwap[] = []

  get isFull(): boolean {
    return this.#waiting.length >= MOST_WAITING
  }

  get size(): number {
    return this.#waiting.length
  }

  /** How many can wait, and for how long. */
  static readonly limits = { most: MOST_WAITING, waitMs: MOST_WAIT_MS }

  add(swap: WaitingSwap): void {
    this.#waiting.push(swap)
  }

  take(): WaitingSwap | undefined {
    return this.#waiting.shift()
  }

  /** Takes out what a strategy wanted of a contest. */
  drop(by: string, contestId: string): void {
    this.#waiting = this.#waiting.filter((swap) => swap.by !== by || swap.action.contestId !== contestId)
  }

  /** Takes out what has waited too long. */
  takeLate(now: number): readonly WaitingSwap[] {
    const isLate = ({ at }: WaitingSwap) => now - at >= MOST_WAIT_MS
    const late = this.#waiting.filter(isLate)
    if (late.length > 0) this.#waiting = this.#waiting.filter((swap) => !isLate(swap))
    return late
  }

  /** Unix milliseconds at which the oldest has waited too long. */
  get lateAt(): number | undefined {
    const [oldest] = this.#waiting
    return oldest === undefined ? undefined : oldest.at + MOST_WAIT_MS
  }

  hasBy(asker: string): boolean {
    return this.#waiting.some(({ by }) => by === asker)
  }

  hasOf(contestId: string): boolean {
    return this.#waiting.some(({ action }) => action.contestId === contestId)
  }
}
