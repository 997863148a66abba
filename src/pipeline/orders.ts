import { formatAmount, USDC_MINT } from '../core/tokens.ts'
import { type Action, isSwap } from '../strategy/action.ts'
import type { Intents } from './actions/intents.ts'
import type { OperatorOrder } from './protocol/input.ts'
import type { Present } from './state/present.ts'
import type { Swaps } from './swaps/swaps.ts'

/** Who asks for what the operator has ordered. */
export const OPERATOR = 'operator'

/** What the operator has the bot do: each order is an action like any other, for the guard to judge and the journal to keep. */
export class Orders {
  readonly #present: Present
  readonly #intents: Intents
  readonly #swaps: Swaps

  constructor(present: Present, { intents, swaps }: { readonly intents: Intents; readonly swaps: Swaps }) {
    this.#present = present
    this.#intents = intents
    this.#swaps = swaps
  }

  take(order: OperatorOrder): void {
    this.#present.step.note('info', `the operator orders: ${orderText(order)}`, { ...order })
    const action = this.#actionOf(order)
    if (isSwap(action)) this.#swaps.order(action, OPERATOR)
    else this.#intents.submit(action, OPERATOR)
  }

  /** Swaps of a live contest count for it; of one that is over what is left is swept. */
  #actionOf(order: OperatorOrder): Action {
    if (order.type !== 'sell') return order
    const { contestId, mint, amount } = order
    return { type: this.#present.ended.has(contestId) ? 'sweep' : 'swap', contestId, from: mint, to: USDC_MINT, amount }
  }
}

/** An order in words. */
function orderText(order: OperatorOrder): string {
  switch (order.type) {
    case 'leaveContest':
      return `leave contest ${order.contestId}`
    case 'cancelTicket':
      return `cancel ticket ${order.ticketId}`
    case 'sell':
      return `sell ${formatAmount(order.amount, order.mint)} of contest ${order.contestId}`
  }
}

/** Whether an action is what an order came to. */
export function isOfOrder(action: Action, order: OperatorOrder): boolean {
  switch (order.type) {
    case 'leaveContest':
      return action.type === 'leaveContest' && action.contestId === order.contestId
    case 'cancelTicket':
      return action.type === 'cancelTicket' && action.ticketId === order.ticketId
    case 'sell':
      return isSwap(action) && action.contestId === order.contestId && action.from === order.mint && action.amount === order.amount
  }
}
