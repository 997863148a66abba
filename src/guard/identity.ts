import type { Action } from '../strategy/action.ts'

/** Two actions with the same identity would do the same thing, or must not be under way together. */
export function identityOf(action: Action): string {
  switch (action.type) {
    case 'enqueue':
      // What is left out is what the service takes it for.
      return `enqueue:${action.mode}:${action.stake}:${action.durationSec}:${action.opponents ?? 'ANY'}:${action.chain ?? 'solana'}`
    case 'createContest':
      return `create:${action.mode}:${action.stake}:${action.durationSec}:${action.format}:${action.chain}`
    case 'cancelTicket':
      return `cancel:${action.ticketId}`
    case 'joinContest':
    case 'leaveContest':
    case 'ready':
    case 'draftPick':
    case 'commitPrediction':
    case 'revealPrediction':
      return `${action.type}:${action.contestId}`
    case 'swap':
    case 'sweep':
      // A wallet has one unresolved swap: two would tell the chain's balances two stories.
      return 'swap'
  }
}
