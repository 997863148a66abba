import type { LedgerFacts } from '../guard/index.ts'
import type { Fill } from '../strategy/view.ts'
import type { ModeRecord } from './playable/modeRecord.ts'
import type { Custody, Input, Intent, PlannedRead, SiblingEntry, SwapRecord } from './protocol/input.ts'
import type { IntentOutcome, JournalRecord } from './protocol/journalRecord.ts'
import { type Note, UnwordedNote } from './protocol/note.ts'
import type { PendingCall, RefusedAction, SendOrder, Step } from './protocol/step.ts'
import type { SwapRequest } from './protocol/swapRequest.ts'

/** What nearly every step leads to. */
const NOTHING: readonly never[] = []

/** A step without effects, as after nearly every price: only what differs from step to step is stored, the rest is shared. */
class QuietStep implements Step {
  readonly input: Input
  readonly wakeAt: number | undefined
  readonly drained: boolean

  constructor(input: Input, wakeAt: number | undefined, drained: boolean) {
    this.input = input
    this.wakeAt = wakeAt
    this.drained = drained
  }

  get orders() {
    return NOTHING
  }
  get refused() {
    return NOTHING
  }
  get reads() {
    return NOTHING
  }
  get calls() {
    return NOTHING
  }
  get swapRequests() {
    return NOTHING
  }
  get siblingsEntered() {
    return NOTHING
  }
  get siblingsLeft() {
    return NOTHING
  }
  get notes() {
    return NOTHING
  }
  get record() {
    return undefined
  }
  get isHistory() {
    return false
  }
  get asks() {
    return false
  }
  get isQuiet() {
    return true
  }
}

/** How things stand once a step is done. */
interface StepEnd {
  readonly wakeAt: number | undefined
  readonly drained: boolean
}

/** What a step collects while its input is processed. A list is made for the first thing in it: most steps lead to nothing. */
export class StepDraft {
  #input: Input
  /** The input's number and time, which all that works on it asks for. */
  n: number
  at: number
  /** Counts what this input asked for: with the input's number it names an intent. */
  ordinal = 0
  isHistory = false
  #isQuiet = true
  #orders: SendOrder[] | undefined
  #refused: RefusedAction[] | undefined
  #reads: PlannedRead[] | undefined
  #calls: PendingCall[] | undefined
  #swapRequests: SwapRequest[] | undefined
  #siblingsEntered: SiblingEntry[] | undefined
  #siblingsLeft: string[] | undefined
  #notes: Note[] | undefined
  #intents: Intent[] | undefined
  #custody: Custody[] | undefined
  #outcomes: IntentOutcome[] | undefined
  #swaps: SwapRecord[] | undefined
  #fills: Fill[] | undefined
  #modes: ModeRecord[] | undefined
  #ledger: LedgerFacts | undefined

  constructor(input: Input) {
    this.#input = input
    this.n = input.n
    this.at = input.at
  }

  get input(): Input {
    return this.#input
  }

