import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { assembled, type Edit, inspected, madeUp, verdict } from '../../../test/support/guard/inspection/editing.ts'
import { accountOf, JUPITER } from '../../../test/support/guard/inspection/fixtures.ts'
import { added, MUTATIONS } from '../../../test/support/guard/inspection/mutations.ts'
import { AGENT, AMOUNT, DEX, OUT, PAIRS, pairOf } from '../../../test/support/guard/inspection/pairs.ts'
import { TOKEN_2022_PROGRAM_ID, transferTokens } from '../../core/tokenProgram.ts'
import { SOL_MINT, USDC_MINT } from '../../core/tokens.ts'
import { inspectSwap } from './index.ts'

const codeOf = (edit: Edit) => verdict(inspected(edit))

const TRANSFER_CHECKED = 12

/** One of the two transfers changed: the agent's is the first. */
function transferOf(
  edit: Edit,
  which: 'agent' | 'dex',
  change: (parts: { data: Buffer; keys: TransactionInstruction['keys'] }) => void,
): Edit {
  const authority = which === 'agent' ? AGENT.publicKey : DEX.publicKey
  const instructions = edit.instructions.map((instruction) => {
    if (instruction.data[0] !== TRANSFER_CHECKED || !instruction.keys[3]?.pubkey.equals(authority)) return instruction
    const parts = { ...instruction, data: Buffer.from(instruction.data), keys: instruction.keys.map((key) => ({ ...key })) }
    change(parts)
    return parts
  })
  return { ...edit, instructions }
}

const paying = (amount: bigint) => (parts: { data: Buffer }) => parts.data.writeBigUInt64LE(amount, 1)
const moved = (position: number, pubkey: PublicKey) => (parts: { keys: TransactionInstruction['keys'] }) => {
  const meta = parts.keys[position]
  if (meta !== undefined) meta.pubkey = pubkey
}

describe.each(PAIRS)('an exchange of two transfers, %s', (_, edit) => {
  const { wallet, from, to, minOut } = edit.terms

  test('is accepted as it is, and at the edge of its terms', () => {
    expect(inspected(edit)).toMatchObject({ ok: true, facts: { payer: wallet, jupiter: undefined } })
    expect(codeOf(transferOf(edit, 'agent', paying(AMOUNT - 1n)))).toBe('ok')
    expect(codeOf(transferOf(edit, 'dex', paying(minOut)))).toBe('ok')
  })

  test.each(MUTATIONS)('with %s is refused', (_name, alter, code) => {
    expect(codeOf(alter(edit))).toBe(code)
  })

  test('is refused with more going out, or out of another account', () => {
    expect(codeOf(transferOf(edit, 'agent', paying(AMOUNT + 1n)))).toBe('TX_TOKEN_TRANSFER')
    expect(codeOf(transferOf(edit, 'agent', moved(0, madeUp('another account'))))).toBe('TX_TOKEN_TRANSFER')
    expect(codeOf(transferOf(edit, 'agent', moved(0, accountOf(wallet, to))))).toBe('TX_TOKEN_TRANSFER')
  })

  test('is refused with too little coming in, or coming in elsewhere', () => {
    expect(codeOf(transferOf(edit, 'dex', paying(minOut - 1n)))).toBe('TX_SWAP_MIN_OUT')
    expect(codeOf(transferOf(edit, 'dex', moved(2, madeUp('elsewhere'))))).toBe('TX_NOT_THE_SWAP')
    expect(codeOf(transferOf(edit, 'dex', moved(2, accountOf(wallet, from))))).toBe('TX_NOT_THE_SWAP')
  })

  test('is refused where nobody signs for what comes in', () => {
    const unsigned = transferOf(edit, 'dex', ({ keys }) => {
      keys.splice(3, 1, { pubkey: DEX.publicKey, isSigner: false, isWritable: false })
    })
    expect(codeOf({ ...unsigned, signers: [] })).toBe('TX_NOT_THE_SWAP')
  })

  test('is refused where what comes in leaves again, or was the agent’s before', () => {
    const back = added(() =>
      transferTokens({ from: accountOf(wallet, to), to: accountOf(DEX.publicKey.toBase58(), to), authority: DEX.publicKey, amount: 1n }),
    )
    expect(codeOf(back(edit))).toBe('TX_TOKEN_TRANSFER')
    expect(codeOf(transferOf(edit, 'dex', moved(0, accountOf(wallet, to))))).toBe('TX_TOKEN_TRANSFER')
  })

  test('is refused with the co-signature removed, corrupted, or made before a change', () => {
    const { bytes, tables } = assembled(edit)
    const withCoSignature = (change: (signature: Uint8Array) => void) => {
      const altered = Uint8Array.from(bytes)
      change(altered.subarray(65, 129))
      return inspectSwap(altered, edit.terms, { policy: edit.policy, tables })
    }
    const dex = DEX.publicKey.toBase58()
    expect(withCoSignature((signature) => signature.fill(0))).toMatchObject({
      refusal: { code: 'TX_SIGNATURE_MISSING', numbers: { signer: dex } },
    })
    expect(verdict(withCoSignature((signature) => signature.copyWithin(0, 32)))).toBe('TX_SIGNATURE_INVALID')
    const dearer = assembled(transferOf(edit, 'dex', paying(OUT + 1n))).bytes
    expect(verdict(withCoSignature((signature) => signature.set(dearer.subarray(65, 129))))).toBe('TX_SIGNATURE_INVALID')
  })
})

test('SOL goes into no account that nobody can take it out of again', () => {
  const edit = pairOf(SOL_MINT, USDC_MINT)
  const { wallet } = edit.terms
  const isWrap = ({ programId }: TransactionInstruction) => programId.equals(SystemProgram.programId)
  const wrappingInto = (to: PublicKey) => ({
    ...edit,
    instructions: edit.instructions.map((instruction) =>
      isWrap(instruction) ? SystemProgram.transfer({ fromPubkey: AGENT.publicKey, toPubkey: to, lamports: AMOUNT }) : instruction,
    ),
  })
  expect(codeOf(wrappingInto(accountOf(wallet, SOL_MINT)))).toBe('ok')
  // No token account of wrapped SOL can be there.
  expect(codeOf(wrappingInto(accountOf(wallet, SOL_MINT, TOKEN_2022_PROGRAM_ID)))).toBe('TX_SOL_TRANSFER')
  const seeds = [Buffer.from('token_account'), AGENT.publicKey.toBuffer(), new PublicKey(SOL_MINT).toBuffer()]
  const [temporary] = PublicKey.findProgramAddressSync(seeds, new PublicKey(JUPITER))
  expect(codeOf(wrappingInto(temporary))).toBe('TX_ACCOUNT_OPENED')
})
