import { PublicKey, TransactionInstruction, VersionedTransaction } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { assembled, type Edit, editOf, inspected, madeUp, verdict } from '../../../test/support/guard/inspection/editing.ts'
import { bytesOf, POLICY, termsOf } from '../../../test/support/guard/inspection/fixtures.ts'
import { PAIRS } from '../../../test/support/guard/inspection/pairs.ts'
import { SWAPS } from '../../../test/support/realTransactions.ts'
import { USDC_MINT } from '../../core/tokens.ts'
import { inspectSwap } from './index.ts'
import { readMessage } from './message.ts'

const codeOf = (bytes: Uint8Array) => {
  const message = readMessage(bytes, undefined)
  return 'code' in message ? message.code : 'ok'
}

const rowOf = (start: string) => {
  const row = SWAPS.find(({ sha256 }) => sha256.startsWith(start))
  if (row === undefined) throw new Error(`${start} is gone from the data`)
  return row
}

test('every real transaction is refused with a byte missing or one too many', () => {
  const shorter = SWAPS.filter(({ bytes }) => bytes < 1_232)
  expect(shorter.length).toBeGreaterThan(3)
  for (const row of shorter) {
    const bytes = bytesOf(row)
    expect(codeOf(bytes)).toBe('ok')
    expect(codeOf(bytes.subarray(0, -1))).toBe('TX_MALFORMED')
    expect(codeOf(bytes.subarray(1))).toBe('TX_MALFORMED')
    expect(codeOf(Buffer.concat([bytes, Buffer.from([0])]))).toBe('TX_MALFORMED')
  }
})

test('a transaction without bytes, or of more than can be one, is refused', () => {
  expect(codeOf(new Uint8Array())).toBe('TX_MALFORMED')
  expect(codeOf(new Uint8Array(5_000_000))).toBe('TX_TOO_LARGE')
})

/** A real transaction with its message changed behind the library's back. */
function altered(start: string, change: (transaction: VersionedTransaction) => void): Uint8Array {
  const transaction = VersionedTransaction.deserialize(bytesOf(rowOf(start)))
  change(transaction)
  return transaction.serialize()
}

test('indexes and counts that lead nowhere are malformed', () => {
  const ofInstruction = (change: (instruction: { programIdIndex: number; accountKeyIndexes: number[] }) => void) =>
    codeOf(altered('83a6', ({ message }) => message.compiledInstructions.slice(2, 3).forEach(change)))
  expect(ofInstruction(() => undefined)).toBe('ok')
  expect(ofInstruction((instruction) => Object.assign(instruction, { programIdIndex: 200 }))).toBe('TX_MALFORMED')
  expect(ofInstruction((instruction) => Object.assign(instruction, { programIdIndex: 0 }))).toBe('TX_MALFORMED')
  expect(ofInstruction((instruction) => instruction.accountKeyIndexes.push(27))).toBe('TX_MALFORMED')
  expect(ofInstruction((instruction) => instruction.accountKeyIndexes.push(26))).toBe('ok')
  const ofHeader = (header: object) => codeOf(altered('83a6', ({ message }) => Object.assign(message.header, header)))
  expect(ofHeader({ numReadonlySignedAccounts: 1 })).toBe('TX_MALFORMED')
  expect(ofHeader({ numReadonlyUnsignedAccounts: 14 })).toBe('TX_MALFORMED')
})

test('a program in a table is malformed, though the table is read', () => {
  // The first account behind the fourteen that the message holds itself.
  const bytes = altered('83a6', ({ message }) =>
    message.compiledInstructions.slice(2, 3).forEach((each) => {
      Object.assign(each, { programIdIndex: 14 })
    }),
  )
  const tables = new Map(
    editOf(rowOf('83a6')).tables.map(({ key, state }) => [key.toBase58(), state.addresses.map((address) => address.toBase58())]),
  )
  expect(readMessage(bytesOf(rowOf('83a6')), tables)).not.toHaveProperty('code')
  expect(readMessage(bytes, tables)).toMatchObject({ code: 'TX_MALFORMED' })
})

test('an account named twice is malformed', () => {
  const twice = altered('83a6', ({ message }) => message.staticAccountKeys.fill(new PublicKey(USDC_MINT), 1, 3))
  expect(codeOf(twice)).toBe('TX_MALFORMED')
})

test('a table that was read too short leaves its accounts unresolved', () => {
  const row = rowOf('83a6')
  const edit = editOf(row)
  const whole = new Map(edit.tables.map(({ key, state }) => [key.toBase58(), state.addresses.map((address) => address.toBase58())]))
  const short = new Map([...whole].map(([key, addresses]) => [key, addresses.slice(0, 4)]))
  expect(verdict(inspectSwap(bytesOf(row), edit.terms, { policy: POLICY, tables: whole }))).toBe('ok')
  expect(inspectSwap(bytesOf(row), edit.terms, { policy: POLICY, tables: short })).toMatchObject({
    refusal: { code: 'TX_TABLE_UNRESOLVED', numbers: { tables: 2 } },
  })
})

test('with unread tables allowed, what is checked by address must still be read', () => {
  const allow = { ...POLICY, unresolvedTables: 'allow' as const }
  const row = rowOf('83a6')
  expect(verdict(inspectSwap(bytesOf(row), termsOf(row), { policy: allow, tables: undefined }))).toBe('ok')
  const { bytes } = assembled(editOf(row))
  // The same swap with its own accounts in a table, which nobody has read.
  expect(inspectSwap(bytes, termsOf(row), { policy: allow, tables: undefined })).toMatchObject({
    ok: false,
    refusal: { code: 'TX_TABLE_UNRESOLVED' },
  })
})

test('a compute price named twice is what the chain would not take', () => {
  const [[, edit]] = PAIRS as [(typeof PAIRS)[0]]
  const twice: Edit = { ...edit, instructions: [...edit.instructions, ...edit.instructions.slice(1, 2)] }
  expect(verdict(inspected(twice))).toBe('TX_MALFORMED')
})

test('a program is let in by its id, and no built-in one is hidden by it', () => {
  const [[, edit]] = PAIRS as [(typeof PAIRS)[0]]
  const called = (policy: Edit['policy']): Edit => {
    const keys = [{ pubkey: edit.payer, isSigner: true, isWritable: true }]
    return { ...edit, policy, instructions: [...edit.instructions, new TransactionInstruction({ programId: madeUp('program'), keys })] }
  }
  expect(verdict(inspected(called(POLICY)))).toBe('TX_PROGRAM_NOT_ALLOWED')
  const result = inspected(called({ ...POLICY, programs: { [madeUp('program').toBase58()]: 'Mine' } }))
  expect(result).toMatchObject({ ok: true })
  expect(result.facts?.programs.at(-1)).toEqual({ id: madeUp('program').toBase58(), name: 'Mine' })
  const hidden = { ...edit, policy: { ...POLICY, programs: { TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'Mine' } } }
  expect(inspected(hidden).facts?.programs).toContainEqual({ id: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', name: 'SPL Token' })
})
