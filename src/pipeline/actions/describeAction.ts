import { formatUsdc, type Usdc } from '../../core/usdc.ts'
import type { Action, ServiceAction } from '../../strategy/action.ts'

/** An action in a line of the log. */
export function describeAction(action: ServiceAction, stake: Usdc): string {
  const what = 'mode' in action ? ` ${action.mode}` : 'contestId' in action ? ` ${action.contestId}` : ''
  return `${action.type}${what}${stake === 0n ? '' : ` for ${formatUsdc(stake)} USDC`}`
}

export const makesSomething = (action: Action): boolean => action.type === 'enqueue' || action.type === 'createContest'
