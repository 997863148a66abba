import type { SwapPart } from './hindrance.ts'

/** So many failures in a row, and the path is down. */
const MOST_FAILURES = 2
/** A success says so for so long: two looks may go by unanswered. */
const KNOWN_FOR_MS = 150_000
/** A look that found no free request says nothing of the path, until that has lasted so long. */
const NO_TURN_MS = 60_000
/** A block that lasts so long is a path that is down. */
const BLOCKED_MS = 3000

/** Parts that no look can see: the wallet waits for the outcome of a swap, the price feed stands still. */
const UNSEEN_PARTS = ['wallet', 'prices'] as const
export type UnseenPart = (typeof UNSEEN_PARTS)[number]
export type PathPart = SwapPart | UnseenPart

/** Blocks the path until it is said to be over. */
export interface PathBlock {
  readonly reason: string
  /** Unix milliseconds. */
  readonly since: number
}

/**
 * The standing of the way of a swap: by looks that send nothing, by the swaps themselves, and by what blocks them. A first failure keeps new stakes
 * out; the second in a row, or a block that lasts, is a path that is down.
 */
export interface SwapPath {
  readonly failedInRow: number
  /** When the first failure in the row was seen, in Unix milliseconds. */
  readonly failedSince: number | undefined
  readonly part: PathPart | undefined
  readonly reason: string | undefined
  /** Since when no look has found a free request. */
  readonly heldSince: number | undefined
  readonly blocks: Readonly<Partial<Record<UnseenPart, PathBlock>>>
  /** Unix milliseconds of the newest success. */
  readonly okAt: number | undefined
  readonly isDown: boolean
  /** When it was last seen to be down. */
  readonly downAt: number | undefined
}

export interface PathFailure {
  readonly part: SwapPart
  readonly reason: string
  /** The bot's own budget had no request free: whoever it was for was not asked. */
  readonly hadNoTurn: boolean
}

export const unseenPath: SwapPath = {
  failedInRow: 0,
  failedSince: undefined,
  part: undefined,
  reason: undefined,
  heldSince: undefined,
  blocks: {},
  okAt: undefined,
  isDown: false,
  downAt: undefined,
}

/** A swap came through at `at`, or could have; what failed after that stands, and so do blocks. */
export function pathWorked(path: SwapPath, at: number, now = at): SwapPath {
  const { blocks, isDown, downAt } = path
  return judged({ ...unseenPath, blocks, okAt: at, isDown, downAt: isDown ? at : downAt }, now)
}

export function pathFailed(path: SwapPath, { part, reason, hadNoTurn }: PathFailure, now: number): SwapPath {
  const heldSince = hadNoTurn ? (path.heldSince ?? now) : undefined
  // So much is asked by this bot, or by others with its key: a request comes free by itself. A swap that waits for it too long says more.
  if (heldSince !== undefined && path.failedInRow === 0 && now - heldSince < NO_TURN_MS) return { ...path, heldSince, part, reason }
  const failedInRow = path.failedInRow + 1
  return judged({ ...path, heldSince, part, reason, failedInRow, failedSince: path.failedSince ?? now }, now)
}

/** Blocks the path, from its first block of the kind on. */
export function pathBlocked(path: SwapPath, part: UnseenPart, reason: string, now: number): SwapPath {
  const block: PathBlock = { reason, since: path.blocks[part]?.since ?? now }
  return judged({ ...path, blocks: { ...path.blocks, [part]: block } }, now)
}

export function pathFreed(path: SwapPath, part: UnseenPart, now: number): SwapPath {
  const { [part]: over, ...blocks } = path.blocks
  return over === undefined ? path : judged({ ...path, blocks }, now)
}

/** The path as time alone has made it. */
export function judged(path: SwapPath, now: number): SwapPath {
  const lasting = UNSEEN_PARTS.some((part) => {
    const block = path.blocks[part]
    return block !== undefined && now - block.since >= BLOCKED_MS
  })
  const isDown = path.failedInRow >= MOST_FAILURES || lasting
  return isDown === path.isDown && !isDown ? path : { ...path, isDown, downAt: isDown || path.isDown ? now : path.downAt }
}

/** When a block has lasted long enough; undefined: none is yet to. Unix milliseconds. */
export function blockedUntil({ blocks, isDown }: SwapPath): number | undefined {
  if (isDown) return undefined
  const since = UNSEEN_PARTS.flatMap((part) => blocks[part]?.since ?? [])
  return since.length === 0 ? undefined : Math.min(...since) + BLOCKED_MS
}

/** The part that is in the way of a swap, and why; undefined: none is. A block counts before a failure, which a look may soon take back. */
export function pathTrouble({
  blocks,
  failedInRow,
  part,
  reason,
}: SwapPath): { readonly part: PathPart; readonly reason: string } | undefined {
  for (const unseen of UNSEEN_PARTS) {
    const block = blocks[unseen]
    if (block !== undefined) return { part: unseen, reason: block.reason }
  }
  return failedInRow === 0 || part === undefined || reason === undefined ? undefined : { part, reason }
}

/** Whether a contest of swaps may be entered as far as the path is concerned. */
export const isPathUp = (path: SwapPath, now: number): boolean =>
  pathTrouble(path) === undefined && path.okAt !== undefined && now - path.okAt <= KNOWN_FOR_MS
