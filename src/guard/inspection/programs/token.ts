import { invariant } from '../../../core/error.ts'
import { TOKEN_INSTRUCTIONS, type TokenInstructionName } from '../../../core/tokenProgram.ts'
import type { Effect } from '../effect.ts'
import type { Instruction } from '../message.ts'

/** How an instruction that a swap may have is written, and what it does. */
interface Form {
  readonly bytes: number
  readonly accounts: number
  readonly effect: (instruction: Instruction) => Effect
}

const FORMS: { readonly [Name in TokenInstructionName]?: Form } = {
  Transfer: {
    ...{ bytes: 9, accounts: 3 },
    effect: ({ accounts, data }) => ({
      kind: 'tokens',
      from: accounts[0],
      to: accounts[1],
      amount: amountOf(data),
      authorities: accounts.slice(2),
    }),
  },
  TransferChecked: {
    ...{ bytes: 10, accounts: 4 },
    effect: ({ accounts, data }) => ({
      kind: 'tokens',
      from: accounts[0],
      to: accounts[2],
      amount: amountOf(data),
      authorities: accounts.slice(3),
    }),
  },
  CloseAccount: {
    ...{ bytes: 1, accounts: 3 },
    effect: ({ accounts }) => ({ kind: 'close', account: accounts[0], to: accounts[1], authorities: accounts.slice(2) }),
  },
  SyncNative: { bytes: 1, accounts: 1, effect: () => ({ kind: 'harmless' }) },
}

/** SPL Token, and of Token-2022 what it has in common with it: whatever else that program has is unknown here. */
export function readToken(instruction: Instruction): Effect {
  const { accounts, data } = instruction
  const name = TOKEN_INSTRUCTIONS[data[0] ?? -1]
  invariant(name !== undefined, 'no instruction of SPL Token')
  const form = FORMS[name]
  if (form === undefined) return { kind: 'forbidden', instruction: name }
  // The programs refuse what is shorter and pass over what is longer; a swap has no reason to send either.
  invariant(data.length === form.bytes && accounts.length >= form.accounts, `no well-formed ${name}`)
  return form.effect(instruction)
}

/** Base units, behind the byte that names the instruction. */
const amountOf = (data: Uint8Array): bigint => Buffer.from(data).readBigUInt64LE(1)
