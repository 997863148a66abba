import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { base58Of } from './base58.ts'
import { decodeTransaction, publicBytes, signatureOf, withSignature } from './message.ts'
import { isSignedBy, keyedSigner, signMessage } from './sign.ts'

/** A row of test/data/transactions: what another tool read out of a real transaction. */
interface Row {
  readonly sha256: string
  readonly version: 'legacy' | 0
  readonly bytes: number
  readonly nSigners: number
  readonly signatures: readonly ('valid' | 'absent' | 'invalid')[]
  readonly signature: string | null
  readonly feePayer: string
  readonly recentBlockhash: string
  readonly staticKeys: number
  readonly instructions: number
  readonly programs: readonly { readonly id: string }[]
  readonly base64: string
}

const ROWS = readFileSync(new URL('../../../test/data/transactions/swaps.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row)

const bytesOf = ({ base64 }: Row) => new Uint8Array(Buffer.from(base64, 'base64'))

describe('a real transaction', () => {
  test.each(ROWS.map((row) => [row.sha256, row] as const))('%s reads as another tool reads it', (_, row) => {
    const decoded = decodeTransaction(bytesOf(row))
    expect(decoded).toMatchObject({ version: row.version, payer: row.feePayer, blockhash: row.recentBlockhash })
    expect(decoded?.accounts).toHaveLength(row.staticKeys)
    expect(decoded?.instructions).toHaveLength(row.instructions)
    expect(decoded?.programs.toSorted()).toEqual(row.programs.map(({ id }) => id).toSorted())
    const states = decoded?.signers.map(({ address, signature }) => {
      if (signature === null) return 'absent'
      return isSignedBy(decoded.message, signature, publicBytes(address)) ? 'valid' : 'invalid'
    })
    expect(states).toEqual(row.signatures)
    if (decoded !== undefined && row.signature !== null) expect(signatureOf(decoded)).toBe(row.signature)
  })

  test('does not read with any one byte cut off or added', () => {
    for (const row of ROWS) {
      const bytes = bytesOf(row)
      expect(decodeTransaction(bytes.subarray(0, -1))).toBeUndefined()
      expect(decodeTransaction(bytes.subarray(1))).toBeUndefined()
      expect(decodeTransaction(Buffer.concat([bytes, Buffer.from([0])]))).toBeUndefined()
    }
  })
})

test('a signature put in place is the one of that signer, and verifies', () => {
  const [row] = ROWS.filter(({ signatures }) => signatures[0] === 'absent')
  const decoded = row && decodeTransaction(bytesOf(row))
  const signer = keyedSigner(7, 'test')
  const signature = decoded && signMessage(decoded.message, signer)
  const signed = decoded && signature && withSignature(decoded, decoded.payer, signature)
  expect(signed && decodeTransaction(signed.bytes)?.signers[0]).toEqual({
    address: decoded?.payer,
    signature: signature && new Uint8Array(signature),
  })
  expect(decoded && signature && isSignedBy(decoded.message, signature, signer.publicKey)).toBe(true)
  expect(base58Of(signer.publicKey)).toHaveLength(44)
})
