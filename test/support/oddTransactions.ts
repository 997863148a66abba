import {
  type AccountMeta,
  ComputeBudgetProgram,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { amountBytes, reads, signs, TOKEN_PROGRAM_ID, tokenInstruction, writes } from '../../src/core/tokenProgram.ts'
import { SOL_MINT, USDC_MINT } from '../../src/core/tokens.ts'
import { usdc } from '../../src/core/usdc.ts'
import type { InspectionCode, SwapTerms } from '../../src/guard/index.ts'
import { discriminatorOf } from '../../src/guard/inspection/jupiter/layouts.ts'
import type { BuiltSwap } from '../../src/pipeline/index.ts'
import { type Assembled, assembled, type Edit, madeUp } from './guard/inspection/editing.ts'
import { accountOf, JUPITER, POLICY } from './guard/inspection/fixtures.ts'
import { MUTATIONS } from './guard/inspection/mutations.ts'
import { DEX } from './guard/inspection/pairs.ts'
import { changed, SWAP_MUTATIONS } from './guard/inspection/swapMutations.ts'
import { WALLET } from './pairTransaction.ts'
import { SWAPS } from './realTransactions.ts'

// The transaction of a good swap of 10 USDC for SOL with one thing changed, and one for each code that the inspection
// of it must refuse it with.

const TERMS: SwapTerms = {
  wallet: WALLET,
  from: USDC_MINT,
  to: SOL_MINT,
  amount: usdc('10'),
  quotedOut: 50_000_000n,
  minOut: 49_750_000n,
  slippageBps: 50,
}
const USER = new PublicKey(WALLET)
const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const MOST_UNITS = 1_400_000
const TRANSFER_CHECKED = 12
/** With it the transaction is larger than a packet, and its message not yet too large for the library. */
const MEMO_BYTES = 800

/** The simulation is gone with what it was of: the inspection comes before it. */
type Odd = (good: BuiltSwap) => Pick<BuiltSwap, 'transaction' | 'tables'>

function editOf({ transaction }: BuiltSwap): Edit {
  const { message } = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'))
  const { payerKey: payer, recentBlockhash: blockhash, instructions } = TransactionMessage.decompile(message)
  return { isLegacy: false, terms: TERMS, policy: POLICY, payer, blockhash, instructions, tables: [], signers: [DEX] }
}

const written = ({ bytes, tables }: Assembled) => ({ transaction: Buffer.from(bytes).toString('base64'), tables })

const edited =
  (alter: (edit: Edit) => Edit): Odd =>
  (good) =>
    written(assembled(alter(editOf(good))))

/** What the inspection's own tests do to any swap. */
function mutated(code: InspectionCode): Odd {
  const [, alter] = MUTATIONS.find(([, , refusedWith]) => refusedWith === code) ?? []
  if (alter === undefined) throw new Error(`no mutation is refused with ${code}`)
  return edited(alter)
}

const withInstructions = (change: (instructions: Edit['instructions']) => Edit['instructions']): Odd =>
  edited((edit) => ({ ...edit, instructions: change(edit.instructions) }))

const isTransfer = ({ programId, data }: TransactionInstruction) => programId.equals(TOKEN_PROGRAM_ID) && data[0] === TRANSFER_CHECKED
const isFromDex = ({ keys }: TransactionInstruction) => keys.some(({ pubkey }) => pubkey.equals(DEX.publicKey))

/** The same swap by way of Jupiter. */
function byJupiter(): TransactionInstruction {
  const none: AccountMeta = { pubkey: new PublicKey(JUPITER), isSigner: false, isWritable: false }
  const account = (pubkey: PublicKey): AccountMeta => ({ pubkey, isSigner: false, isWritable: true })
  const program = account(TOKEN_PROGRAM_ID)
  const data = Buffer.alloc(8 + 8 + 8 + 2 + 2 + 2)
  data.write(discriminatorOf('route_v2'), 'hex')
  data.writeBigUInt64LE(TERMS.amount, 8)
  data.writeBigUInt64LE(TERMS.quotedOut, 16)
  data.writeUInt16LE(TERMS.slippageBps, 24)
  const keys = [
    { pubkey: USER, isSigner: true, isWritable: true },
    ...[accountOf(WALLET, USDC_MINT), accountOf(WALLET, SOL_MINT), new PublicKey(USDC_MINT), new PublicKey(SOL_MINT)].map(account),
    ...[program, program, none],
  ]
  return new TransactionInstruction({ programId: new PublicKey(JUPITER), keys, data })
}

/** In the place of the transfers: before the agent's account of wrapped SOL is closed. */
function viaJupiter(edit: Edit, swaps: readonly TransactionInstruction[] = [byJupiter()]): Edit {
  const first = edit.instructions.findIndex(isTransfer)
  const [before, after] = [edit.instructions.slice(0, first), edit.instructions.slice(first).filter((each) => !isTransfer(each))]
  return { ...edit, instructions: [...before, ...swaps, ...after], signers: [] }
}

/** What the inspection's own tests do to a swap instruction of Jupiter's. */
function mutatedSwap(code: InspectionCode): Odd {
  const [, change] = SWAP_MUTATIONS.find(([, , refusedWith]) => refusedWith === code) ?? []
  const row = SWAPS.find(({ jupiter }) => jupiter?.ix === 'route_v2')
  if (change === undefined || row === undefined) throw new Error(`no change to a swap is refused with ${code}`)
  return edited((edit) => changed({ edit: viaJupiter(edit), row }, change))
}

/** The signature of the DEX, the second of the two. */
function withCoSignature({ transaction }: BuiltSwap, change: (signature: Uint8Array) => void): ReturnType<Odd> {
  const bytes = Uint8Array.from(Buffer.from(transaction, 'base64'))
  change(bytes.subarray(65, 129))
  return { transaction: Buffer.from(bytes).toString('base64'), tables: new Map() }
}

/** Good as it is, so that what is refused below is refused for the change. */
export const byJupiterInstead: Odd = edited((edit) => viaJupiter(edit))

export const ODD_TRANSACTIONS: Readonly<Record<Exclude<InspectionCode, 'SIMULATION_FAILED' | 'SIMULATION_MISMATCH'>, Odd>> = {
  TX_MALFORMED: () => ({ transaction: Buffer.from('no transaction').toString('base64'), tables: new Map() }),
  TX_TOO_LARGE: withInstructions((instructions) => [
    ...instructions,
    new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.alloc(MEMO_BYTES, 'm') }),
  ]),
  TX_FEE_PAYER: mutated('TX_FEE_PAYER'),
  TX_PROGRAM_NOT_ALLOWED: mutated('TX_PROGRAM_NOT_ALLOWED'),
  TX_TABLE_UNRESOLVED: (good) => ({ ...written(assembled(editOf(good))), tables: new Map() }),
  TX_INSTRUCTION_UNKNOWN: mutated('TX_INSTRUCTION_UNKNOWN'),
  TX_INSTRUCTION_FORBIDDEN: withInstructions((instructions) => [
    ...instructions,
    tokenInstruction('Approve', [writes(accountOf(WALLET, USDC_MINT)), reads(madeUp('delegate')), signs(USER)], { data: amountBytes(1n) }),
  ]),
  TX_COMPUTE_PRICE: mutated('TX_COMPUTE_PRICE'),
  TX_PRIORITY_FEE: withInstructions((instructions) => [
    ...instructions.filter(({ programId }) => !programId.equals(ComputeBudgetProgram.programId)),
    ComputeBudgetProgram.setComputeUnitLimit({ units: MOST_UNITS }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 4_000_000 }),
  ]),
  TX_SOL_TRANSFER: mutated('TX_SOL_TRANSFER'),
  TX_TOKEN_TRANSFER: mutated('TX_TOKEN_TRANSFER'),
  TX_ACCOUNT_OPENED: mutated('TX_ACCOUNT_OPENED'),
  TX_ACCOUNT_CLOSED: mutated('TX_ACCOUNT_CLOSED'),
  TX_NOT_THE_SWAP: edited((edit) => ({ ...edit, instructions: edit.instructions.filter((each) => !isTransfer(each)), signers: [] })),
  TX_SWAP_REPEATED: edited((edit) => viaJupiter(edit, [byJupiter(), byJupiter()])),
  TX_SWAP_UNREADABLE: mutatedSwap('TX_SWAP_UNREADABLE'),
  TX_SWAP_SOURCE: mutatedSwap('TX_SWAP_SOURCE'),
  TX_SWAP_DESTINATION: mutatedSwap('TX_SWAP_DESTINATION'),
  TX_SWAP_MINT: mutatedSwap('TX_SWAP_MINT'),
  TX_SWAP_AMOUNT: mutatedSwap('TX_SWAP_AMOUNT'),
  TX_SWAP_QUOTED_OUT: mutatedSwap('TX_SWAP_QUOTED_OUT'),
  TX_SWAP_SLIPPAGE: mutatedSwap('TX_SWAP_SLIPPAGE'),
  TX_SWAP_MIN_OUT: withInstructions((instructions) =>
    instructions.map((instruction) => {
      if (!isTransfer(instruction) || !isFromDex(instruction)) return instruction
      const { programId, keys } = instruction
      const data = Buffer.from(instruction.data)
      data.writeBigUInt64LE(TERMS.minOut - 1n, 1)
      return new TransactionInstruction({ programId, keys, data })
    }),
  ),
  TX_SWAP_FEE: mutatedSwap('TX_SWAP_FEE'),
  TX_SIGNATURE_MISSING: (good) => withCoSignature(good, (signature) => signature.fill(0)),
  TX_SIGNATURE_INVALID: (good) => withCoSignature(good, (signature) => signature.copyWithin(0, 32)),
}
