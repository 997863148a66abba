import {
  decodeInstruction,
  isCloseAccountInstruction,
  isSyncNativeInstruction,
  isTransferCheckedInstruction,
  isTransferInstruction,
  TokenInstruction,
} from '@solana/spl-token'
import { PublicKey } from '@solana/web3.js'
import type { Effect } from '../effect.ts'
import type { Instruction } from '../message.ts'
import { forDecoder } from './forDecoder.ts'

/** SPL Token, and of Token-2022 what it has in common with it: whatever else that program has is unknown here. */
export function readToken(instruction: Instruction): Effect {
  const { program, accounts } = instruction
  const decoded = decodeInstruction(forDecoder(instruction), new PublicKey(program))
  if (isTransferInstruction(decoded))
    return { kind: 'tokens', from: accounts[0], to: accounts[1], amount: decoded.data.amount, authorities: accounts.slice(2) }
  if (isTransferCheckedInstruction(decoded))
    return { kind: 'tokens', from: accounts[0], to: accounts[2], amount: decoded.data.amount, authorities: accounts.slice(3) }
  if (isCloseAccountInstruction(decoded)) return { kind: 'close', account: accounts[0], to: accounts[1], authorities: accounts.slice(2) }
  if (isSyncNativeInstruction(decoded)) return { kind: 'harmless' }
  return { kind: 'forbidden', instruction: TokenInstruction[decoded.data.instruction] ?? 'unnamed' }
}
