import { VersionedTransaction } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assembled, editOf, inspected, verdict } from '../../../test/support/guard/inspection/editing.ts'
import { bytesOf, JUPITER, POLICY, POSITIONS, type Row, termsOf } from '../../../test/support/guard/inspection/fixtures.ts'
import { HOPS } from '../../../test/support/guard/inspection/hops.ts'
import { PAIRS } from '../../../test/support/guard/inspection/pairs.ts'
import { NOT_SWAPS, SWAPS } from '../../../test/support/realTransactions.ts'
import { casesOf, runsOf } from '../../../test/support/suite/cases.ts'
import { type InspectionResult, inspectSwap, readTransaction } from './index.ts'

const ALLOW = { policy: { ...POLICY, unresolvedTables: 'allow' as const }, tables: undefined }
const ROWS = [...SWAPS, ...NOT_SWAPS]
const JUPITER_ROWS = SWAPS.filter(({ jupiter }) => jupiter !== null)
/** Which tokens a row swaps is a search among many: it is made once. */
const TERMS = new Map(JUPITER_ROWS.map((row) => [row, termsOf(row)]))
const EDITS = new Map(JUPITER_ROWS.map((row) => [row, editOf(row)]))

const inspect = (row: Row, bytes: Uint8Array) => inspectSwap(bytes, TERMS.get(row) ?? termsOf(row), ALLOW)

test('random bytes never throw, and never pass', () => {
  const [row] = JUPITER_ROWS as [Row]
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1_500 }), (bytes) => {
      expect(inspect(row, bytes).ok).toBe(false)
      readTransaction(bytes)
    }),
    { numRuns: runsOf(500) },
  )
})

test('parts of real transactions put together anew never throw, and never pass', () => {
  const part = fc
    .tuple(fc.constantFrom(...ROWS), fc.nat(1_400), fc.nat(1_400))
    .map(([row, a, b]) => bytesOf(row).subarray(Math.min(a, b), Math.max(a, b)))
  fc.assert(
    fc.property(fc.constantFrom(...JUPITER_ROWS), fc.nat(1_400), part, (row, cut, rest) => {
      const bytes = Buffer.concat([bytesOf(row).subarray(0, Math.min(cut, row.bytes - 1)), rest])
      if (Buffer.compare(bytes, bytesOf(row)) !== 0) expect(readsAs(row, inspect(row, bytes), bytes)).toBe(true)
    }),
    { numRuns: runsOf(500) },
  )
})

/**
 * Whether a result is a refusal, or lets through what pays, gives, receives and slips as the row does, and from where to
 * where: read with the library alone.
 */
function readsAs(row: Row, result: InspectionResult, bytes: Uint8Array): boolean {
  return !result.ok || JSON.stringify(essenceOf(row, bytes)) === JSON.stringify(essenceOf(row, bytesOf(row)))
}

function essenceOf(row: Row, bytes: Uint8Array): unknown {
  const { message } = VersionedTransaction.deserialize(bytes)
  const keys = message.staticAccountKeys.map((key) => key.toBase58())
  const swap = message.compiledInstructions.findLast(({ programIdIndex }) => keys[programIdIndex] === JUPITER)
  const { source, destination } = POSITIONS[row.jupiter?.ix ?? 'route']
  const data = Buffer.from(swap?.data ?? [])
  return [
    keys[0],
    data.toString('hex', 0, 8),
    row.jupiter?.ix === 'route_v2' ? data.toString('hex', 8, 30) : data.subarray(-19).toString('hex'),
    [source, destination].map((position) => keys[swap?.accountKeyIndexes[position] ?? -1]),
    message.compiledInstructions.length,
  ]
}

const accepted = JUPITER_ROWS.filter((row) => inspect(row, bytesOf(row)).ok)

describe.each(casesOf(accepted, (_, index) => index === 0).map((row) => [row.sha256, row] as const))('%s', (_, row) => {
  const bytes = bytesOf(row)

  test('with a bit of any byte changed is refused, or does the same swap', () => {
    const verdicts = new Map<string, number>()
    for (let byte = 0; byte < bytes.length; byte += 1) {
      const flipped = Uint8Array.from(bytes)
      flipped[byte] = (flipped[byte] ?? 0) ^ (1 << (byte % 7))
      const result = inspect(row, flipped)
      if (!readsAs(row, result, flipped)) expect.fail(`byte ${byte} of ${row.sha256} changes what is accepted`)
      verdicts.set(verdict(result), (verdicts.get(verdict(result)) ?? 0) + 1)
    }
    // Both happen: a signature, a blockhash or a pool may differ; payer, programs and arguments may not.
    expect(verdicts.get('ok')).toBeGreaterThan(60)
    expect(verdicts.get('TX_FEE_PAYER')).toBeGreaterThanOrEqual(32)
    for (const code of [
      'TX_MALFORMED',
      'TX_PROGRAM_NOT_ALLOWED',
      'TX_SWAP_AMOUNT',
      'TX_SWAP_QUOTED_OUT',
      'TX_SWAP_SLIPPAGE',
      'TX_SWAP_FEE',
    ])
      expect(verdicts.get(code), code).toBeGreaterThan(0)
  })

  test('cut anywhere is refused', () => {
    for (let length = 0; length < bytes.length; length += 1)
      expect(inspect(row, bytes.subarray(0, length)).ok, `${length} bytes`).toBe(false)
  })
})

test('four real swaps pass as they are, their tables unread', () => {
  expect(accepted).toHaveLength(4)
})

const EXCHANGES = [...PAIRS, ...HOPS.filter(([, { signers }]) => signers.length > 0).map(([name, edit]) => [name, edit] as const)]

test.each(EXCHANGES)('an exchange of %s with a bit changed is refused, unless it is in the agent’s own signature', (_, edit) => {
  const { bytes, tables } = assembled(edit)
  fc.assert(
    fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
      const flipped = Uint8Array.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const isOwnSignature = bit >> 3 >= 1 && bit >> 3 < 65
      expect(inspectSwap(flipped, edit.terms, { policy: edit.policy, tables }).ok).toBe(isOwnSignature)
    }),
    { numRuns: runsOf(400) },
  )
})

test('any order of the instructions of a swap, and any of them twice, never throws', () => {
  fc.assert(
    fc.property(fc.constantFrom(...JUPITER_ROWS), fc.array(fc.nat(7), { minLength: 1, maxLength: 6 }), (row, order) => {
      const edit = EDITS.get(row) ?? editOf(row)
      const instructions = order.flatMap((n) => edit.instructions.slice(n, n + 1))
      const swaps = instructions.filter(({ programId, data }) => programId.toBase58() === JUPITER && data.length > 9).length
      const result = inspected({ ...edit, instructions })
      if (result.ok) expect(swaps).toBe(1)
    }),
    { numRuns: runsOf(200) },
  )
})
