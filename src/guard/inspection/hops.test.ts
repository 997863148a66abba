import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Edit, inspected, madeUp, verdict } from '../../../test/support/guard/inspection/editing.ts'
import { accountOf, JUPITER } from '../../../test/support/guard/inspection/fixtures.ts'
import { BONK, HOPS, WIF } from '../../../test/support/guard/inspection/hops.ts'
import { added, STRANGER } from '../../../test/support/guard/inspection/mutations.ts'
import { AGENT, AMOUNT, DEX, HOP, hopOf, pairOf } from '../../../test/support/guard/inspection/pairs.ts'
import { runsOf } from '../../../test/support/suite/cases.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM_ID,
  amountBytes,
  closeTokenAccount,
  openTokenAccount,
  reads,
  signs,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  tokenInstruction,
  transferTokens,
  writes,
} from '../../core/tokenProgram.ts'
import { type Mint, SOL_MINT, USDC_MINT } from '../../core/tokens.ts'

// Accounts that the agent has for the length of one transaction, on the way of a route of two hops.

const [CREATE_IDEMPOTENT, CLOSE, TRANSFER_CHECKED] = [1, 9, 12]

const codeOf = (edit: Edit) => verdict(inspected(edit))

interface Parts {
  readonly edit: Edit
  readonly hop: Mint
  readonly wallet: PublicKey
  readonly own: PublicKey
}

const isOf = (own: PublicKey, data: number) => (instruction: TransactionInstruction) =>
  instruction.data[0] === data && instruction.keys.some(({ pubkey }) => pubkey.equals(own))
const isOpening = (own: PublicKey) => (instruction: TransactionInstruction) =>
  instruction.programId.equals(ASSOCIATED_TOKEN_PROGRAM_ID) && isOf(own, CREATE_IDEMPOTENT)(instruction)
const isClosing = (own: PublicKey) => isOf(own, CLOSE)

/** With one instruction replaced by others. */
const replaced = (
  { edit }: Parts,
  is: (instruction: TransactionInstruction) => boolean,
  by: (instruction: TransactionInstruction) => readonly TransactionInstruction[],
): Edit => ({ ...edit, instructions: edit.instructions.flatMap((instruction) => (is(instruction) ? by(instruction) : [instruction])) })
const without = (parts: Parts, is: (instruction: TransactionInstruction) => boolean) => replaced(parts, is, () => []).instructions
const only = ({ edit }: Parts, is: (instruction: TransactionInstruction) => boolean) => edit.instructions.filter(is)
/** With the account of a place changed, in the instructions that are meant. */
const rekeyed = (parts: Parts, is: (instruction: TransactionInstruction) => boolean, place: number, pubkey: PublicKey): Edit =>
  replaced(parts, is, (instruction) => [
    { ...instruction, keys: instruction.keys.map((key, index) => (index === place ? { ...key, pubkey } : key)) },
  ])

