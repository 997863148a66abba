import { formatAmount, USDC_MINT } from '../core/tokens.ts'
import { formatUsdc } from '../core/usdc.ts'
import type { GuardLedger } from '../guard/index.ts'
import { type Action, isSwap } from '../strategy/action.ts'
import type { Intents } from './actions/intents.ts'
import type { OperatorOrder } from './protocol/input.ts'
import type { Present } from './state/present.ts'
import type { Swaps } from './swaps/swaps.ts'

/** Who asks for what the operator has ordered. */
export const OPERATOR = 'operator'

interface OrdersOptions {
  readonly intents: Intents
  readonly swaps: Swaps
  readonly ledger: GuardLedger
}

/** Orders that an action carries out; the others change the guard's ledger at once. */
type ActionOrder = Exclude<OperatorOrder, { readonly type: 'acknowledge' | 'closeEntry' }>

/** What the operator has the bot do: each order is an action like any other, for the guard to judge and the journal to keep. */
export class Orders {
  readonly #present: Present
  readonly #intents: Intents
  readonly #swaps: Swaps
  readonly #ledger: GuardLedger

  constructor(present: Present, { intents, swaps, ledger }: OrdersOptions) {
    this.#present = present
    this.#intents = intents
    this.#swaps = swaps
    this.#ledger = ledger
  }

  take(order: OperatorOrder): void {
    this.#present.step.note('info', `the operator orders: ${orderText(order)}`, { ...order })
    if (order.type === 'acknowledge') {
      this.#ledger.acknowledge(order.amount)
      return
    }
    if (order.type === 'closeEntry') {
      const wasHeld = this.#ledger.close(order.key)
      if (!this.#intents.close(order.key) && !wasHeld) this.#present.step.note('warn', `no open entry has the key ${order.key}`)
      return
    }
    const action = this.#actionOf(order)
    if (isSwap(action)) this.#swaps.order(action, OPERATOR)
    else this.#intents.submit(action, OPERATOR)
  }

  /** Swaps of a live contest count for it; of one that is over what is left is swept. */
  #actionOf(order: ActionOrder): Action {
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
    case 'acknowledge':
      return `count ${formatUsdc(order.amount)} USDC that the bankroll lacks as accounted for`
    case 'closeEntry':
      return `count the entry ${order.key} as lost`
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
    case 'acknowledge':
    case 'closeEntry':
      return false
    case 'sell':
      return isSwap(action) && action.contestId === order.contestId && action.from === order.mint && action.amount === order.amount
  }
}
