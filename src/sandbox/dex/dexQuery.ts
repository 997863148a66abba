import { bytesOfBase58 } from '../chain/base58.ts'
import { DexRefusal } from './jupiterErrors.ts'

// What both versions of the Swap API read of a query, with the words of Rust's parsers, which Jupiter passes on.

export const MOST_U64 = 2n ** 64n - 1n

/** @throws DexRefusal where it is left out, or is no address */
export function readMint(query: URLSearchParams, name: string): string {
  const mint = readAddress(query, name)
  if (mint === undefined) throw missing(name)
  return mint
}

/** @throws DexRefusal where it is no address */
export function readAddress(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (bytesOfBase58(text, 32) === undefined) throw new DexRefusal(`Query parameter ${name} cannot be parsed: Invalid`)
  return text
}

/** @throws DexRefusal where it is no whole number from 0 to `most` */
export function readInteger(query: URLSearchParams, name: string, most: bigint): bigint | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const kind = text === '' ? 'Empty' : /^\+?\d+$/.test(text) ? 'PosOverflow' : 'InvalidDigit'
  const value = kind === 'PosOverflow' && text.length <= 40 ? BigInt(text.replace('+', '')) : most + 1n
  if (value > most) throw new DexRefusal(`Query parameter ${name} cannot be parsed: ParseIntError { kind: ${kind} }`)
  return value
}

export const missing = (name: string): DexRefusal => new DexRefusal(`Failed to deserialize query string: missing field \`${name}\``)
