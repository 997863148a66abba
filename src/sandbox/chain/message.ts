import { hash } from 'node:crypto'
import { PublicKey, VersionedTransaction } from '@solana/web3.js'
import { base58Of } from './base58.ts'
import type { TableReader } from './lookupTables.ts'
import { SIGNATURE_BYTES } from './sign.ts'

/** The most bytes of a transaction: what a packet of the network holds. */
export const MOST_TRANSACTION_BYTES = 1232

/** An instruction with its accounts by address; one from a lookup table that does not have it is null. */
export interface DecodedInstruction {
  readonly program: string
  readonly accounts: readonly (string | null)[]
  readonly data: Uint8Array
}

/** A transaction, legacy or version 0, read out of its bytes. */
export interface DecodedTransaction {
  readonly bytes: Uint8Array
  /** What the signatures are of. */
  readonly message: Uint8Array
  /** SHA-256 of the message, hexadecimal. */
  readonly messageHash: string
  readonly version: 'legacy' | 0
  /** The first signer, who pays the fee. */
  readonly payer: string
  /** Every required signer with its signature; null: not there. */
  readonly signers: readonly { readonly address: string; readonly signature: Uint8Array | null }[]
  readonly blockhash: string
  /** Accounts named in the message itself, in order. */
  readonly accounts: readonly string[]
  /** Accounts it takes from lookup tables, in the chain's order: those it may write to, then the others. */
  readonly loaded: readonly string[]
  /** Of both. */
  readonly writable: readonly string[]
  readonly programs: readonly string[]
  readonly instructions: readonly DecodedInstruction[]
}

const NO_TABLES: TableReader = () => undefined

/** Reads a transaction, its lookup tables as they are now; undefined for bytes that are not exactly one. */
export function decodeTransaction(bytes: Uint8Array, tables = NO_TABLES): DecodedTransaction | undefined {
  try {
    const transaction = VersionedTransaction.deserialize(bytes)
    // The reader is lenient: bytes left over, and numbers not in their shortest form, would change the hash of the same message.
    if (Buffer.compare(transaction.serialize(), bytes) !== 0) return undefined
    return decoded(transaction, bytes, tables)
  } catch {
    return undefined
  }
}

function decoded({ message, signatures, version }: VersionedTransaction, bytes: Uint8Array, tables: TableReader) {
  const accounts = message.staticAccountKeys.map((key) => key.toBase58())
  const { numRequiredSignatures } = message.header
  const payer = accounts[0]
  const isSound =
    payer !== undefined &&
    numRequiredSignatures >= 1 &&
    numRequiredSignatures <= accounts.length &&
    signatures.length === numRequiredSignatures &&
    new Set(accounts).size === accounts.length
  if (!isSound) return undefined
  const lookups = message.addressTableLookups.map((lookup) => ({ ...lookup, addresses: tables(lookup.accountKey.toBase58()) ?? [] }))
  const [loadedWritable, loadedReadonly] = (['writableIndexes', 'readonlyIndexes'] as const).map((kind) =>
    lookups.flatMap(({ addresses, [kind]: indexes }) => indexes.map((index) => addresses[index] ?? null)),
  ) as [(string | null)[], (string | null)[]]
  const all = [...accounts, ...loadedWritable, ...loadedReadonly]
  const instructions = message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    program: accounts[programIdIndex] ?? '',
    accounts: accountKeyIndexes.map((index) => all[index] ?? null),
    data,
  }))
  // A program can be neither the payer nor out of a lookup table.
  if (instructions.some(({ program }) => program === '' || program === payer)) return undefined
  const body = message.serialize()
  return {
    bytes,
    message: body,
    messageHash: hash('sha256', body),
    version,
    payer,
    signers: signatures.map((signature, index) => ({ address: accounts[index] ?? '', signature: isEmpty(signature) ? null : signature })),
    blockhash: message.recentBlockhash,
    accounts,
    loaded: isThere([...loadedWritable, ...loadedReadonly]),
    writable: [...accounts.filter((_, index) => message.isAccountWritable(index)), ...isThere(loadedWritable)],
    programs: [...new Set(instructions.map(({ program }) => program))],
    instructions,
  }
}

const isThere = (addresses: readonly (string | null)[]): string[] => addresses.filter((address) => address !== null)

const isEmpty = (signature: Uint8Array): boolean => signature.every((byte) => byte === 0)

/** The same transaction with a signature put in place. */
export function withSignature(transaction: DecodedTransaction, address: string, signature: Uint8Array): DecodedTransaction {
  const index = transaction.signers.findIndex((signer) => signer.address === address)
  const bytes = new Uint8Array(transaction.bytes)
  // Fewer than 128 signatures fit: their number takes one byte.
  bytes.set(signature, 1 + index * SIGNATURE_BYTES)
  const signers = transaction.signers.map((signer) => (signer.address === address ? { address, signature } : signer))
  return { ...transaction, bytes, signers }
}

/** The transaction's own name: its first signature, base58. */
export function signatureOf({ signers }: DecodedTransaction): string {
  return base58Of(signers[0]?.signature ?? new Uint8Array(SIGNATURE_BYTES))
}

export const publicBytes = (address: string): Uint8Array => new PublicKey(address).toBytes()