const ALTERATIONS: readonly (readonly [name: string, alter: (parts: Parts) => Edit, code: string])[] = [
  ['closed to another', (parts) => rekeyed(parts, isClosing(parts.own), 1, STRANGER), 'TX_ACCOUNT_CLOSED'],
  ['closed by another', (parts) => rekeyed(parts, isClosing(parts.own), 2, STRANGER), 'TX_ACCOUNT_CLOSED'],
  [
    'closed by another and to another',
    (parts) => replaced(parts, isClosing(parts.own), () => [closeTokenAccount(parts.own, STRANGER, STRANGER)]),
    'TX_ACCOUNT_CLOSED',
  ],
  ['left open', (parts) => ({ ...parts.edit, instructions: without(parts, isClosing(parts.own)) }), 'TX_ACCOUNT_OPENED'],
  [
    'opened for another',
    (parts) =>
      replaced(parts, isOpening(parts.own), () => [
        openTokenAccount(parts.wallet, accountOf(STRANGER.toBase58(), parts.hop), { owner: STRANGER, mint: new PublicKey(parts.hop) }),
      ]),
    'TX_ACCOUNT_OPENED',
  ],
  ['opened at its address for another', (parts) => rekeyed(parts, isOpening(parts.own), 2, STRANGER), 'TX_ACCOUNT_OPENED'],
  ['opened as an account of another token', (parts) => rekeyed(parts, isOpening(parts.own), 3, madeUp('mint')), 'TX_ACCOUNT_OPENED'],
  ['opened under no token program', (parts) => rekeyed(parts, isOpening(parts.own), 5, STRANGER), 'TX_ACCOUNT_OPENED'],
  ['opened under the other token program', (parts) => rekeyed(parts, isOpening(parts.own), 5, TOKEN_2022_PROGRAM_ID), 'TX_ACCOUNT_OPENED'],
  ['opened twice', (parts) => replaced(parts, isOpening(parts.own), (open) => [open, open]), 'TX_ACCOUNT_OPENED'],
  [
    'opened after its use',
    (parts) => ({
      ...parts.edit,
      instructions: [
        ...without({ ...parts, edit: { ...parts.edit, instructions: without(parts, isOpening(parts.own)) } }, isClosing(parts.own)),
        ...only(parts, isOpening(parts.own)),
        ...only(parts, isClosing(parts.own)),
      ],
    }),
    'TX_ACCOUNT_OPENED',
  ],
  [
    'closed before its use',
    (parts) =>
      replaced({ ...parts, edit: { ...parts.edit, instructions: without(parts, isClosing(parts.own)) } }, isOpening(parts.own), (open) => [
        open,
        ...only(parts, isClosing(parts.own)),
      ]),
    'TX_ACCOUNT_OPENED',
  ],
  ['closed twice', (parts) => replaced(parts, isClosing(parts.own), (close) => [close, close]), 'TX_ACCOUNT_OPENED'],
  [
    'opened again after it was closed',
    (parts) => ({ ...parts.edit, instructions: [...parts.edit.instructions, ...only(parts, isOpening(parts.own))] }),
    'TX_ACCOUNT_OPENED',
  ],
  [
    'funded with a lamport',
    (parts) =>
      replaced(parts, isOpening(parts.own), (open) => [
        open,
        SystemProgram.transfer({ fromPubkey: parts.wallet, toPubkey: parts.own, lamports: 1 }),
      ]),
    'TX_SOL_TRANSFER',
  ],
  [
    'approved to another',
    ({ edit, own, wallet }) =>
      added(() => tokenInstruction('Approve', [writes(own), reads(STRANGER), signs(wallet)], { data: amountBytes(1n) }))(edit),
    'TX_INSTRUCTION_FORBIDDEN',
  ],
  [
    'emptied to another',
    (parts) =>
      replaced(parts, isClosing(parts.own), (close) => [
        transferTokens({ from: parts.own, to: accountOf(STRANGER.toBase58(), parts.hop), authority: parts.wallet, amount: 1n }),
        close,
      ]),
    'TX_TOKEN_TRANSFER',
  ],
  [
    'emptied by another',
    (parts) =>
      replaced(parts, isClosing(parts.own), (close) => [
        transferTokens({ from: parts.own, to: accountOf(STRANGER.toBase58(), parts.hop), authority: DEX.publicKey, amount: 1n }),
        close,
      ]),
    'TX_TOKEN_TRANSFER',
  ],
]

describe.each(HOPS)('%s', (_, edit, hop) => {
  const wallet = new PublicKey(edit.terms.wallet)
  const parts: Parts = { edit, hop, wallet, own: accountOf(edit.terms.wallet, hop) }

  test('passes as it is', () => {
    expect(inspected(edit)).toMatchObject({ ok: true, facts: { payer: edit.terms.wallet } })
  })

  test.each(ALTERATIONS)('is refused with its account %s', (_name, alter, code) => {
    const altered = alter(parts)
    expect(altered.instructions).not.toEqual(edit.instructions)
    expect(codeOf(altered)).toBe(code)
  })

  test('passes in no other order of opening, use and closing, nor with any of them missing or twice', () => {
    const { length } = edit.instructions
    const moves = fc.array(fc.nat(length - 1), { minLength: length - 1, maxLength: length + 1 })
    const near = fc.tuple(fc.nat(length - 1), fc.nat(length - 1)).map(([one, other]) => {
      const order = [...edit.instructions.keys()]
      return order.toSpliced(one, 1).toSpliced(other, 0, one)
    })
    fc.assert(
      fc.property(fc.oneof(moves, near), (order) => {
        const instructions = order.flatMap((index) => edit.instructions[index] ?? [])
        const isCoSigned = instructions.some(({ keys }) => keys.some(({ pubkey }) => pubkey.equals(DEX.publicKey)))
        if (codeOf({ ...edit, instructions, signers: isCoSigned ? edit.signers : [] }) !== 'ok') return
        const places = (is: (instruction: TransactionInstruction) => boolean) =>
          instructions.flatMap((instruction, index) => (is(instruction) ? [index] : []))
        const [opened, closed] = [places(isOpening(parts.own)), places(isClosing(parts.own))]
        const used = places((instruction) => isOf(parts.own, TRANSFER_CHECKED)(instruction) || instruction.programId.toBase58() === JUPITER)
        // A route that does not name its account passes without it, too.
        const [times, closings] = opened.length > 0 ? [1, 1] : [0, hop === SOL_MINT ? expect.any(Number) : 0]
        expect([opened.length, closed.length]).toEqual([times, closings])
        for (const index of opened.length === 0 ? [] : used) expect(index > (opened[0] ?? 0) && index < (closed[0] ?? 0)).toBe(true)
      }),
      { numRuns: runsOf(150), examples: [[[0, 0, 0, 0, 5, 0]]] },
    )
  })
})

