import { hash } from 'node:crypto'
import { PublicKey, VersionedTransaction } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../../../test/support/suite/cases.ts'
import { type LooseInstruction, readTransaction } from '../../../guard/index.ts'
import { composeTransaction } from './composeTransaction.ts'

const keyOf = (name: string): string => new PublicKey(hash('sha256', name, 'buffer')).toBase58()
const PAYER = keyOf('payer')
const BLOCKHASH = keyOf('blockhash')
const TABLE = keyOf('table')
const PROGRAMS = ['swap', 'token', 'memo'].map(keyOf)
const ACCOUNTS = Array.from({ length: 30 }, (_, index) => keyOf(`account ${index}`))

const account = fc.record({ address: fc.constantFrom(PAYER, ...ACCOUNTS), isWritable: fc.boolean() }).map((use) => ({
  ...use,
  // Who composes a transaction has one signer.
  isSigner: use.address === PAYER,
}))
const instruction: fc.Arbitrary<LooseInstruction> = fc.record({
  program: fc.constantFrom(...PROGRAMS),
  accounts: fc.array(account, { maxLength: 24, size: 'max' }),
  data: fc.uint8Array({ maxLength: 250, size: 'max' }),
})
const instructions = fc.array(instruction, { minLength: 1, maxLength: 6, size: 'max' })
/** None, or one that has some of the accounts, and others. */
const tables = fc.oneof(
  fc.constant(new Map<string, readonly string[]>()),
  fc.subarray(ACCOUNTS, { minLength: 1 }).map((some) => new Map([[TABLE, [keyOf('other'), ...some]]])),
)

/** What is written to, and who signs, by the instructions alone. */
function usesOf(given: readonly LooseInstruction[]) {
  const uses = given.flatMap(({ accounts }) => accounts)
  return {
    writable: new Set([PAYER, ...uses.filter(({ isWritable }) => isWritable).map(({ address }) => address)]),
    named: new Set([PAYER, ...uses.map(({ address }) => address), ...given.map(({ program }) => program)]),
  }
}

describe('a composed transaction', () => {
  test('decodes to the very instructions, is signed by the payer alone, and has as many bytes as was counted', () => {
    let [whole, withTable, tooLarge] = [0, 0, 0]
    fc.assert(
      fc.property(instructions, tables, (given, contents) => {
        const composed = composeTransaction({ payer: PAYER, blockhash: BLOCKHASH, instructions: given, tables: contents })
        if (!composed.ok) {
          tooLarge += 1
          expect(composed.bytes).toBeGreaterThan(1232)
          return
        }
        const { transaction, bytes } = composed
        expect(transaction.length).toBe(bytes)
        expect(bytes).toBeLessThanOrEqual(1232)
        const read = readTransaction(transaction, contents)
        if ('code' in read) throw new Error(read.message)
        const { message } = read
        const plain = ({ program, data }: { program: string; data: Uint8Array }) => ({ program, data: Buffer.from(data).toString('hex') })
        expect(message.instructions.map((each) => ({ ...plain(each), accounts: each.accounts }))).toEqual(
          given.map((each) => ({ ...plain(each), accounts: each.accounts.map(({ address }) => address) })),
        )
        expect(message.signers).toEqual([PAYER])
        expect(message.blockhash).toBe(BLOCKHASH)
        expect(message.unresolvedTables).toEqual([])
        const { message: decoded, signatures } = VersionedTransaction.deserialize(transaction)
        expect(signatures).toEqual([new Uint8Array(64)])
        const { writable, named } = usesOf(given)
        const looked = decoded.addressTableLookups.map(({ writableIndexes, readonlyIndexes }) => {
          const [may, only] = [writableIndexes, readonlyIndexes].map((indexes) =>
            indexes.map((index) => contents.get(TABLE)?.[index] ?? ''),
          )
          return { may: may ?? [], only: only ?? [] }
        })
        const own = decoded.staticAccountKeys.map((key) => key.toBase58())
        const mayWrite = [...own.filter((_, index) => decoded.isAccountWritable(index)), ...looked.flatMap(({ may }) => may)]
        expect(new Set(mayWrite)).toEqual(writable)
        expect(new Set([...own, ...looked.flatMap(({ may, only }) => [...may, ...only])])).toEqual(named)
        whole += 1
        withTable += looked.length
      }),
      { numRuns: runsOf(300) },
    )
    // Else it shows nothing.
    expect(Math.min(whole, withTable, tooLarge)).toBeGreaterThan(0)
  })

  test('of 1,232 bytes is the largest, and one that is larger is told by its size', () => {
    const sizes = Array.from({ length: 1200 }, (_, length) => {
      const one = { program: PROGRAMS[0] ?? '', accounts: [], data: new Uint8Array(length) }
      return composeTransaction({ payer: PAYER, blockhash: BLOCKHASH, instructions: [one], tables: new Map() })
    })
    const largest = sizes.findLast(({ ok }) => ok)
    expect(largest?.bytes).toBe(1232)
    expect(sizes.find(({ ok }) => !ok)).toEqual({ ok: false, bytes: 1233 })
  })

  test('of more accounts than can be numbered is too large, and does not throw', () => {
    const accounts = Array.from({ length: 300 }, (_, index) => ({ address: keyOf(`many ${index}`), isSigner: false, isWritable: true }))
    const one = { program: PROGRAMS[0] ?? '', accounts, data: new Uint8Array() }
    expect(composeTransaction({ payer: PAYER, blockhash: BLOCKHASH, instructions: [one], tables: new Map() })).toEqual({
      ok: false,
      bytes: 302 * 32,
    })
  })
})
