import type { AddressLookupTableAccount, TransactionInstruction } from '@solana/web3.js'

/** An instruction as Jupiter's APIs write it. */
export function instructionBody({ programId, keys, data }: TransactionInstruction) {
  return {
    programId: programId.toBase58(),
    accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({ pubkey: pubkey.toBase58(), isSigner, isWritable })),
    data: Buffer.from(data).toString('base64'),
  }
}

/** What lookup tables hold, by their addresses; null for none. */
export function tablesBody(tables: readonly AddressLookupTableAccount[]): Readonly<Record<string, readonly string[]>> | null {
  if (tables.length === 0) return null
  return Object.fromEntries(tables.map(({ key, state }) => [key.toBase58(), state.addresses.map((address) => address.toBase58())]))
}
