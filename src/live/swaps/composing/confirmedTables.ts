import type { Refusal } from '../../../guard/index.ts'
import type { ChainRpc, RpcTrouble } from '../chainRpc.ts'
import { type LookupTables, readLookupTables } from '../lookupTables.ts'

export type ConfirmedTables =
  | { readonly ok: true; readonly value: LookupTables }
  | { readonly ok: false; readonly refusal: Refusal }
  | RpcTrouble

/**
 * Reads lookup tables that a DEX names, and compares what it says is in them. A table may have grown since; one that differs in
 * a place that both have, or that the chain does not have, would put other accounts into the transaction than were looked at.
 */
export async function confirmedTables(rpc: ChainRpc, said: LookupTables): Promise<ConfirmedTables> {
  const read = await readLookupTables(rpc, { lookups: [...said.keys()].map((table) => ({ table, writable: [] })) })
  if (!read.ok) return read
  for (const [table, entries] of said) {
    const onChain = read.value.get(table)
    if (onChain === undefined)
      return refused(`the lookup table ${table} that the DEX names is not on the chain`, { table, tables: said.size })
    const place = entries.findIndex((entry, index) => index < onChain.length && entry !== onChain[index])
    const [is, named] = [onChain[place], entries[place]]
    if (is === undefined || named === undefined) continue
    const message = `the lookup table ${table} holds ${is} at place ${place}, and ${named} by the word of the DEX`
    return refused(message, { table, place, said: named, onChain: is })
  }
  return read
}

const refused = (message: string, numbers: Refusal['numbers']): ConfirmedTables => ({
  ok: false,
  refusal: { code: 'TX_TABLE_UNRESOLVED', message, numbers },
})
