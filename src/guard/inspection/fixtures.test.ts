import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { verdict } from '../../../test/support/guard/inspection/editing.ts'
import { bytesOf, POLICY, type Row, termsOf } from '../../../test/support/guard/inspection/fixtures.ts'
import { HOPS } from '../../../test/support/guard/inspection/hops.ts'
import { swapVerdicts } from '../../../test/support/guard/inspection/swapVerdicts.ts'
import { NOT_SWAPS, SWAPS } from '../../../test/support/realTransactions.ts'
import { inspectSwap, readTransaction } from './index.ts'

const DOCS = readFileSync(new URL('../../../docs/inspection.md', import.meta.url), 'utf8')

/** A row of the table in the docs: the verdict without tables, and the one where they are not asked for. */
const verdictsOf = (row: Row) =>
  (['refuse', 'allow'] as const).map((unresolvedTables) =>
    verdict(inspectSwap(bytesOf(row), termsOf(row), { policy: { ...POLICY, unresolvedTables }, tables: undefined })),
  )

const named = (rows: readonly Row[]) => rows.map((row) => [row.sha256, row] as const)

describe('a real swap', () => {
  test.each(named(SWAPS))('%s reads as another tool reads it', (_, row) => {
    const read = readTransaction(bytesOf(row))
    if (!('facts' in read)) throw new Error(read.message)
    const { version, bytes, payer, blockhash, programs, jupiter } = read.facts
    expect({ version, bytes, payer, blockhash }).toEqual({
      version: row.version,
      bytes: row.bytes,
      payer: row.feePayer,
      blockhash: row.recentBlockhash,
    })
    expect(programs.map(({ id }) => id)).toEqual(row.programs.map(({ id }) => id))
    for (const { id, name } of programs) expect(name, id).toBe(NAMES[id])
    const { ix, inAmount, quotedOut, slippageBps, platformFeeBps } = row.jupiter ?? {}
    if (ix === undefined || inAmount === undefined || quotedOut === undefined) return expect(jupiter).toBeUndefined()
    expect(jupiter).toMatchObject({
      instruction: ix,
      inAmount: BigInt(inAmount),
      quotedOut: BigInt(quotedOut),
      slippageBps,
      platformFeeBps,
      positiveSlippageBps: 0,
      authority: row.feePayer,
    })
  })
})

test.each(named(NOT_SWAPS))('%s is read, and is no swap of the intent', (_, row) => {
  expect('facts' in readTransaction(bytesOf(row))).toBe(true)
  expect(verdictsOf(row)).not.toContain('ok')
})

test('docs/inspection.md tells the verdict on every real transaction', () => {
  const told = DOCS.split('\n').flatMap((line) => {
    const [, sha256, without, allowed] = /^\| `([0-9a-f]{16})` \|.*\| `(\w+)` \| `(\w+)` \|/.exec(line) ?? []
    return sha256 === undefined ? [] : [[sha256, without, allowed]]
  })
  expect(told).toEqual([...SWAPS, ...NOT_SWAPS].map((row) => [row.sha256, ...verdictsOf(row)]))
})

test('docs/inspection.md has the table of verdicts and reasons as it is printed, and every route of two hops passes', () => {
  const lines = swapVerdicts()
  expect(DOCS).toContain(lines.join('\n'))
  expect(lines.slice(-HOPS.length).every((line) => line.includes('`ok`'))).toBe(true)
})

const NAMES: Readonly<Record<string, string>> = {
  JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4: 'Jupiter v6',
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'SPL Token',
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: 'Associated Token',
  '11111111111111111111111111111111': 'System',
  ComputeBudget111111111111111111111111111111: 'Compute Budget',
}
