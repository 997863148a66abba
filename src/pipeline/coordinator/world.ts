import type { Heard } from '../flow/proposal.ts'
import type { StrategyResult } from '../protocol/input.ts'
import type { Present } from '../state/present.ts'

/** Everything that every part is handed beside the stores it declares. */
export interface World {
  /** The step, its time, the deadlines and the books: each part of these has one pen. */
  readonly present: Present
  /** Enters what a strategy emits between inputs as an input. */
  readonly onLate: (callId: string, result: StrategyResult) => void
  /** Lets strategies speak at once about what they hear. */
  readonly hear: (heard: Heard) => void
}
