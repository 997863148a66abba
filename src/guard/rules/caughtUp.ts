import { isEntry, type Rule } from '../rule.ts'

/** No entry before the stream was read to its end: the bot may hold more than it knows. */
export const caughtUp: Rule = (action, view) =>
  !isEntry(action) || view.caughtUp
    ? undefined
    : { code: 'CATCHING_UP', message: 'the event stream has not been read to its end yet', numbers: {} }
