import { VersionedTransaction } from '@solana/web3.js'

const SIGNATURE_BYTES = 64

/** What of a transaction is looked at here. Addresses are base58. */
export interface WireTransaction {
  /** What the signatures are of: the same before signing and after. */
  readonly message: Uint8Array
  readonly blockhash: string
  /** Accounts named in the message itself, the fee payer first. */
  readonly accounts: readonly string[]
  readonly writable: readonly string[]
  readonly lookups: readonly { readonly table: string; readonly writable: readonly number[] }[]
}

/** Reads a transaction; undefined where the base64 is none. */
export function readWireTransaction(base64: string): WireTransaction | undefined {
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
  try {
    const { message, signatures } = VersionedTransaction.deserialize(bytes)
    const accounts = message.staticAccountKeys.map((key) => key.toBase58())
    if (accounts.length === 0 || bytes[0] !== signatures.length) return undefined
    return {
      message: bytes.slice(1 + signatures.length * SIGNATURE_BYTES),
      blockhash: message.recentBlockhash,
      accounts,
      writable: accounts.filter((_, index) => message.isAccountWritable(index)),
      lookups: message.addressTableLookups.map(({ accountKey, writableIndexes }) => ({
        table: accountKey.toBase58(),
        writable: [...writableIndexes],
      })),
    }
  } catch {
    return undefined
  }
}

/** Why a transaction failed, as Solana's JSON-RPC has it, in words. */
export function failureWords(error: unknown): string {
  if (typeof error === 'string') return error
  const instruction = typeof error === 'object' && error !== null && 'InstructionError' in error ? error.InstructionError : undefined
  if (!Array.isArray(instruction)) return JSON.stringify(error).slice(0, 200)
  const [index, reason] = instruction as [unknown, unknown]
  const custom = typeof reason === 'object' && reason !== null && 'Custom' in reason ? Number(reason.Custom) : undefined
  const words =
    custom === undefined ? (typeof reason === 'string' ? reason : JSON.stringify(reason)) : `custom program error 0x${custom.toString(16)}`
  return `instruction ${Number(index)}: ${words}`
}
