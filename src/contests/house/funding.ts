import type { Usdc } from '../../core/usdc.ts'
import type { CommandBody, ContestsState } from '../index.ts'
import { HOUSE_BALANCE, HOUSE_GAS_LAMPORTS } from './roster.ts'

/**
 * Lamports a house agent keeps at least. On the chain, the rent of its token accounts is locked in them:
 * 0.002 SOL for each token it ever held.
 */
const LEAST_GAS_LAMPORTS = HOUSE_GAS_LAMPORTS / 5n

/** The command itself, or the deposit its agent needs before it. */
export function fundedFirst(state: ContestsState, body: CommandBody & { readonly agentId: string }, spends: Usdc): CommandBody {
  const { agentId } = body
  const { wallet = 0n, gasLamports = 0n } = state.agents.get(agentId) ?? {}
  if (gasLamports < LEAST_GAS_LAMPORTS) return { type: 'depositLamports', agentId, amount: HOUSE_GAS_LAMPORTS }
  if (wallet < spends) return { type: 'deposit', agentId, amount: spends > HOUSE_BALANCE ? spends : HOUSE_BALANCE }
  return body
}
