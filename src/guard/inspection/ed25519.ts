import { createPublicKey, verify } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'

/** What SubjectPublicKeyInfo puts before the 32 bytes of an Ed25519 key: RFC 8410, part 4. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

export function isSignedBy(signer: string, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    const spki = Buffer.concat([SPKI_PREFIX, new PublicKey(signer).toBuffer()])
    return verify(null, message, createPublicKey({ key: spki, format: 'der', type: 'spki' }), signature)
  } catch {
    // An address need not be a point on the curve.
    return false
  }
}
