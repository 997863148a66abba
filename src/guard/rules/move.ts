import type { Rule } from '../rule.ts'

/** A move is sent only when the mode's state, as last read, would take it. */
export const move: Rule = (action, view) => {
  switch (action.type) {
    case 'draftPick': {
      const draftable = view.seat(action.contestId)?.draftable
      if (draftable?.includes(action.token)) return undefined
      return {
        code: 'TOKEN_NOT_AVAILABLE',
        message:
          draftable === undefined
            ? 'it is not this bot’s turn to pick'
            : `${action.token} is not among the ${draftable.length} tokens left`,
        numbers: { contestId: action.contestId, token: action.token, available: draftable?.length ?? 0 },
      }
    }
    case 'commitPrediction':
      if (view.seat(action.contestId)?.commitOpen) return undefined
      return {
        code: 'COMMIT_NOT_OPEN',
        message: `contest ${action.contestId} takes no commitment of this bot now`,
        numbers: { contestId: action.contestId },
      }
    case 'revealPrediction':
      if (view.seat(action.contestId)?.revealable) return undefined
      return {
        code: 'NOTHING_TO_REVEAL',
        message: `no commitment of this bot in contest ${action.contestId} waits to be revealed`,
        numbers: { contestId: action.contestId },
      }
    case 'enqueue':
    case 'cancelTicket':
    case 'createContest':
    case 'joinContest':
    case 'leaveContest':
    case 'ready':
      return undefined
  }
}
