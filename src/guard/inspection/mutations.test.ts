import { SystemProgram } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { type Edit, editOf, inspected, madeUp, verdict } from '../../../test/support/guard/inspection/editing.ts'
import { accountOf, JUPITER } from '../../../test/support/guard/inspection/fixtures.ts'
import { added, MUTATIONS, STRANGER } from '../../../test/support/guard/inspection/mutations.ts'
import { changed, keyAt, SWAP_MUTATIONS, withSwap } from '../../../test/support/guard/inspection/swapMutations.ts'
import { SWAPS } from '../../../test/support/realTransactions.ts'
import { SOL_MINT } from '../../core/tokens.ts'
import { discriminatorOf } from './jupiter/layouts.ts'

const ROWS = SWAPS.filter(({ jupiter }) => jupiter !== null)

const codeOf = (edit: Edit) => verdict(inspected(edit))

test('eight of the real transactions are swaps of Jupiter’s', () => {
  expect(ROWS).toHaveLength(8)
})

describe.each(ROWS.map((row) => [row.sha256, { row, edit: editOf(row) }] as const))('%s', (_, subject) => {
  const { row, edit } = subject

  test('is accepted as it is', () => {
    expect(inspected(edit)).toMatchObject({ ok: true, facts: { payer: row.feePayer, jupiter: { instruction: row.jupiter?.ix } } })
  })

  test.each(MUTATIONS)('with %s is refused', (_name, alter, code) => {
    expect(codeOf(alter(edit))).toBe(code)
  })

  test.each(SWAP_MUTATIONS)('swapping with %s is refused', (_name, change, code) => {
    expect(codeOf(changed(subject, change))).toBe(code)
  })

  test('is refused where the bot wants other terms', () => {
    const wanting = (terms: Partial<Edit['terms']>) => codeOf({ ...edit, terms: { ...edit.terms, ...terms } })
    expect(wanting({ minOut: edit.terms.minOut + 1n })).toBe('TX_SWAP_MIN_OUT')
    expect(wanting({ platformFeeBps: 7 })).toBe('TX_SWAP_FEE')
    expect(wanting({ wallet: STRANGER.toBase58() })).toBe('TX_FEE_PAYER')
  })

  test('is refused with its program swapped, without its swap, and with the swap twice', () => {
    expect(codeOf(withSwap(edit, (swap) => [{ ...swap, programId: STRANGER }]))).toBe('TX_PROGRAM_NOT_ALLOWED')
    expect(codeOf(withSwap(edit, () => []))).toBe('TX_NOT_THE_SWAP')
    expect(codeOf(withSwap(edit, (swap) => [swap, swap]))).toBe('TX_SWAP_REPEATED')
  })
})

test('no SOL is wrapped where another token is given', () => {
  const given = ROWS.map(editOf).filter(({ terms }) => terms.from !== SOL_MINT)
  expect(given).toHaveLength(4)
  const wrap = added(({ wallet }) =>
    SystemProgram.transfer({ fromPubkey: wallet, toPubkey: accountOf(wallet.toBase58(), SOL_MINT), lamports: 1 }),
  )
  for (const edit of given) expect(codeOf(wrap(edit))).toBe('TX_SOL_TRANSFER')
})

const NAMING_BOTH = ROWS.filter(({ jupiter }) => jupiter?.ix !== 'route')

test.each(NAMING_BOTH.map((row) => [row.sha256, row] as const))('%s does not pass with another mint in', (_, row) => {
  const sourceMint = row.jupiter?.ix === 'route_v2' ? 3 : 7
  expect(
    codeOf(
      changed(
        { row, edit: editOf(row) },
        keyAt(() => sourceMint),
      ),
    ),
  ).toBe('TX_SWAP_MINT')
})

const FIRST_VERSION = ROWS.filter(({ jupiter }) => jupiter?.ix !== 'route_v2')

test.each(FIRST_VERSION.map((row) => [row.sha256, row] as const))('%s does not pass with a copy of honest arguments behind', (_, row) => {
  const subject = { row, edit: editOf(row) }
  const forged = withSwap(subject.edit, (swap) => {
    const data = Buffer.concat([swap.data, swap.data.subarray(-19)])
    data.writeBigUInt64LE(1n, swap.data.length - 11)
    return [{ ...swap, data }]
  })
  expect(codeOf(forged)).toBe('TX_SWAP_UNREADABLE')
})

