import { SANDBOX_TRANSFER_FEE } from '../../core/clusters.ts'
import type { TransferFee } from '../../core/tokenFacts.ts'
import { isTokenAccountData, MINT_BYTES, TOKEN_ACCOUNT_BYTES } from '../../core/tokenProgram.ts'
import { type Mint, tokenOfMint } from '../../core/tokens.ts'

// What Token-2022 keeps behind the base of a mint and of a token account where transfers pay a fee: a byte that says which of the two it
// is, then type, length and value of each extension (https://github.com/solana-program/token-2022/tree/main/interface/src/extension). That
// the layouts are right the program itself shows, which keeps the fee back by them.

const IS_MINT = 1
const IS_ACCOUNT = 2
/** Extension types of the program. */
const TRANSFER_FEE_CONFIG = 1
const TRANSFER_FEE_AMOUNT = 2
const IMMUTABLE_OWNER = 7
const FEE_CONFIG_BYTES = 108
const FEE_AMOUNT_BYTES = 8
/** Two authorities, which the sandbox has none of, and what the mint itself holds back. */
const SCHEDULES_AT = 32 + 32 + 8
const SCHEDULE_BYTES = 18

/** What the mint keeps back of each transfer on the sandbox's chain; undefined: nothing. */
export const transferFeeOf = (mint: Mint): TransferFee | undefined =>
  tokenOfMint(mint)?.hasTransferFee === true ? SANDBOX_TRANSFER_FEE : undefined

/** A mint with its fee behind it, the same in both schedules. */
export function withFeeConfig(mint: Uint8Array, { feeBps, maximum }: TransferFee): Buffer {
  const config = Buffer.alloc(FEE_CONFIG_BYTES)
  for (const at of [SCHEDULES_AT, SCHEDULES_AT + SCHEDULE_BYTES]) {
    config.writeBigUInt64LE(maximum, at + 8)
    config.writeUInt16LE(feeBps, at + 16)
  }
  const base = Buffer.alloc(TOKEN_ACCOUNT_BYTES)
  base.set(mint.subarray(0, MINT_BYTES))
  return Buffer.concat([base, Buffer.from([IS_MINT]), extension(TRANSFER_FEE_CONFIG, config)])
}

/** A token account of such a mint, as the associated token program makes it. */
export const withFeeAmount = (account: Uint8Array): Buffer =>
  Buffer.concat([
    account.subarray(0, TOKEN_ACCOUNT_BYTES),
    Buffer.from([IS_ACCOUNT]),
    extension(IMMUTABLE_OWNER, Buffer.alloc(0)),
    extension(TRANSFER_FEE_AMOUNT, Buffer.alloc(FEE_AMOUNT_BYTES)),
  ])

/** The same account with nothing of a fee withheld in it. */
export function withoutWithheld(account: Uint8Array): Buffer {
  const bytes = Buffer.from(account)
  const value = isTokenAccountData(bytes) ? extensionOf(bytes, TRANSFER_FEE_AMOUNT) : undefined
  value?.fill(0)
  return bytes
}

/** Both fees of an extended mint; undefined where it keeps none back. */
export function feeSchedulesOf(mint: Uint8Array): readonly (TransferFee & { readonly epoch: bigint })[] | undefined {
  const config = isExtendedMint(mint) ? extensionOf(Buffer.from(mint), TRANSFER_FEE_CONFIG) : undefined
  return (
    config &&
    [SCHEDULES_AT, SCHEDULES_AT + SCHEDULE_BYTES].map((at) => ({
      epoch: config.readBigUInt64LE(at),
      maximum: config.readBigUInt64LE(at + 8),
      feeBps: config.readUInt16LE(at + 16),
    }))
  )
}

export const isExtendedMint = (data: Uint8Array): boolean => data.length > TOKEN_ACCOUNT_BYTES && data[TOKEN_ACCOUNT_BYTES] === IS_MINT

function extension(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(type, 0)
  head.writeUInt16LE(value.length, 2)
  return Buffer.concat([head, value])
}

function extensionOf(bytes: Buffer, type: number): Buffer | undefined {
  for (let at = TOKEN_ACCOUNT_BYTES + 1; at + 4 <= bytes.length; ) {
    const [found, length] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)]
    if (found === type) return bytes.subarray(at + 4, at + 4 + length)
    at += 4 + length
  }
  return undefined
}
