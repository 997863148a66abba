import type { Effect } from '../effect.ts'
import type { Instruction } from '../message.ts'

const CREATE = 0
const CREATE_IDEMPOTENT = 1

/** The Associated Token program, for which there is no decoder. Without data it creates, as it did before it had tags. */
export function readAssociatedToken({ accounts, data }: Instruction): Effect {
  const tag = data[0] ?? CREATE
  if (data.length > 1 || accounts.length < 6) return { kind: 'unknown' }
  if (tag === CREATE || tag === CREATE_IDEMPOTENT) {
    const [payer, account, owner, mint, , tokenProgram] = accounts
    return { kind: 'open', payer, account, owner, mint, tokenProgram }
  }
  return tag === 2 ? { kind: 'forbidden', instruction: 'RecoverNested' } : { kind: 'unknown' }
}
