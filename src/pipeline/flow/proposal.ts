import type { ServiceEvent } from '../../contract/events.ts'
import type { Action } from '../../strategy/action.ts'
import type { InputOf } from '../protocol/input.ts'
import type { TaskKey } from '../protocol/taskKey.ts'
import type { Spoken } from '../strategies/streamRunner.ts'

/** What a strategy wants, of one speech, in the order in which it said so. Nothing of it is done before the guard has approved it. */
export interface Proposal {
  /** The name of the strategy. */
  readonly by: string
  readonly actions: readonly Action[]
}

/** What strategies hear of at once, while the input that it is of is still being taken in. */
export type Heard =
  | { readonly type: 'event'; readonly event: ServiceEvent }
  /** An answer that was promised, or what was emitted between inputs. */
  | { readonly type: 'late'; readonly late: InputOf<'late'> }
  /** A period that some strategy asked for is over. */
  | { readonly type: 'period'; readonly purpose: TaskKey }
  /** The bot's seats are other ones. */
  | { readonly type: 'contests' }
  /** A price, to which one of them said something: they are told of prices without a stream, since nearly always they say nothing. */
  | Spoken

/** The framework has done its part of an input: strategies may speak. */
export interface Turn {
  /** Nothing has come of the input but what becomes of swaps: no seat asks for a move that did not before. */
  readonly isOfSwaps: boolean
}
