import { AddressLookupTableAccount, PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { type LooseInstruction, MOST_BYTES } from '../../../guard/index.ts'
import type { LookupTables } from '../lookupTables.ts'

export interface Composition {
  /** Pays, and is the only one who signs. Base58, like all addresses. */
  readonly payer: string
  readonly blockhash: string
  /** In the order they are executed. */
  readonly instructions: readonly LooseInstruction[]
  /** Tables to name accounts by, with their contents on the chain; with none the transaction is a legacy one. */
  readonly tables: LookupTables
}

/** `bytes`: of the whole transaction, its empty signatures included. */
export type Composed =
  | { readonly ok: true; readonly bytes: number; readonly transaction: Uint8Array }
  /** It does not fit into a packet of the network. */
  | { readonly ok: false; readonly bytes: number }

/** Most addresses that a message can number. */
const MOST_ADDRESSES = 256
const NEVER_DEACTIVATED = 2n ** 64n - 1n
const SIGNATURE_BYTES = 64
const ADDRESS_BYTES = 32
const HEADER_BYTES = 3
const VERSION_BYTES = 1

/**
 * Makes one unsigned transaction of instructions, and adds nothing to them. What the bytes come to is counted first: the
 * library fails on a message that is too large, and does not say by how much.
 */
export function composeTransaction({ payer, blockhash, instructions, tables }: Composition): Composed {
  const named = new Set([payer, ...instructions.flatMap(({ program, accounts }) => [program, ...accounts.map(({ address }) => address)])])
  if (named.size > MOST_ADDRESSES) return { ok: false, bytes: named.size * ADDRESS_BYTES }
  const draft = new TransactionMessage({
    payerKey: new PublicKey(payer),
    recentBlockhash: blockhash,
    instructions: instructions.map(libraryInstruction),
  })
  const message = tables.size === 0 ? draft.compileToLegacyMessage() : draft.compileToV0Message([...tables].map(libraryTable))
  const bytes = bytesOf(message)
  return bytes > MOST_BYTES ? { ok: false, bytes } : { ok: true, bytes, transaction: new VersionedTransaction(message).serialize() }
}

function libraryInstruction({ program, accounts, data }: LooseInstruction): TransactionInstruction {
  const keys = accounts.map(({ address, isSigner, isWritable }) => ({ pubkey: new PublicKey(address), isSigner, isWritable }))
  return new TransactionInstruction({ programId: new PublicKey(program), keys, data: Buffer.from(data) })
}

function libraryTable([address, entries]: readonly [string, readonly string[]]): AddressLookupTableAccount {
  const state = {
    deactivationSlot: NEVER_DEACTIVATED,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: entries.map((entry) => new PublicKey(entry)),
  }
  return new AddressLookupTableAccount({ key: new PublicKey(address), state })
}

/** By the layout of https://solana.com/docs/core/transactions: every list has its length before it. */
function bytesOf({
  header,
  staticAccountKeys,
  compiledInstructions,
  addressTableLookups,
  version,
}: VersionedTransaction['message']): number {
  const { numRequiredSignatures } = header
  const sizes = compiledInstructions.map(({ accountKeyIndexes, data }) => 1 + listBytes(accountKeyIndexes.length) + listBytes(data.length))
  const lookups = addressTableLookups.map(
    ({ writableIndexes, readonlyIndexes }) => ADDRESS_BYTES + listBytes(writableIndexes.length) + listBytes(readonlyIndexes.length),
  )
  return [
    listBytes(numRequiredSignatures, SIGNATURE_BYTES),
    HEADER_BYTES,
    listBytes(staticAccountKeys.length, ADDRESS_BYTES),
    ADDRESS_BYTES,
    lengthBytes(sizes.length),
    ...sizes,
    ...(version === 0 ? [VERSION_BYTES, lengthBytes(lookups.length), ...lookups] : []),
  ].reduce((sum, size) => sum + size, 0)
}

const listBytes = (length: number, each = 1): number => lengthBytes(length) + length * each

/** A length is written in seven bits a byte. */
const lengthBytes = (length: number): number => (length < 2 ** 7 ? 1 : length < 2 ** 14 ? 2 : 3)
