import { ComputeBudgetInstruction } from '@solana/web3.js'
import type { Effect } from '../effect.ts'
import type { Instruction } from '../message.ts'
import { forDecoder } from './forDecoder.ts'

/** SetLoadedAccountsDataSizeLimit, which the library does not know. It makes the transaction take less. */
const DATA_SIZE_LIMIT = 4

/** Compute Budget: what a unit costs, and how many there are. */
export function readComputeBudget(instruction: Instruction): Effect {
  if (instruction.data[0] === DATA_SIZE_LIMIT) return { kind: 'harmless' }
  const decodable = forDecoder(instruction)
  const type = ComputeBudgetInstruction.decodeInstructionType(decodable)
  switch (type) {
    case 'SetComputeUnitPrice': {
      const { microLamports } = ComputeBudgetInstruction.decodeSetComputeUnitPrice(decodable)
      return { kind: 'computePrice', microLamports: BigInt(microLamports) }
    }
    case 'SetComputeUnitLimit':
      return { kind: 'computeLimit', units: ComputeBudgetInstruction.decodeSetComputeUnitLimit(decodable).units }
    case 'RequestHeapFrame':
      return { kind: 'harmless' }
    case 'RequestUnits':
      // It named a fee of its own; the chain no longer takes it.
      return { kind: 'forbidden', instruction: type }
  }
}
