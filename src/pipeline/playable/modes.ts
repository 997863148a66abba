import { formatUsdc } from '../../core/usdc.ts'
import type { UnplayedBy } from '../../guard/index.ts'
import type { StepDraft } from '../stepDraft.ts'
import { isHindrance, wordsOf } from './hindrance.ts'
import {
  BY_OPERATOR,
  type ClosedMode,
  freshMode,
  type ModeHappening,
  type ModeRecord,
  nextMode,
  type UnplayedLimits,
} from './modeRecord.ts'
import type { SwapPath } from './swapPath.ts'

/** Which modes are open, and what has closed the others. In a world in which every mode can be played nothing is kept, and all are open. */
export class Modes {
  readonly #limits: UnplayedLimits
  readonly #records = new Map<string, ModeRecord>()
  #isKept = false
  /** What the operator said before a run began. */
  readonly #early: { readonly mode: string; readonly happening: ModeHappening }[] = []

  constructor(limits: UnplayedLimits) {
    this.#limits = limits
  }

  /** @param records of earlier runs; undefined: nothing is kept */
  begin(records: readonly ModeRecord[] | undefined, step: StepDraft): void {
    this.#isKept = records !== undefined
    for (const record of records ?? []) this.#records.set(record.mode, record)
    for (const { mode, happening } of this.#early.splice(0)) this.happened(mode, happening, step)
  }

  /** Why nobody plays a mode, by the strategies as they are now; undefined: somebody does. */
  unplayedBy: (mode: string) => UnplayedBy | undefined = () => undefined
  /** Undefined in a world in which swaps always come through. */
  path: () => SwapPath | undefined = () => undefined

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
    step.modes.push(after)
    // The newest reason is said, and that it is open.
    if (after.closed?.at !== before.closed?.at || after.closed?.why !== before.closed?.why) say(after, step)
  }
}

function say({ mode, closed }: ModeRecord, step: StepDraft): void {
  if (closed === undefined) {
    step.note('info', `${mode} is open again`, { code: 'MODE_OPENING', mode })
    return
  }
  const { why, unplayed, stakes, trialAt } = closed
  const until = trialAt === undefined ? 'it is opened' : `one contest is entered on trial, from ${new Date(trialAt).toISOString()} on`
  const lost = unplayed === 0 ? '' : ` (${unplayed} unplayed, ${formatUsdc(stakes)} USDC)`
  const message = `${mode} is closed, and not entered until ${until}: ${reasonOf(why)}${lost}`
  step.note('warn', message, { code: 'MODE_CLOSING', mode, why, unplayed, stakes, ...(trialAt === undefined ? {} : { trialAt }) })
}

/** Why a mode is closed, in words. */
export const reasonOf = (why: string): string => (why === BY_OPERATOR ? 'the operator has said so' : isHindrance(why) ? wordsOf(why) : why)
