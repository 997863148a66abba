import type { Clock } from '../../core/clock.ts'
import { ChainRpc } from './chainRpc.ts'
import { type ClusterAnswer, clusterOf } from './clusterOf.ts'
import { type RpcHealth, rpcHealth } from './rpcHealth.ts'

interface RpcLook {
  readonly rpcUrl: string
  /** Genesis hashes of the chains that it may be of. */
  readonly genesis: readonly string[] | undefined
  readonly timeoutMs: number
  readonly clock: Clock
}

/** One look at an RPC, for people: which chain it is of, and whether it keeps up. */
export async function lookAtRpc({
  rpcUrl,
  genesis = [],
  timeoutMs,
  clock,
}: RpcLook): Promise<{ readonly cluster: ClusterAnswer; readonly health: RpcHealth }> {
  const rpc = new ChainRpc({ url: rpcUrl, timeoutMs, clock })
  try {
    const [cluster, health] = await Promise.all([clusterOf(rpc, genesis), rpcHealth(rpc, clock)])
    return { cluster, health }
  } finally {
    await rpc.close()
  }
}
