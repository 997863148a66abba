import { invariant } from '../../../core/error.ts'
import { TOKEN_INSTRUCTIONS } from '../../../core/tokenProgram.ts'
import type { Effect } from '../effect.ts'
import type { Instruction } from '../message.ts'

/** SPL Token, and of Token-2022 what it has in common with it: whatever else that program has is unknown here. */
export function readToken({ accounts, data }: Instruction): Effect {
  const instruction = TOKEN_INSTRUCTIONS[data[0] ?? -1]
  invariant(instruction !== undefined, 'no instruction of SPL Token')
  // The programs refuse what is shorter and pass over what is longer; a swap has no reason to send either.
  const expect = (bytes: number, named: number): void =>
    invariant(data.length === bytes && accounts.length >= named, `no well-formed ${instruction}`)
  switch (instruction) {
    case 'Transfer':
      expect(9, 3)
      return { kind: 'tokens', from: accounts[0], to: accounts[1], amount: amountOf(data), authorities: accounts.slice(2) }
    case 'TransferChecked':
      expect(10, 4)
      return { kind: 'tokens', from: accounts[0], to: accounts[2], amount: amountOf(data), authorities: accounts.slice(3) }
    case 'CloseAccount':
      expect(1, 3)
      return { kind: 'close', account: accounts[0], to: accounts[1], authorities: accounts.slice(2) }
    case 'SyncNative':
      expect(1, 1)
      return { kind: 'harmless' }
    default:
      return { kind: 'forbidden', instruction }
  }
}

/** Base units, behind the byte that names the instruction. */
const amountOf = (data: Uint8Array): bigint => Buffer.from(data).readBigUInt64LE(1)
