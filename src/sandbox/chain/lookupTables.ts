import { AddressLookupTableAccount, AddressLookupTableProgram, PublicKey } from '@solana/web3.js'
import { TOKENS } from '../../core/tokens.ts'
import { tokenAddress } from './tokenAccounts.ts'
import type { ChainAccount, Vm } from './vm.ts'

const PROGRAM = AddressLookupTableProgram.programId.toBase58()
/** The addresses of a table by its own; undefined where there is no such table. */
export type TableReader = (table: string) => readonly string[] | undefined

/** Where a table's addresses begin, as `AddressLookupTableAccount` reads them. */
const HEADER_BYTES = 56
const LOOKUP_TABLE = 1
const NEVER = 2n ** 64n - 1n

/** The tables of the DEX: one of the mints, one of its own token accounts. */
export function dexTables(dex: string): AddressLookupTableAccount[] {
  const contents = [TOKENS.map(({ mint }) => mint), TOKENS.map((token) => tokenAddress(dex, token))]
  const authority = new PublicKey(dex)
  return contents.map((addresses, recentSlot) => {
    const [, key] = AddressLookupTableProgram.createLookupTable({ authority, payer: authority, recentSlot })
    const state = { deactivationSlot: NEVER, lastExtendedSlot: 0, lastExtendedSlotStartIndex: addresses.length, authority }
    return new AddressLookupTableAccount({ key, state: { ...state, addresses: addresses.map((address) => new PublicKey(address)) } })
  })
}

/** A table as its program would have made it. */
export function tableAccount(table: AddressLookupTableAccount, vm: Vm): ChainAccount {
  const data = tableBytes(table)
  return { address: table.key.toBase58(), lamports: vm.rentOf(data.length), owner: PROGRAM, data, executable: false }
}

export function tableBytes({ state }: Pick<AddressLookupTableAccount, 'state'>): Buffer {
  const data = Buffer.alloc(HEADER_BYTES + 32 * state.addresses.length)
  data.writeUInt32LE(LOOKUP_TABLE, 0)
  data.writeBigUInt64LE(state.deactivationSlot, 4)
  data.writeBigUInt64LE(BigInt(state.lastExtendedSlot), 12)
  data.writeUInt8(state.lastExtendedSlotStartIndex, 20)
  data.writeUInt8(1, 21)
  data.set(state.authority?.toBytes() ?? [], 22)
  for (const [index, address] of state.addresses.entries()) data.set(address.toBytes(), HEADER_BYTES + 32 * index)
  return data
}

/** What a table holds; undefined for any other account. */
export function addressesOfTable(account: ChainAccount | undefined): readonly string[] | undefined {
  if (account?.owner !== PROGRAM) return undefined
  return AddressLookupTableAccount.deserialize(account.data).addresses.map((address) => address.toBase58())
}
