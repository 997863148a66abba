import { type Action, isSwap } from '../../strategy/action.ts'
import { isEntry, type Rule } from '../rule.ts'

/** No entry and no swap before the stream was read to its end: the bot may hold more than it knows. */
export const caughtUp: Rule<Action> = (action, view) =>
  view.caughtUp || !(isEntry(action) || isSwap(action))
    ? undefined
    : { code: 'CATCHING_UP', message: 'the event stream has not been read to its end yet', numbers: {} }
