import { AddressLookupTableAccount, AddressLookupTableProgram } from '@solana/web3.js'
import { z } from 'zod'
import type { ChainRpc, RpcAnswer } from './chainRpc.ts'
import { type RpcAccount, rpcAccountSchema } from './rpcAccount.ts'
import type { WireTransaction } from './wireTransaction.ts'

export type LookupTables = ReadonlyMap<string, readonly string[]>

const accountsSchema = z.looseObject({ value: z.array(rpcAccountSchema) })
const PROGRAM = AddressLookupTableProgram.programId.toBase58()

/** The tables a transaction names, with their addresses; one that does not exist, or is none, is left out. */
export async function readLookupTables(rpc: ChainRpc, { lookups }: Pick<WireTransaction, 'lookups'>): Promise<RpcAnswer<LookupTables>> {
  const names = [...new Set(lookups.map(({ table }) => table))]
  if (names.length === 0) return { ok: true, value: new Map() }
  const answer = await rpc.call('getMultipleAccounts', [names, { encoding: 'base64', commitment: 'confirmed' }], accountsSchema)
  if (!answer.ok) return answer
  const { value } = answer.value
  return {
    ok: true,
    value: new Map(
      names.flatMap((name, index) => {
        const addresses = addressesOf(value[index] ?? null)
        return addresses === undefined ? [] : [[name, addresses] as const]
      }),
    ),
  }
}

function addressesOf(account: RpcAccount): string[] | undefined {
  if (account?.owner !== PROGRAM) return undefined
  try {
    return AddressLookupTableAccount.deserialize(account.data).addresses.map((address) => address.toBase58())
  } catch {
    return undefined
  }
}
