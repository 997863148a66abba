import { z } from 'zod'
import { base58Of, bytesOfBase58 } from '../chain/base58.ts'
import type { Chain } from '../chain/chain.ts'
import { type DecodedTransaction, MOST_TRANSACTION_BYTES } from '../chain/message.ts'
import { SIGNATURE_BYTES } from '../chain/sign.ts'
import { INVALID_PARAMS, invalidParam, RpcError } from './rpcError.ts'

/** The parameters of a call: by place, as all of Solana's are. */
export type Params = readonly unknown[]

export function addressParam(value: unknown): string {
  const bytes = typeof value === 'string' ? bytesOfBase58(value, 32) : undefined
  if (bytes === undefined) throw invalidParam('Invalid')
  return base58Of(bytes)
}

export function signatureParam(value: unknown): string {
  if (typeof value === 'string' && bytesOfBase58(value, SIGNATURE_BYTES) !== undefined) return value
  throw invalidParam('Invalid')
}

/** A list with at most so many items. */
export function listParam(value: unknown, most: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new RpcError(INVALID_PARAMS, 'Invalid params: expected a sequence')
  if (value.length > most) throw invalidParam(`Too many inputs provided; max ${most}`)
  return value
}

/** The options of a call; fields this sandbox has no use for (`commitment`, as there are no forks) are not looked at. */
export function optionsParam<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const read = schema.safeParse(value ?? {})
  if (read.success) return read.data
  throw new RpcError(INVALID_PARAMS, `Invalid params: ${read.error.issues[0]?.path.join('.')}: ${read.error.issues[0]?.message}.`)
}

export const accountOptions = z.looseObject({
  encoding: z.enum(['base58', 'base64', 'base64+zstd', 'jsonParsed']).default('base64'),
  dataSlice: z.object({ offset: z.number().int().min(0), length: z.number().int().min(0) }).optional(),
})
export type AccountOptions = z.output<typeof accountOptions>

/** A transaction in base58, the default, or base64. */
export function transactionParam(value: unknown, encoding: 'base58' | 'base64', chain: Chain): DecodedTransaction {
  if (typeof value !== 'string') throw invalidParam('expected an encoded transaction')
  const bytes = encoding === 'base64' ? new Uint8Array(Buffer.from(value, 'base64')) : bytesOfLongBase58(value)
  if (bytes.length > MOST_TRANSACTION_BYTES)
    throw new RpcError(
      INVALID_PARAMS,
      `decoded solana_transaction::versioned::VersionedTransaction too large: ${bytes.length} bytes (max: ${MOST_TRANSACTION_BYTES} bytes)`,
    )
  const transaction = chain.decode(bytes)
  if (transaction === undefined)
    throw new RpcError(INVALID_PARAMS, 'failed to deserialize solana_transaction::versioned::VersionedTransaction: not a transaction')
  return transaction
}

function bytesOfLongBase58(text: string): Uint8Array {
  const bytes = decodeBase58(text)
  if (bytes === undefined) throw new RpcError(INVALID_PARAMS, 'invalid base58 encoding')
  return bytes
}

function decodeBase58(text: string): Uint8Array | undefined {
  // The longest base58 of a transaction; decoding takes time by the square of the length.
  return text.length > Math.ceil(MOST_TRANSACTION_BYTES * 1.38) ? undefined : bytesOfBase58(text)
}
