import { generateKeyPairSync } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'
import type { SandboxStore, Wallet } from './store/sandboxStore.ts'

/** Bytes of DER before the key itself (RFC 8410): PKCS #8 for the private one, SPKI for the public one. */
const PKCS8_HEADER_BYTES = 16
const SPKI_HEADER_BYTES = 12

/** A new Solana wallet: an ed25519 key pair with its base58 address. */
export function createWallet(agentId: string): Wallet {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  const publicBytes = publicKey.subarray(SPKI_HEADER_BYTES)
  return {
    agentId,
    address: new PublicKey(publicBytes).toBase58(),
    secretKey: Buffer.concat([privateKey.subarray(PKCS8_HEADER_BYTES), publicBytes]),
  }
}

/** The agent's wallet; made and stored first where it has none, so that no address is ever used whose key is not kept. */
export function walletFor(store: SandboxStore, agentId: string): Wallet {
  const kept = store.wallet(agentId)
  if (kept !== undefined) return kept
  const wallet = createWallet(agentId)
  store.addWallet(wallet)
  return wallet
}
