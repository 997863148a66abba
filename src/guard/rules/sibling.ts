import { entryRule } from '../rule.ts'

/** Bots of one config do not stake against one another: it would only pay the rake. */
export const sibling = entryRule(({ action, stake }, view) => {
  const where =
    action.type === 'enqueue'
      ? { mode: action.mode, stake, durationSec: action.durationSec }
      : action.type === 'joinContest'
        ? { contestId: action.contestId }
        : undefined
  const other = where === undefined ? undefined : view.sibling(where)
  if (other === undefined) return undefined
  return { code: 'SIBLING_IN_CONTEST', message: `${other}, a bot of the same config, is there already`, numbers: { sibling: other } }
})
