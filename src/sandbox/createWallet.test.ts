import { Keypair } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { createWallet } from './createWallet.ts'

test('a wallet is a key pair that Solana tools read, with its own address', () => {
  const wallet = createWallet('a')
  expect(wallet.secretKey).toHaveLength(64)
  expect(Keypair.fromSecretKey(wallet.secretKey).publicKey.toBase58()).toBe(wallet.address)
  expect(createWallet('a').address).not.toBe(wallet.address)
})
