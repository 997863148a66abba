import { ACCOUNT_SIZE, AccountLayout, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID, AccountState as TokenState } from '@solana/spl-token'
import { z } from 'zod'
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

const TOKEN_PROGRAMS = [TOKEN_PROGRAM_ID.toBase58(), TOKEN_2022_PROGRAM_ID.toBase58()]
/** Accounts of Token-2022 can be longer: their extensions follow a byte that says what the account is. */
const EXTENDED_ACCOUNT = 2

export function accountState(account: RpcAccount): AccountState {
  if (account === null) return { lamports: 0n, token: undefined }
  const { lamports, owner: program, data } = account
  const isTokenAccount =
    TOKEN_PROGRAMS.includes(program) &&
    (data.length === ACCOUNT_SIZE || (data.length > ACCOUNT_SIZE && data[ACCOUNT_SIZE] === EXTENDED_ACCOUNT))
  if (!isTokenAccount) return { lamports, token: undefined }
  const { mint, owner, amount, state } = AccountLayout.decode(data)
  if (state === TokenState.Uninitialized) return { lamports, token: undefined }
  return { lamports, token: { mint: mint.toBase58(), owner: owner.toBase58(), amount } }
}
