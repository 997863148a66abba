import type { Approved, Refusal, Sendable } from '../../guard/index.ts'
import type { Action } from '../../strategy/action.ts'
import type { Input, PlannedRead, SiblingEntry } from './input.ts'
import type { JournalRecord } from './journalRecord.ts'
import type { Note } from './note.ts'
import type { ActionRequest, PaperRequest } from './request.ts'
import type { SwapRequest } from './swapRequest.ts'

/** An approved action on its way out. */
export interface SendOrder {
  readonly key: string
  readonly action: Approved<Sendable>
  readonly request: ActionRequest | PaperRequest
}

export interface RefusedAction {
  readonly strategy: string
  readonly action: Action
  readonly refusal: Refusal
}

/** A strategy's promise, to be awaited outside the pipeline’s state. */
export interface PendingCall {
  readonly callId: string
  readonly answer: Promise<unknown>
}

/** All that one input led to. */
export interface Step {
  readonly input: Input
  readonly orders: readonly SendOrder[]
  readonly refused: readonly RefusedAction[]
  readonly reads: readonly PlannedRead[]
  readonly calls: readonly PendingCall[]
  /** Questions to the DEX and the chain. */
  readonly swapRequests: readonly SwapRequest[]
  readonly siblingsEntered: readonly SiblingEntry[]
  readonly siblingsLeft: readonly string[]
  readonly notes: readonly Note[]
  /** Undefined when nothing of this input has to outlive a crash. */
  readonly record: JournalRecord | undefined
  /** Unix milliseconds at which the bot wants to be woken. */
  readonly wakeAt: number | undefined
  /** The input is an event of before the journal: it goes into the books, and is no news. */
  readonly isHistory: boolean
  /** Whether it asks anything of the world: orders, reads, requests of swaps or calls. */
  readonly asks: boolean
  /** The input led to nothing at all, as nearly every price does. */
  readonly isQuiet: boolean
  /** Nothing is open, promised or under way any more, and nothing new will be. */
  readonly drained: boolean
}
