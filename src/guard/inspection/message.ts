import { type MessageAddressTableLookup, VersionedTransaction } from '@solana/web3.js'
import { type InspectionRefusal, refusal } from './codes.ts'
import type { LookupTables } from './terms.ts'

/** The most bytes the network takes: an IPv6 packet of 1,280 less its headers. */
export const MOST_BYTES = 1_232
/** What is still read, so that a transaction that is too large can be shown as such: the size of the library's own buffer. */
const MOST_READABLE_BYTES = 2_048
const SIGNATURE_BYTES = 64

/** An instruction with its accounts by address; undefined is one in a table that could not be read. */
export interface Instruction {
  readonly program: string
  readonly accounts: readonly (string | undefined)[]
  readonly data: Uint8Array
}

export interface Message {
  readonly version: 'legacy' | 0
  /** Of the whole transaction. */
  readonly bytes: number
  /** Whose signatures the message asks for, the fee payer first. */
  readonly signers: readonly string[]
  readonly signatures: readonly Uint8Array[]
  readonly blockhash: string
  readonly instructions: readonly Instruction[]
  /** Lookup tables that at least one account of the message could not be read from. */
  readonly unresolvedTables: readonly string[]
  /** What is signed. */
  readonly signed: Uint8Array
}

/** Reads a transaction's bytes. Nothing they say throws: what the chain would not take is a refusal. */
export function readMessage(transaction: Uint8Array, tables: LookupTables): Message | InspectionRefusal {
  const bytes = transaction.length
  if (bytes > MOST_READABLE_BYTES) return refusal('TX_TOO_LARGE', `the transaction has ${bytes} bytes`, { bytes, maxBytes: MOST_BYTES })
  try {
    return resolved(VersionedTransaction.deserialize(transaction), transaction, tables)
  } catch {
    return malformed('it cannot be decoded')
  }
}

function resolved({ message, signatures }: VersionedTransaction, transaction: Uint8Array, tables: LookupTables) {
  const signed = transaction.slice(1 + SIGNATURE_BYTES * signatures.length)
  // Whoever signs decodes these bytes anew. They must have one reading: no bytes left over, no length written in a longer form.
  const isCanonical = transaction.length > MOST_BYTES || Buffer.compare(message.serialize(), signed) === 0
  if (!isCanonical) return malformed('its bytes are not those of the message they decode to')

  const own = message.staticAccountKeys.map((key) => key.toBase58())
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = message.header
  if (numReadonlySignedAccounts >= numRequiredSignatures || numRequiredSignatures + numReadonlyUnsignedAccounts > own.length)
    return malformed('its header asks for more accounts than it has')

  const looked = message.addressTableLookups.map((lookup) => lookedUp(lookup, tables))
  const accounts = [...own, ...looked.flatMap(({ writable }) => writable), ...looked.flatMap(({ readonly }) => readonly)]
  const known = accounts.filter((account) => account !== undefined)
  if (new Set(known).size !== known.length) return malformed('it names an account twice')

  const instructions: Instruction[] = []
  for (const { programIdIndex, accountKeyIndexes, data } of message.compiledInstructions) {
    const program = own[programIdIndex]
    // The chain takes no program from a lookup table, and none that pays the fee.
    if (program === undefined || programIdIndex === 0) return malformed('an instruction names a program it may not')
    if (accountKeyIndexes.some((index) => index >= accounts.length)) return malformed('an instruction names an account that is not there')
    instructions.push({ program, accounts: accountKeyIndexes.map((index) => accounts[index]), data })
  }
  return {
    version: message.version,
    bytes: transaction.length,
    signers: own.slice(0, numRequiredSignatures),
    signatures,
    blockhash: message.recentBlockhash,
    instructions,
    unresolvedTables: looked.filter(({ isWhole }) => !isWhole).map(({ table }) => table),
    signed,
  }
}

function lookedUp({ accountKey, writableIndexes, readonlyIndexes }: MessageAddressTableLookup, tables: LookupTables) {
  const table = accountKey.toBase58()
  const entries = tables?.get(table) ?? []
  // An index past what was read is not an error of the transaction: tables grow.
  const [writable, readonly] = [writableIndexes, readonlyIndexes].map((indexes) => indexes.map((index) => entries[index]))
  return {
    table,
    writable: writable ?? [],
    readonly: readonly ?? [],
    isWhole: ![...(writable ?? []), ...(readonly ?? [])].includes(undefined),
  }
}

function malformed(why: string): InspectionRefusal {
  return refusal('TX_MALFORMED', `not a transaction the chain would take: ${why}`)
}
