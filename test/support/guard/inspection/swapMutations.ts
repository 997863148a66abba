import { TransactionInstruction } from '@solana/web3.js'
import type { InspectionCode } from '../../../../src/guard/inspection/codes.ts'
import { discriminatorOf } from '../../../../src/guard/inspection/jupiter/layouts.ts'
import { type Edit, madeUp } from './editing.ts'
import { accountOf, JUPITER, POSITIONS, type Row } from './fixtures.ts'
import { STRANGER } from './mutations.ts'

// What may be done to a swap instruction of Jupiter's, field by field.

type Change = (parts: { readonly data: Buffer; readonly keys: TransactionInstruction['keys'] }, row: Row) => void
export type SwapMutation = readonly [name: string, change: Change, code: InspectionCode]

const isSwap = ({ programId, data }: TransactionInstruction) => programId.toBase58() === JUPITER && data.length > 9

/** The swap of a row, with its data or its accounts changed. */
export function changed({ edit, row }: { edit: Edit; row: Row }, change: Change): Edit {
  const instructions = edit.instructions.map((instruction) => {
    if (!isSwap(instruction)) return instruction
    const parts = {
      programId: instruction.programId,
      data: Buffer.from(instruction.data),
      keys: instruction.keys.map((key) => ({ ...key })),
    }
    change(parts, row)
    return new TransactionInstruction(parts)
  })
  return { ...edit, instructions }
}

/** The edit with its swap replaced by these instructions. */
export const withSwap = (edit: Edit, replace: (swap: TransactionInstruction) => readonly TransactionInstruction[]): Edit => ({
  ...edit,
  instructions: edit.instructions.flatMap((instruction) => (isSwap(instruction) ? replace(instruction) : [instruction])),
})

/** Where the arguments are: of version 2 first, of version 1 last. */
const at = (data: Buffer, { jupiter }: Row) => {
  const start = jupiter?.ix === 'route_v2' ? 8 : data.length - 19
  return { inAmount: start, quotedOut: start + 8, slippageBps: start + 16, platformFeeBps: start + 18, positiveSlippageBps: start + 20 }
}

const bumped = (argument: 'inAmount' | 'quotedOut', by: bigint): Change => {
  return ({ data }, row) => {
    const offset = at(data, row)[argument]
    data.writeBigUInt64LE(data.readBigUInt64LE(offset) + by, offset)
  }
}

const sentTo = (position: 'source' | 'destination'): Change => {
  return ({ keys }, row) => {
    const meta = keys[POSITIONS[row.jupiter?.ix ?? 'route'][position]]
    if (meta !== undefined) meta.pubkey = accountOf(STRANGER.toBase58(), JUPITER)
  }
}

/** Another key in a place; nothing where the instruction has no such place. */
export const keyAt = (position: (row: Row) => number | undefined): Change => {
  return ({ keys }, row) => {
    const meta = keys[position(row) ?? -1]
    if (meta !== undefined) meta.pubkey = madeUp('elsewhere')
  }
}

const ixOf = (row: Row) => row.jupiter?.ix ?? 'route'

export const SWAP_MUTATIONS: readonly SwapMutation[] = [
  ['more in', bumped('inAmount', 1n), 'TX_SWAP_AMOUNT'],
  ['less in', bumped('inAmount', -1n), 'TX_SWAP_AMOUNT'],
  ['less out', bumped('quotedOut', -1n), 'TX_SWAP_QUOTED_OUT'],
  ['more out', bumped('quotedOut', 1n), 'TX_SWAP_QUOTED_OUT'],
  ['more slippage', ({ data }, row) => data.writeUInt16LE(9_999, at(data, row).slippageBps), 'TX_SWAP_SLIPPAGE'],
  ['a platform fee', ({ data }, row) => data.writeUInt8(100, at(data, row).platformFeeBps), 'TX_SWAP_FEE'],
  ['another source', sentTo('source'), 'TX_SWAP_SOURCE'],
  ['another destination', sentTo('destination'), 'TX_SWAP_DESTINATION'],
  ['another authority', keyAt((row) => POSITIONS[ixOf(row)].source - 1), 'TX_SWAP_SOURCE'],
  ['another mint out', keyAt((row) => POSITIONS[ixOf(row)].destinationMint), 'TX_SWAP_MINT'],
  ['accounts missing', ({ keys }) => keys.splice(3), 'TX_SWAP_UNREADABLE'],
  ['a name nobody knows', ({ data }) => data.fill(7, 0, 8), 'TX_INSTRUCTION_UNKNOWN'],
  ['a claim in its place', ({ data }) => data.write(discriminatorOf('claim'), 'hex'), 'TX_INSTRUCTION_UNKNOWN'],
]
