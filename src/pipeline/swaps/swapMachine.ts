import type { Deadline, Machine } from '../state/lifecycle.ts'
import { onBalances, onDue, onLanding, onOutcome, onPaperFill, onSettled, onStatus, onUnread } from './confirming.ts'
import { buildAgain, onBuilt, onQuoted } from './preparing.ts'
import type { SwapEffect, SwapHappening, SwapSeen, SwapState } from './swapState.ts'

const NONE: readonly Deadline[] = []

/** The record, with the figures from before the swap, is made when it is sent. */
const unmoved = <S extends SwapState>(state: S) => ({ state, effects: NONE_DONE })
const NONE_DONE: readonly SwapEffect[] = []

/** From the guard's word to what a swap came to. */
export const swapMachine: Machine<SwapState, SwapHappening, SwapEffect, SwapSeen> = {
  name: 'swap',
  on: {
    quoting: {
      quoted: { next: onQuoted, to: ['building', 'waiting', 'sending', 'gone'] },
      settled: { next: unmoved, to: ['quoting'] },
    },
    building: {
      built: { next: onBuilt, to: ['waiting', 'sending', 'gone'] },
      settled: { next: unmoved, to: ['building'] },
    },
    waiting: {
      due: { next: buildAgain, to: ['quoting', 'waiting', 'building', 'gone'] },
      settled: { next: unmoved, to: ['waiting'] },
    },
    sending: {
      answered: { next: onOutcome, to: ['confirming', 'gone'] },
      landing: { next: onPaperFill, to: ['gone'] },
      settled: { next: onSettled, to: ['sending'] },
    },
    confirming: {
      due: { next: onDue, to: ['confirming'] },
      unread: { next: onUnread, to: ['confirming'] },
      status: { next: onStatus, to: ['confirming', 'gone'] },
      balances: { next: onBalances, to: ['confirming', 'gone'] },
      landing: { next: onLanding, to: ['confirming', 'gone'] },
      settled: { next: onSettled, to: ['confirming'] },
    },
  },
  dueAt(state) {
    if (state.is === 'waiting') return [{ task: `swapBuild:${state.swap.key}`, at: state.buildAt }]
    if (state.is !== 'confirming') return NONE
    const { swap, lookAt, compareAt } = state
    const deadlines: Deadline[] = []
    if (lookAt !== undefined) deadlines.push({ task: `swap:${swap.key}`, at: lookAt })
    if (compareAt !== undefined) deadlines.push({ task: `swapBalances:${swap.key}`, at: compareAt })
    return deadlines
  },
}