  /** The draft of the next step: this one again where nothing was written into it, as after nearly every price. */
  next(input: Input, n: number, at: number): StepDraft {
    if (!this.#isQuiet || this.ordinal > 0 || this.isHistory) return new StepDraft(input)
    this.#input = input
    this.n = n
    this.at = at
    return this
  }

  get orders(): SendOrder[] {
    this.#isQuiet = false
    this.#orders ??= []
    return this.#orders
  }
  get refused(): RefusedAction[] {
    this.#isQuiet = false
    this.#refused ??= []
    return this.#refused
  }
  get reads(): PlannedRead[] {
    this.#isQuiet = false
    this.#reads ??= []
    return this.#reads
  }
  get calls(): PendingCall[] {
    this.#isQuiet = false
    this.#calls ??= []
    return this.#calls
  }
  get swapRequests(): SwapRequest[] {
    this.#isQuiet = false
    this.#swapRequests ??= []
    return this.#swapRequests
  }
  get siblingsEntered(): SiblingEntry[] {
    this.#isQuiet = false
    this.#siblingsEntered ??= []
    return this.#siblingsEntered
  }
  get siblingsLeft(): string[] {
    this.#isQuiet = false
    this.#siblingsLeft ??= []
    return this.#siblingsLeft
  }
  get notes(): Note[] {
    this.#isQuiet = false
    this.#notes ??= []
    return this.#notes
  }
  get intents(): Intent[] {
    this.#isQuiet = false
    this.#intents ??= []
    return this.#intents
  }
  get custody(): Custody[] {
    this.#isQuiet = false
    this.#custody ??= []
    return this.#custody
  }
  get outcomes(): IntentOutcome[] {
    this.#isQuiet = false
    this.#outcomes ??= []
    return this.#outcomes
  }
  get swaps(): SwapRecord[] {
    this.#isQuiet = false
    this.#swaps ??= []
    return this.#swaps
  }
  get fills(): Fill[] {
    this.#isQuiet = false
    this.#fills ??= []
    return this.#fills
  }

  get modes(): ModeRecord[] {
    this.#isQuiet = false
    this.#modes ??= []
    return this.#modes
  }

  set ledger(facts: LedgerFacts) {
    this.#isQuiet = false
    this.#ledger = facts
  }

  get hasOutcomes(): boolean {
    return this.#outcomes !== undefined
  }

  /** Whether nothing has come of the input yet. */
  get isQuiet(): boolean {
    return this.#isQuiet
  }

  /** Whether an intent came of it, or an executed swap. */
  get hasIntents(): boolean {
    return this.#intents !== undefined
  }
  get hasFills(): boolean {
    return this.#fills !== undefined
  }

  /** @param message or how it is made, where it takes long and few will read it */
  note(level: Note['level'], message: string | (() => string), fields: Note['fields'] = {}): void {
    this.notes.push(typeof message === 'string' ? { level, message, fields } : new UnwordedNote(level, message, fields))
  }

  /** Of a step of which nothing came. */
  finishQuietly(wakeAt: number | undefined, drained: boolean): Step {
    return new QuietStep(this.#input, wakeAt, drained)
  }

  finish(end: StepEnd): Step {
    // An event that leads to nothing is written down all the same.
    if (this.#isQuiet && this.input.type !== 'event') return this.finishQuietly(end.wakeAt, end.drained)
    return {
      input: this.input,
      orders: this.#orders ?? NOTHING,
      refused: this.#refused ?? NOTHING,
      reads: this.#reads ?? NOTHING,
      calls: this.#calls ?? NOTHING,
      swapRequests: this.#swapRequests ?? NOTHING,
      siblingsEntered: this.#siblingsEntered ?? NOTHING,
      siblingsLeft: this.#siblingsLeft ?? NOTHING,
      notes: this.#notes ?? NOTHING,
      record: this.#record(),
      wakeAt: end.wakeAt,
      isHistory: this.isHistory,
      asks: (this.#orders ?? this.#reads ?? this.#swapRequests ?? this.#calls) !== undefined,
      isQuiet: this.#isQuiet,
      drained: end.drained,
    }
  }

  #record(): JournalRecord | undefined {
    const { input } = this
    // An event read back from the journal is there already.
    const event = input.type === 'event' && !input.recorded ? input : undefined
    const isEmpty =
      this.#intents === undefined &&
      this.#custody === undefined &&
      this.#outcomes === undefined &&
      this.#swaps === undefined &&
      this.#fills === undefined &&
      this.#modes === undefined &&
      this.#ledger === undefined &&
      this.#refused === undefined
    if (event === undefined && isEmpty) return undefined
    return {
      n: input.n,
      at: input.at,
      event: event === undefined ? undefined : { raw: event.raw, problem: event.read.ok ? undefined : event.read.message },
      cursor: event?.cursor,
      intents: this.#intents ?? NOTHING,
      outcomes: this.#outcomes ?? NOTHING,
      custody: this.#custody ?? NOTHING,
      swaps: this.#swaps ?? NOTHING,
      fills: this.#fills ?? NOTHING,
      modes: this.#modes,
      ...(this.#ledger === undefined ? {} : { ledger: this.#ledger }),
      refusals: this.#refused?.map(({ refusal }) => refusal.code) ?? NOTHING,
    }
  }
}
