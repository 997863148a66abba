import type { SwapPart } from './hindrance.ts'

/** So many failures in a row, and the path is down. */
const MOST_FAILURES = 2
/** A success says so for so long: two looks may go by unanswered. */
const KNOWN_FOR_MS = 150_000
/** Who is asked too often is held back: for longer than that it is a failure. */
const HELD_BACK_MS = 60_000

/** Whether swaps come through: by looks that send nothing, and by the swaps themselves. */
export interface SwapPath {
  readonly failedInRow: number
  /** When the first failure in the row was seen, in Unix milliseconds. */
  readonly failedSince: number | undefined
  readonly part: SwapPart | undefined
  readonly reason: string | undefined
  readonly heldSince: number | undefined
  /** Unix milliseconds of the newest success. */
  readonly okAt: number | undefined
  readonly isDown: boolean
  /** When it was last seen to be down. */
  readonly downAt: number | undefined
}

export interface PathFailure {
  readonly part: SwapPart
  readonly reason: string
  /** It was asked too often. */
  readonly isHeldBack: boolean
}

export const unseenPath: SwapPath = {
  failedInRow: 0,
  failedSince: undefined,
  part: undefined,
  reason: undefined,
  heldSince: undefined,
  okAt: undefined,
  isDown: false,
  downAt: undefined,
}

/** A swap came through at `at`, or could have; what failed after that stands. */
export const pathWorked = (path: SwapPath, at: number): SwapPath => ({
  ...unseenPath,
  okAt: at,
  downAt: path.isDown ? at : path.downAt,
})

export function pathFailed(path: SwapPath, { part, reason, isHeldBack }: PathFailure, now: number): SwapPath {
  const heldSince = isHeldBack ? (path.heldSince ?? now) : undefined
  // So much is asked of it by others, or by this bot: it comes back by itself.
  if (heldSince !== undefined && now - heldSince < HELD_BACK_MS) return { ...path, heldSince, part, reason }
  const failedInRow = path.failedInRow + 1
  const isDown = path.isDown || failedInRow >= MOST_FAILURES
  return { ...path, heldSince, part, reason, failedInRow, isDown, failedSince: path.failedSince ?? now, downAt: isDown ? now : path.downAt }
}

/** Whether a contest of swaps may be entered as far as the path is concerned. */
export const isPathUp = ({ isDown, okAt }: SwapPath, now: number): boolean => !isDown && okAt !== undefined && now - okAt <= KNOWN_FOR_MS
