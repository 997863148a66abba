import type { Effect } from '../effect.ts'
import { discriminatorOf, layoutOf } from '../jupiter/layouts.ts'
import { readSwap } from '../jupiter/readSwap.ts'
import type { Instruction } from '../message.ts'

const CREATE_TOKEN_ACCOUNT = discriminatorOf('create_token_account')

/** Jupiter v6: its swaps, and the temporary token accounts it makes for wrapped SOL. */
export function readJupiter(instruction: Instruction): Effect {
  const layout = layoutOf(instruction.data)
  if (layout !== undefined) return readSwap(layout, instruction)
  const { accounts, data } = instruction
  // The one argument is the bump of the account's address, which is checked by its address.
  if (data.length === 9 && Buffer.from(data).toString('hex', 0, 8) === CREATE_TOKEN_ACCOUNT)
    return { kind: 'openTemporary', account: accounts[0] }
  return { kind: 'unknown' }
}
