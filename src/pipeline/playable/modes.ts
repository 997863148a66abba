import { MODES } from '../../contract/modes.ts'
import type { Reading } from '../../contract/shapes/reading.ts'
import { formatUsdc } from '../../core/usdc.ts'
import type { UnplayedBy } from '../../guard/index.ts'
import type { SwapBudget } from '../protocol/swapper.ts'
import type { StepDraft } from '../stepDraft.ts'
import type { PinnedPiece } from './drift.ts'
import { isHindrance, wordsOf } from './hindrance.ts'
import { isOnTrial, type Unreadable, unreadableIn } from './modeReading.ts'
import {
  BY_DRIFT,
  BY_OPERATOR,
  type ClosedMode,
  freshMode,
  type ModeHappening,
  type ModeRecord,
  nextMode,
  UNNAMED,
  type UnplayedLimits,
} from './modeRecord.ts'
import type { Out } from './outOf.ts'
import type { SwapPath } from './swapPath.ts'

/** Which modes are open, and what has closed the others. In a world in which every mode can be played nothing is kept, and all are open. */
export class Modes {
  readonly #limits: UnplayedLimits
  readonly #records = new Map<string, ModeRecord>()
  #isKept = false
  #reading: Reading | undefined
  #drifted: ReadonlyMap<PinnedPiece, string> = new Map()
  /** What the operator said before a run began. */
  readonly #early: { readonly mode: string; readonly happening: ModeHappening }[] = []

  constructor(limits: UnplayedLimits) {
    this.#limits = limits
  }

  /**
   * @param records of earlier runs; undefined: nothing is kept
   * @param reading undefined: nothing is unknown of the service's answers
   */
  begin(records: readonly ModeRecord[] | undefined, reading: Reading | undefined, step: StepDraft): void {
    this.#isKept = records !== undefined
    this.#reading = this.#isKept ? reading : undefined
    for (const record of records ?? []) this.#records.set(record.mode, record)
    this.#drifted = this.#driftedNow()
    if (this.#reading !== undefined) {
      const { hash, unreadable, onTrial } = this.#reading
      for (const mode of MODES) {
        const read = { hash, lacks: unreadable[mode] ?? [], isOnTrial: onTrial.includes(mode) }
        const isPlain = hash !== undefined && read.lacks.length === 0 && !read.isOnTrial
        // Of one of which there is nothing to tell nothing is written.
        if (isPlain && !this.#records.has(mode)) this.#records.set(mode, { ...freshMode(mode), reading: { ...read, drifted: [] } })
        else this.happened(mode, { type: 'mapped', reading: read }, step)
      }
    }
    for (const { mode, happening } of this.#early.splice(0)) this.happened(mode, happening, step)
  }

  /** Why nobody plays a mode, by the strategies as they are now; undefined: somebody does. */
  unplayedBy: (mode: string) => UnplayedBy | undefined = () => undefined
  /** Undefined in a world in which swaps always come through. */
  path: () => SwapPath | undefined = () => undefined
  /** Undefined where no limit of requests is known. */
  swapBudget: () => SwapBudget | undefined = () => undefined
  /** What is out of a mode. */
  out: (mode: string) => Out = () => ({ seats: 0, tickets: 0 })

  get isKept(): boolean {
    return this.#isKept
  }

  /** Every mode of which something is known. */
  get known(): Iterable<ModeRecord> {
    return this.#records.values()
  }

  recordOf(mode: string): ModeRecord {
    return this.#records.get(mode) ?? freshMode(mode)
  }

  /** SHA-256 of the mapping; undefined where there is none, or none is needed. */
  get hash(): string | undefined {
    return this.#reading?.hash
  }

  /** Pieces that are not where the mapping has them, and their places. */
  get drifted(): ReadonlyMap<PinnedPiece, string> {
    return this.#drifted
  }

  /** Why the mode cannot be read; undefined: it can. */
  unreadable(mode: string): Unreadable | undefined {
    return this.#reading === undefined ? undefined : unreadableIn(this.recordOf(mode))
  }

  /** Whether one contest of the mode is played at a time. */
  isOnTrial(mode: string): boolean {
    return this.#reading !== undefined && isOnTrial(this.recordOf(mode))
  }

  /** What is out of a mode on trial, and keeps any more from being entered; undefined: nothing is, or it is not on trial. */
  trialOut(mode: string): Out | undefined {
    if (!this.isOnTrial(mode)) return undefined
    const out = this.out(mode)
    return out.seats + out.tickets === 0 ? undefined : out
  }

  closed(mode: string): ClosedMode | undefined {
    return this.#records.get(mode)?.closed
  }

  /** Something has happened to a mode: what that makes of it is written down, and said where it closes or opens. */
  happened(mode: string, happening: ModeHappening, step: StepDraft): void {
    if (!this.#isKept) {
      if (happening.type === 'said') this.#early.push({ mode, happening })
      return
    }
    const before = this.recordOf(mode)
    const after = nextMode(before, happening, step.at, this.#limits)
    if (after === before) return
    this.#records.set(mode, after)
    if (after.reading !== before.reading) this.#drifted = this.#driftedNow()
    step.modes.push(after)
    // The newest reason is said, and that it is open.
    if (after.closed?.at !== before.closed?.at || after.closed?.why !== before.closed?.why) say(after, step)
  }

  #driftedNow(): ReadonlyMap<PinnedPiece, string> {
    const drifted = [...this.#records.values()].flatMap(({ reading }) => reading?.drifted ?? [])
    return new Map(drifted.map(({ piece, place }) => [piece as PinnedPiece, place]))
  }
}

function say({ mode, closed, reading }: ModeRecord, step: StepDraft): void {
  if (closed === undefined) {
    step.note('info', `${mode} is open again`, { code: 'MODE_OPENING', mode })
    return
  }
  const { why, unplayed, stakes, trialAt } = closed
  const drifted = reading?.drifted ?? []
  const until =
    drifted.length > 0
      ? 'it can be read again'
      : trialAt === undefined
        ? 'it is opened'
        : `one contest is entered on trial, from ${new Date(trialAt).toISOString()} on`
  const lost = unplayed === 0 ? '' : ` (${unplayed} unplayed, ${formatUsdc(stakes)} USDC)`
  const message = `${mode} is closed, and not entered until ${until}: ${reasonOf(why)}${lost}`
  step.note('warn', message, { code: 'MODE_CLOSING', mode, why, unplayed, stakes, ...(trialAt === undefined ? {} : { trialAt }) })
}

/** Why a mode is closed, in words. */
export function reasonOf(why: string): string {
  if (why === BY_OPERATOR) return 'the operator has said so'
  if (why === BY_DRIFT) return 'something that a move needs was not where the mapping has it'
  if (why.startsWith(UNNAMED)) return `the service matched it as "${why.slice(UNNAMED.length)}", a mode that this bot does not know`
  return isHindrance(why) ? wordsOf(why) : why
}
