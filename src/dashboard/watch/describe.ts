import { formatAmount, symbolOf, USDC_MINT } from '../../core/tokens.ts'
import { formatUsdc } from '../../core/usdc.ts'
import type { Action } from '../../strategy/action.ts'
import type { Fill } from '../../strategy/view.ts'
import type { MoveRow } from './views.ts'

/** An action for a person. The price of a prediction is not in it: until it is revealed, nobody is to read it over a shoulder. */
export function actionText(action: Action): string {
  switch (action.type) {
    case 'enqueue':
      return `queue for ${action.mode}, ${formatUsdc(action.stake)} USDC, ${action.durationSec} s`
    case 'createContest':
      return `create a ${action.format} of ${action.mode}, ${formatUsdc(action.stake)} USDC`
    case 'joinContest':
      return `join${action.side === undefined ? '' : ` on ${action.side}`}`
    case 'draftPick':
      return `pick ${symbolOf(action.token)}`
    case 'commitPrediction':
      return 'commit to a price'
    case 'revealPrediction':
      return 'reveal the price'
    case 'swap':
    case 'sweep':
      return `${action.type === 'sweep' ? 'sell what is left: ' : ''}${formatAmount(action.amount, action.from)} for ${symbolOf(action.to)}`
    case 'cancelTicket':
      return 'cancel a ticket'
    case 'leaveContest':
      return 'leave'
    case 'ready':
      return action.ready ? 'ready' : 'not ready'
  }
}

/** What an accepted action is among a contest's moves; undefined for one that is none. */
export function moveOf(action: Action): Pick<MoveRow, 'kind' | 'mint' | 'text'> | undefined {
  switch (action.type) {
    case 'draftPick':
      return { kind: 'pick', mint: action.token, text: `picked ${symbolOf(action.token)}` }
    case 'commitPrediction':
      return { kind: 'commit', mint: undefined, text: 'committed to a price' }
    case 'revealPrediction':
      return { kind: 'reveal', mint: undefined, text: 'revealed the price' }
    case 'joinContest':
      return { kind: 'join', mint: undefined, text: `joined${action.side === undefined ? '' : ` on ${action.side}`}` }
    case 'leaveContest':
      return { kind: 'leave', mint: undefined, text: 'left' }
    case 'ready':
      return { kind: 'ready', mint: undefined, text: action.ready ? 'ready' : 'not ready' }
    case 'enqueue':
    case 'cancelTicket':
    case 'createContest':
    // A swap is a move once it is filled.
    case 'swap':
    case 'sweep':
      return undefined
  }
}

export function fillMove({ from, to, given, received }: Fill): Pick<MoveRow, 'kind' | 'mint' | 'text'> {
  const isSale = to === USDC_MINT
  const text = isSale
    ? `sold ${formatAmount(given, from)} for ${formatAmount(received, to)}`
    : `bought ${formatAmount(received, to)} for ${formatAmount(given, from)}`
  return { kind: isSale ? 'sell' : 'buy', mint: isSale ? from : to, text }
}
