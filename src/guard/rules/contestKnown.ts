import type { Rule } from '../rule.ts'

/** A seat is taken only in a contest whose stake was read, and a move made only in a seat of ours. */
export const contestKnown: Rule = (action, view) => {
  switch (action.type) {
    case 'enqueue':
    case 'createContest':
      return undefined
    case 'cancelTicket':
      if (view.ticket(action.ticketId)) return undefined
      return {
        code: 'NOT_IN_CONTEST',
        message: `ticket ${action.ticketId} is not an open ticket of this bot`,
        numbers: { ticketId: action.ticketId },
      }
    case 'joinContest':
      if (view.joinable(action.contestId) !== undefined) return undefined
      return {
        code: 'CONTEST_UNKNOWN',
        message: `contest ${action.contestId} is not among the open contests this bot has read, so its stake is not known: join one of openContests`,
        numbers: { contestId: action.contestId },
      }
    case 'leaveContest':
    case 'ready':
    case 'draftPick':
    case 'commitPrediction':
    case 'revealPrediction': {
      const phase = view.seat(action.contestId)?.phase
      if (phase === 'open' || phase === 'live') return undefined
      return {
        code: 'NOT_IN_CONTEST',
        message: `this bot has no seat in contest ${action.contestId}${phase === undefined ? '' : `, which is ${phase}`}`,
        numbers: { contestId: action.contestId },
      }
    }
  }
}
