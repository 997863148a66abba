import type { SwapQuote } from '../../../../src/guard/swapQuote.ts'
import type { Refusal, RefusalCode } from '../../../../src/guard/verdict.ts'
import type { Action } from '../../../../src/strategy/action.ts'
import type { ViewChanges } from '../guardView.ts'

/** Something that is refused, with the numbers that decided it. */
export interface RefusedAction {
  readonly name: string
  readonly action: Action
  readonly view?: () => ViewChanges
  readonly numbers: Refusal['numbers']
  readonly message: string
}

/** A quote that is refused, of a swap that was let out. */
export interface RefusedQuote extends Omit<RefusedAction, 'action'> {
  readonly quote?: Partial<SwapQuote>
}

export type Refused<T> = Readonly<Partial<Record<RefusalCode, readonly T[]>>>
