import { z } from 'zod'
import { USDC_MINT } from '../../core/tokens.ts'
import type { Usdc } from '../../core/usdc.ts'
import type { ChainRpc, RpcAnswer } from './chainRpc.ts'
import { accountState, rpcAccountSchema } from './rpcAccount.ts'

const accountsSchema = z.looseObject({ value: z.array(z.looseObject({ account: rpcAccountSchema })) })

/** Reads the USDC of a wallet on the chain, over all of its token accounts. Micro-USDC. */
export async function walletUsdc(rpc: ChainRpc, wallet: string): Promise<RpcAnswer<Usdc>> {
  const how = { encoding: 'base64', commitment: 'confirmed' }
  const answer = await rpc.call('getTokenAccountsByOwner', [wallet, { mint: USDC_MINT }, how], accountsSchema)
  if (!answer.ok) return answer
  return { ok: true, value: answer.value.value.reduce((sum, { account }) => sum + (accountState(account).token?.amount ?? 0n), 0n) }
}