describe('an exchange by way of another token', () => {
  const edit = hopOf(USDC_MINT, BONK, SOL_MINT)
  const own = accountOf(edit.terms.wallet, SOL_MINT)
  const passing = (amount: bigint) => {
    const isPassedOn = ({ data, keys }: TransactionInstruction) => data[0] === TRANSFER_CHECKED && keys[0]?.pubkey.equals(own) === true
    const instructions = edit.instructions.map((instruction) => {
      if (!isPassedOn(instruction)) return instruction
      const data = Buffer.from(instruction.data)
      data.writeBigUInt64LE(amount, 1)
      return { ...instruction, data }
    })
    return codeOf({ ...edit, instructions })
  }

  test('passes on no more than came in: what was in the account before stays the agent’s', () => {
    expect(passing(HOP)).toBe('ok')
    expect(passing(HOP - 1n)).toBe('ok')
    expect(passing(HOP + 1n)).toBe('TX_TOKEN_TRANSFER')
  })

  test('passes nothing on before it has come in', () => {
    const { length } = edit.instructions
    const [comesIn, goesOn] = [length - 4, length - 3]
    const order = [...edit.instructions.keys()].with(comesIn, goesOn).with(goesOn, comesIn)
    expect(codeOf({ ...edit, instructions: order.flatMap((index) => edit.instructions[index] ?? []) })).toBe('TX_TOKEN_TRANSFER')
  })
})

test('nothing leaves the account of a hop beside a swap of Jupiter’s, though as much came in before', () => {
  const [, , [, edit, hop]] = HOPS as [(typeof HOPS)[0], (typeof HOPS)[0], (typeof HOPS)[0]]
  const [own, dex] = [accountOf(edit.terms.wallet, hop), accountOf(DEX.publicKey.toBase58(), hop)]
  const parts: Parts = { edit, hop, own, wallet: new PublicKey(edit.terms.wallet) }
  const lent = { authority: DEX.publicKey, amount: 1n }
  const altered = replaced(parts, isClosing(own), (close) => [
    transferTokens({ ...lent, from: dex, to: own }),
    transferTokens({ ...lent, from: own, to: dex }),
    close,
  ])
  expect(codeOf({ ...altered, signers: [DEX] })).toBe('TX_TOKEN_TRANSFER')
})

test('an exchange goes by way of no token of Token-2022, which may keep back a fee of what comes in', () => {
  const edit = hopOf(USDC_MINT, BONK, WIF)
  const [legacy, own] = [accountOf(edit.terms.wallet, WIF), accountOf(edit.terms.wallet, WIF, TOKEN_2022_PROGRAM_ID)]
  const instructions = edit.instructions.map(({ programId, keys, data }) => {
    const isOfHop = keys.some(({ pubkey }) => pubkey.equals(legacy))
    const swapped = (key: PublicKey) => (key.equals(legacy) ? own : isOfHop && key.equals(TOKEN_PROGRAM_ID) ? TOKEN_2022_PROGRAM_ID : key)
    return new TransactionInstruction({
      programId: swapped(programId),
      keys: keys.map((key) => ({ ...key, pubkey: swapped(key.pubkey) })),
      data,
    })
  })
  expect(codeOf({ ...edit, instructions })).toBe('TX_TOKEN_TRANSFER')
})

describe('the agent’s own account of wrapped SOL, where SOL is given', () => {
  const edit = pairOf(SOL_MINT, USDC_MINT)
  const parts: Parts = { edit, hop: SOL_MINT, wallet: AGENT.publicKey, own: accountOf(edit.terms.wallet, SOL_MINT) }

  test('passes, closed and left open', () => {
    expect(codeOf(edit)).toBe('ok')
    expect(codeOf({ ...edit, instructions: without(parts, isClosing(parts.own)) })).toBe('ok')
  })

  // It may stay, it is funded with what is given, and its address is known: what mint its opening names, the chain checks.
  const isOfHops = /^(?:left open|funded|emptied|opened as|opened under)/
  test.each(ALTERATIONS.filter(([name]) => !isOfHops.test(name)))('is refused %s', (_name, alter, code) => {
    expect(codeOf(alter(parts))).toBe(code)
  })

  test('is refused with more than is given wrapped into it, be it by a lamport', () => {
    const isWrap = ({ programId }: TransactionInstruction) => programId.equals(SystemProgram.programId)
    const wrapping = (lamports: bigint) =>
      codeOf(replaced(parts, isWrap, () => [SystemProgram.transfer({ fromPubkey: AGENT.publicKey, toPubkey: parts.own, lamports })]))
    expect(wrapping(AMOUNT)).toBe('ok')
    expect(wrapping(AMOUNT + 1n)).toBe('TX_SOL_TRANSFER')
  })
})
