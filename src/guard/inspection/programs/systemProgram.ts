import { SystemInstruction } from '@solana/web3.js'
import type { Effect } from '../effect.ts'
import type { Instruction } from '../message.ts'
import { forDecoder } from './forDecoder.ts'

/** The tag and the lamports. */
const TRANSFER_BYTES = 4 + 8

/**
 * The System program: of its instructions only the transfer has a place in a swap. What makes, assigns or allocates
 * accounts would spend or give away the agent's, and a nonce would keep the transaction valid for ever.
 */
export function readSystem(instruction: Instruction): Effect {
  const decodable = forDecoder(instruction)
  const type = SystemInstruction.decodeInstructionType(decodable)
  if (type !== 'Transfer') return { kind: 'forbidden', instruction: type }
  if (instruction.data.length !== TRANSFER_BYTES) return { kind: 'unknown' }
  const { lamports } = SystemInstruction.decodeTransfer(decodable)
  return { kind: 'lamports', from: instruction.accounts[0], to: instruction.accounts[1], lamports: BigInt(lamports) }
}
