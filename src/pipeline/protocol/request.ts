import type { ActionName, ProcedureInput } from '../../contract/procedures.ts'
import { invariant } from '../../core/error.ts'
import type { PaperSwap, SendSwap } from '../../guard/index.ts'
import type { ServiceAction } from '../../strategy/action.ts'
import type { Custody } from './input.ts'

/** One POST to the service. */
export type ActionRequest = { readonly [N in ActionName]: { readonly procedure: N; readonly input: ProcedureInput<N> } }[ActionName]

/** A swap in a world without a chain: nothing is posted. */
export interface PaperRequest {
  readonly procedure: 'swap'
  readonly input: PaperSwap
}

/** The request of an action; predictions are sent as what is in custody for them. */
export function requestOf(action: ServiceAction, custody: Custody | undefined): ActionRequest {
  switch (action.type) {
    case 'enqueue': {
      const { type: _, ...input } = action
      return { procedure: 'agent.queue.enqueue', input }
    }
    case 'cancelTicket':
      return { procedure: 'agent.queue.cancel', input: { ticketId: action.ticketId } }
    case 'createContest': {
      const { type: _, ...input } = action
      return { procedure: 'agent.contests.create', input }
    }
    case 'joinContest':
      return {
        procedure: 'agent.contests.join',
        input: { contestId: action.contestId, ...(action.side === undefined ? {} : { side: action.side }) },
      }
    case 'leaveContest':
      return { procedure: 'agent.contests.leave', input: { contestId: action.contestId } }
    case 'ready':
      return { procedure: 'agent.contests.ready', input: { contestId: action.contestId, ready: action.ready } }
    case 'draftPick':
      return { procedure: 'agent.modes.draftPick', input: { contestId: action.contestId, token: action.token } }
    case 'commitPrediction':
      invariant(custody !== undefined, 'a commitment is sent from custody', { contestId: action.contestId })
      return { procedure: 'agent.modes.commitPrediction', input: { contestId: action.contestId, commitment: custody.commitment } }
    case 'revealPrediction':
      invariant(custody !== undefined, 'a reveal is sent from custody', { contestId: action.contestId })
      return {
        procedure: 'agent.modes.revealPrediction',
        input: { contestId: action.contestId, value: custody.price, salt: custody.salt },
      }
  }
}

/** The request of a swap, as it came to be let out. */
export function sendRequestOf(action: SendSwap | PaperSwap): ActionRequest | PaperRequest {
  if (action.type === 'paperSwap') return { procedure: 'swap', input: action }
  const { transaction, contestId } = action
  return { procedure: 'agent.trade.signAndSend', input: { transaction, ...(contestId === undefined ? {} : { contestId }) } }
}
