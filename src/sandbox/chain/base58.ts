import { getBase58Codec } from '@solana/kit'

const codec = getBase58Codec()

/** Bytes as base58 text. */
export function base58Of(bytes: Uint8Array): string {
  return codec.decode(bytes)
}

/** Base58 text as bytes; undefined for text that is not base58, or not of exactly `length` bytes where that is given. */
export function bytesOfBase58(text: string, length?: number): Uint8Array | undefined {
  // The longest base58 of n bytes; decoding takes time by the square of the length.
  if (length !== undefined && text.length > Math.ceil(length * 1.38)) return undefined
  try {
    const bytes = codec.encode(text)
    return length === undefined || bytes.length === length ? new Uint8Array(bytes) : undefined
  } catch {
    return undefined
  }
}
