import type { Approved, Refusal, SendSwap } from '../guard/index.ts'
import type { Action } from '../strategy/action.ts'
import type { Fill } from '../strategy/view.ts'
import type { Custody, Input, Intent, ReadRequest, SiblingEntry, SwapRecord } from './input.ts'
import type { Note } from './note.ts'
import type { IntentOutcome, JournalRecord } from './ports.ts'
import type { ActionRequest } from './request.ts'
import type { Errand } from './swaps/errand.ts'

/** An approved action on its way to the service. */
export interface SendOrder {
  readonly key: string
  readonly action: Approved<Action | SendSwap>
  readonly request: ActionRequest
}

export interface RefusedAction {
  readonly strategy: string
  readonly action: Action
  readonly refusal: Refusal
}

/** A strategy's promise, to be awaited outside the core. */
export interface PendingCall {
  readonly callId: string
  readonly answer: Promise<unknown>
}

/** All that one input led to. */
export interface Step {
  readonly input: Input
  readonly orders: readonly SendOrder[]
  readonly refused: readonly RefusedAction[]
  readonly reads: readonly ReadRequest[]
  readonly calls: readonly PendingCall[]
  /** Questions to the DEX and the chain. */
  readonly errands: readonly Errand[]
  readonly siblingsEntered: readonly SiblingEntry[]
  readonly siblingsLeft: readonly string[]
  readonly notes: readonly Note[]
  /** Undefined when nothing of this input has to outlive a crash. */
  readonly record: JournalRecord | undefined
  /** Unix milliseconds at which the bot wants to be woken. */
  readonly wakeAt: number | undefined
  /** Nothing is open, promised or under way any more, and nothing new will be. */
  readonly drained: boolean
}

/** What a step collects while its input is processed. */
export class StepDraft {
  readonly orders: SendOrder[] = []
  readonly refused: RefusedAction[] = []
  readonly reads: ReadRequest[] = []
  readonly calls: PendingCall[] = []
  readonly errands: Errand[] = []
  readonly siblingsEntered: SiblingEntry[] = []
  readonly siblingsLeft: string[] = []
  readonly notes: Note[] = []
  readonly intents: Intent[] = []
  readonly custody: Custody[] = []
  readonly outcomes: IntentOutcome[] = []
  readonly swaps: SwapRecord[] = []
  readonly fills: Fill[] = []
  readonly input: Input
  /** Counts what this input asked for: with the input's number it names an intent. */
  ordinal = 0

  constructor(input: Input) {
    this.input = input
  }

  note(level: Note['level'], message: string, fields: Note['fields'] = {}): void {
    this.notes.push({ level, message, fields })
  }

  finish(end: { wakeAt: number | undefined; drained: boolean }): Step {
    const { input, orders, refused, reads, calls, errands, siblingsEntered, siblingsLeft, notes } = this
    return { input, orders, refused, reads, calls, errands, siblingsEntered, siblingsLeft, notes, record: this.#record(), ...end }
  }

  #record(): JournalRecord | undefined {
    const { input, intents, custody, outcomes, swaps, fills, refused } = this
    // An event read back from the journal is there already.
    const event = input.type === 'event' && !input.recorded ? input : undefined
    const isEmpty = [intents, custody, outcomes, swaps, fills, refused].every(({ length }) => length === 0)
    if (event === undefined && isEmpty) return undefined
    return {
      n: input.n,
      at: input.at,
      ...(event === undefined ? {} : { event: { raw: event.raw, problem: event.read.ok ? undefined : event.read.message } }),
      ...(event?.cursor === undefined ? {} : { cursor: event.cursor }),
      intents,
      outcomes,
      custody,
      swaps,
      fills,
      refusals: refused.map(({ refusal }) => refusal.code),
    }
  }
}
