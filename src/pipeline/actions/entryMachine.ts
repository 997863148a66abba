import { deadlineAt, type Machine } from '../state/lifecycle.ts'
import { onAnswered, onClosed, onContestEnded, onLateAnswer, onPostponed, onProved, onTold } from './entryAnswers.ts'
import { lookUp, onDoubtedLook, onEarlyLook, onLook, onUnread, sendAgain } from './entryLooks.ts'
import type { EntryEffect, EntryHappening, EntrySeen, EntryState } from './entryState.ts'

/** From the guard's word to the one outcome of an action, whatever becomes of its answer. */
export const entryMachine: Machine<EntryState, EntryHappening, EntryEffect, EntrySeen> = {
  name: 'entry',
  on: {
    sent: {
      answered: { next: onAnswered, to: ['sent', 'waiting', 'doubted', 'unknown', 'gone'] },
      due: { next: lookUp, to: ['sent'] },
      unread: { next: onUnread, to: ['sent'] },
      looked: { next: onEarlyLook, to: ['sent', 'gone'] },
      told: { next: onTold, to: ['sent'] },
      proved: { next: onProved, to: ['gone'] },
    },
    waiting: {
      answered: { next: onLateAnswer, to: ['waiting', 'gone'] },
      due: { next: sendAgain, to: ['sent'] },
      unread: { next: onUnread, to: ['waiting'] },
      looked: { next: onEarlyLook, to: ['waiting', 'sent', 'gone'] },
      postponed: { next: onPostponed, to: ['waiting'] },
      contestEnded: { next: onContestEnded, to: ['doubted', 'gone'] },
    },
    doubted: {
      answered: { next: onLateAnswer, to: ['doubted', 'gone'] },
      due: { next: lookUp, to: ['doubted'] },
      unread: { next: onUnread, to: ['doubted'] },
      looked: { next: onDoubtedLook, to: ['doubted', 'gone'] },
      told: { next: onTold, to: ['doubted'] },
      proved: { next: onProved, to: ['gone'] },
    },
    unknown: {
      answered: { next: onLateAnswer, to: ['unknown', 'gone'] },
      due: { next: lookUp, to: ['unknown'] },
      unread: { next: onUnread, to: ['unknown'] },
      looked: { next: onLook, to: ['unknown', 'gone'] },
      told: { next: onTold, to: ['gone'] },
      proved: { next: onProved, to: ['gone'] },
      closed: { next: onClosed, to: ['gone'] },
    },
  },
  dueAt: ({ entry, dueAt }) => deadlineAt(`resolve:${entry.intent.key}`, dueAt),
}