test.each(FIRST_VERSION.map((row) => [row.sha256, row] as const))('%s does not pass with its amount left to a ledger', (_, row) => {
  const name = `${row.jupiter?.ix}_with_token_ledger`
  const ledger = withSwap(editOf(row), (swap) => {
    const data = Buffer.concat([swap.data.subarray(0, -19), swap.data.subarray(-11)])
    data.write(discriminatorOf(name), 'hex')
    return [{ ...swap, data }]
  })
  expect(inspected(ledger)).toMatchObject({
    refusal: { code: 'TX_SWAP_AMOUNT', numbers: { amount: ledger.terms.amount } },

    facts: { jupiter: { instruction: name, inAmount: undefined } },
  })
})

describe('an output that is sent on', () => {
  const row = ROWS.find(({ jupiter }) => jupiter?.ix === 'route_v2')
  if (row === undefined) throw new Error('no swap of the second version in the data')
  const sent = (key: typeof STRANGER) =>
    changed({ row, edit: editOf(row) }, ({ keys }) => {
      const meta = keys[7]
      if (meta !== undefined) meta.pubkey = key
    })

  test('to a stranger is refused', () => {
    expect(codeOf(sent(madeUp('receiver')))).toBe('TX_SWAP_DESTINATION')
  })

  test('with a share of what is above the quote kept back is refused', () => {
    expect(codeOf(changed({ row, edit: editOf(row) }, ({ data }) => data.writeUInt16LE(1, 28)))).toBe('TX_SWAP_FEE')
  })
})

describe('a temporary account of wrapped SOL', () => {
  const row = ROWS.find(({ sha256 }) => sha256 === 'd745543d4317b544')
  if (row === undefined) throw new Error('the swap out of a temporary account is gone from the data')
  const edit = editOf(row)

  test('must be closed again', () => {
    expect(codeOf({ ...edit, instructions: edit.instructions.slice(0, -1) })).toBe('TX_ACCOUNT_OPENED')
  })

  test.each(['d745543d4317b544', '83a60efc84bcbe45', 'ae6319bf6506947d'])('is opened before it is used, and closed after: %s', (name) => {
    const known = ROWS.find(({ sha256 }) => sha256 === name)
    if (known === undefined) throw new Error(`${name} is gone from the data`)
    const whole = editOf(known)
    const isOpen = ({ programId, data }: Edit['instructions'][number]) => programId.toBase58() === JUPITER && data.length === 9
    const open = whole.instructions.filter(isOpen)
    const close = whole.instructions.slice(-1)
    const rest = whole.instructions.slice(0, -1).filter((instruction) => !isOpen(instruction))
    const before = rest.slice(0, -1)
    const swap = rest.slice(-1)
    const verdictOn = (...instructions: readonly (typeof rest)[]) => codeOf({ ...whole, instructions: instructions.flat() })
    expect(verdictOn(before, open, swap, close)).toBe('ok')
    expect(verdictOn(before, open, close, swap)).toBe('TX_ACCOUNT_OPENED')
    expect(verdictOn(before, open, close, open, swap)).toBe('TX_ACCOUNT_OPENED')
    expect(verdictOn(before, open, swap, close, open)).toBe('TX_ACCOUNT_OPENED')
    expect(verdictOn(before, swap, open, close)).toBe('TX_ACCOUNT_OPENED')
    // Where nothing is opened, no rent is paid either.
    expect(verdictOn(before, swap)).toMatch(/^(TX_ACCOUNT_OPENED|TX_SOL_TRANSFER)$/)
  })

  test('must be the agent’s by its address', () => {
    const into = ROWS.find(({ sha256 }) => sha256 === '83a60efc84bcbe45')
    if (into === undefined) throw new Error('the swap into a temporary account is gone from the data')
    const whole = editOf(into)
    const temporary = whole.instructions.at(-1)?.keys[0]?.pubkey
    const instructions = whole.instructions.map((instruction) => {
      const keys = instruction.keys.map((key) => (temporary?.equals(key.pubkey) ? { ...key, pubkey: STRANGER } : key))
      return { ...instruction, keys }
    })
    expect(inspected({ ...whole, instructions })).toMatchObject({
      refusal: { code: 'TX_ACCOUNT_OPENED', numbers: { account: STRANGER.toBase58() } },
    })
  })
})
