import { PublicKey, TransactionInstruction } from '@solana/web3.js'
import type { Instruction } from '../message.ts'

const UNNAMED = { pubkey: PublicKey.default, isSigner: false, isWritable: false }

/**
 * The instruction for a library's decoder, which is asked about the data only. Accounts are counted and not named, since one
 * in a table that was not read has no address: callers take them from the instruction by position.
 */
export function forDecoder({ program, accounts, data }: Instruction): TransactionInstruction {
  return new TransactionInstruction({ programId: new PublicKey(program), keys: accounts.map(() => UNNAMED), data: Buffer.from(data) })
}
