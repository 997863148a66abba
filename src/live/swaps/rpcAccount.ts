import { z } from 'zod'
import { isTokenAccountData, readTokenAccount, TOKEN_ACCOUNT_STATE, TOKEN_PROGRAMS } from '../../core/tokenProgram.ts'
import type { AccountState } from './walletMoves.ts'

/** Other accounts than a wallet's own may hold more than a number of JSON tells exactly. */
export const lamportsSchema = z
  .number()
  .nonnegative()
  .refine((lamports) => Number.isInteger(lamports), 'no whole number')
  .transform(BigInt)

/** An account as the RPC gives it with `encoding: 'base64'`; null does not exist. */
export const rpcAccountSchema = z
  .looseObject({
    lamports: lamportsSchema,
    owner: z.string(),
    data: z.tuple([z.base64(), z.literal('base64')]).transform(([data]) => new Uint8Array(Buffer.from(data, 'base64'))),
  })
  .nullable()
export type RpcAccount = z.output<typeof rpcAccountSchema>

export function accountState(account: RpcAccount): AccountState {
  if (account === null) return { lamports: 0n, token: undefined }
  const { lamports, owner: program, data } = account
  if (!TOKEN_PROGRAMS.includes(program) || !isTokenAccountData(data)) return { lamports, token: undefined }
  const { mint, owner, amount, state } = readTokenAccount(data)
  if (state === TOKEN_ACCOUNT_STATE.uninitialized) return { lamports, token: undefined }
  return { lamports, token: { mint: mint.toBase58(), owner: owner.toBase58(), amount } }
}
