import type { PathWatch } from '../playable/pathWatch.ts'
import type { Present } from '../state/present.ts'
import type { SwapState } from './swapState.ts'

/** A quote or a transaction that takes longer is a failure of the path, whatever comes of the swap. */
const ASKED_MS = 3000
/** A swap without an answer of the service by then, or whose answer was lost and which the chain does not show, keeps the wallet from others. */
const SENT_MS = 4000
/** So does one that the service has sent: a busy chain takes a while. */
const SIGNED_MS = 10_000
/** After a swap that nobody has executed another may fare no better: without one that is, entries wait for so long. */
const EXPIRED_MS = 30_000

/** Tells the path of swaps that get no answer: new stakes do not wait for the end of a timeout. */
export class LateAnswers {
  readonly #present: Present
  readonly #path: PathWatch
  /** When the DEX was asked for what the open swap waits for; undefined: that was told. Unix milliseconds. */
  #askedAt: number | undefined
  /** Key of the swap that blocks the wallet. */
  #blocking: string | undefined
  /** Until when the wallet stays blocked after its end, in Unix milliseconds. */
  #heldUntil = Number.NEGATIVE_INFINITY

  constructor(present: Present, path: PathWatch) {
    this.#present = present
    this.#path = path
  }

  /** A quote or a transaction is asked for. */
  asked(): void {
    this.#askedAt = this.#present.now
  }

  /** Another swap was refused, since this one has no outcome. */
  blocks(key: string, reason: string): void {
    this.#blocking = key
    this.#path.onWalletBusy(reason)
  }

  /** A swap that was sent has expired. */
  expired(key: string): void {
    if (key === this.#blocking) this.#heldUntil = this.#present.now + EXPIRED_MS
  }

  /** The chain has executed a swap. */
  executed(): void {
    this.#heldUntil = Number.NEGATIVE_INFINITY
  }

  tend(open: SwapState | undefined): void {
    if (this.#path.path === undefined) return
    const { deadlines, now } = this.#present
    if (this.#blocking !== undefined && this.#blocking !== open?.swap.key) {
      if (now < this.#heldUntil) deadlines.soon('swapLate', this.#heldUntil)
      else {
        this.#blocking = undefined
        this.#path.onWalletFree()
      }
    }
    if (open === undefined || open.is === 'waiting') return
    const isSent = open.is === 'sending' || open.is === 'confirming'
    const since = isSent ? open.record.sentAt : this.#askedAt
    if (since === undefined) return
    const patienceMs = !isSent ? ASKED_MS : open.is === 'confirming' && !open.isLost ? SIGNED_MS : SENT_MS
    const lateAt = since + patienceMs
    if (now < lateAt) deadlines.soon('swapLate', lateAt)
    else if (!isSent) {
      this.#askedAt = undefined
      const what = open.is === 'quoting' ? 'the DEX has given no quote' : 'the DEX and the RPC have given no transaction'
      this.#path.onFailed({ part: 'dex', reason: `${what} within ${ASKED_MS / 1000} s`, hadNoTurn: false })
    } else if (this.#blocking !== open.swap.key)
      this.blocks(
        open.swap.key,
        `nobody has said for ${patienceMs / 1000} s what became of the swap in contest ${open.swap.action.contestId}`,
      )
  }
}
