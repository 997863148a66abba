import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'

// Ed25519 by node:crypto: web3.js signs in JavaScript, and takes most of the time of a transaction for it.

/** DER before the raw key (RFC 8410). */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_HEADER = Buffer.from('302a300506032b6570032100', 'hex')

export const SIGNATURE_BYTES = 64

/** A key pair that signs: the public key's 32 bytes and the private key. */
export interface Signer {
  readonly publicKey: Uint8Array
  readonly privateKey: KeyObject
}

/** The signer of a secret key as Solana's tools keep it: 32 bytes of seed, then the public key. */
export function signerOf(secretKey: Uint8Array): Signer {
  return { privateKey: privateKeyOf(secretKey.subarray(0, 32)), publicKey: secretKey.subarray(32, 64) }
}

/** A signer that depends on its keys alone: for accounts of the sandbox itself, never for an agent's. */
export function keyedSigner(...keys: readonly (string | number)[]): Signer {
  const privateKey = privateKeyOf(hash('sha256', JSON.stringify(keys), 'buffer'))
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).subarray(SPKI_HEADER.length)
  return { privateKey, publicKey }
}

export function signMessage(message: Uint8Array, { privateKey }: Signer): Uint8Array {
  return sign(null, message, privateKey)
}

export function isSignedBy(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([SPKI_HEADER, publicKey]), type: 'spki', format: 'der' })
  return verify(null, message, key, signature)
}

function privateKeyOf(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, seed]), type: 'pkcs8', format: 'der' })
}
