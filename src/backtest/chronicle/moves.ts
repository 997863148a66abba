import { formatAmount, symbolOf } from '../../core/tokens.ts'
import type { Action } from '../../strategy/action.ts'
import type { PlayedMove } from '../result.ts'
import type { Played } from './chronicle.ts'

/** What a bot did in a contest, in a few words each. */
export function movesOf({ actions, fills }: Played): PlayedMove[] {
  const moves = [
    ...actions.map(({ at, action }) => ({ at, text: textOf(action) })),
    ...fills.map(({ at, from, to, given, received }) => ({
      at,
      text: `swap ${formatAmount(given, from)} for ${formatAmount(received, to)}`,
    })),
  ]
  return moves.sort((a, b) => a.at - b.at)
}

function textOf(action: Action): string {
  if (action.type === 'draftPick') return `pick ${symbolOf(action.token)}`
  if (action.type === 'commitPrediction') return `predict ${action.price}`
  return action.type === 'joinContest' && action.side !== undefined ? `join ${action.side}` : 'join'
}
