import { z } from 'zod'
import { clusterName } from '../../core/clusters.ts'
import type { ChainRpc } from './chainRpc.ts'

/** What is known of the chain behind an RPC: `undefined` where the node does not say which it is. */
export type ClusterAnswer = { readonly genesis: string; readonly trouble: string | undefined } | undefined

/**
 * Asks an RPC which chain it is of. A node that does not say is given the benefit of the doubt: what is simulated there says the rest.
 *
 * @param expected genesis hashes that will do
 */
export async function clusterOf(rpc: ChainRpc, expected: readonly string[]): Promise<ClusterAnswer> {
  const answer = await rpc.call('getGenesisHash', [], z.string().min(32).max(44))
  if (!answer.ok) return undefined
  const { value: genesis } = answer
  if (expected.includes(genesis)) return { genesis, trouble: undefined }
  const wanted = expected.map(clusterName).join(' or ')
  return { genesis, trouble: `market.rpcUrl is of another chain: ${clusterName(genesis)}, where ${wanted} is needed` }
}
