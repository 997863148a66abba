import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import type { ChainRpc } from './chainRpc.ts'

/** A block lasts 0.4 s: a node that is older than that serves blockhashes and balances of before. */
const MOST_BLOCK_AGE_MS = 30_000

/** How far a node is behind the chain it follows. */
export type RpcHealth =
  | { readonly ok: true; readonly slot: number; readonly blockAgeMs: number | undefined }
  /** `isReached`: it answers, and says that it is not well, or shows it. */
  | { readonly ok: false; readonly isReached: boolean; readonly reason: string }

/** Asks a node whether it is well, and how old its newest block is. */
export async function rpcHealth(rpc: ChainRpc, clock: Clock): Promise<RpcHealth> {
  const slot = await rpc.call('getSlot', [{ commitment: 'confirmed' }], z.number().int().nonnegative())
  if (!slot.ok) return { ok: false, isReached: false, reason: slot.reason }
  const health = await rpc.call('getHealth', [], z.unknown())
  // A node that is behind refuses with -32005; one that does not know the method says nothing of itself.
  if (!health.ok && health.reason.includes('(-32005)')) return { ok: false, isReached: true, reason: health.reason }
  const time = await rpc.call('getBlockTime', [slot.value], z.number().nullable())
  const blockAgeMs = time.ok && time.value !== null ? Math.max(0, clock.now() - time.value * 1000) : undefined
  if (blockAgeMs === undefined || blockAgeMs <= MOST_BLOCK_AGE_MS) return { ok: true, slot: slot.value, blockAgeMs }
  const seconds = Math.round(blockAgeMs / 1000)
  return { ok: false, isReached: true, reason: `the RPC is behind: its newest block, ${slot.value}, is ${seconds} s old` }
}
