import { firstRefusal } from './checks/check.ts'
import { CHECKS } from './checks/index.ts'
import type { InspectionRefusal } from './codes.ts'
import type { Message } from './message.ts'
import { effectOf } from './programs/index.ts'
import type { InspectionPolicy, SwapTerms } from './terms.ts'

/** An instruction that no transaction has been made of yet. Addresses are base58. */
export interface LooseInstruction {
  readonly program: string
  readonly accounts: readonly { readonly address: string; readonly isSigner: boolean; readonly isWritable: boolean }[]
  readonly data: Uint8Array
}

/**
 * Looks at instructions before a transaction is composed of them: by the checks of `inspectSwap`, all of them. Who must sign
 * besides the agent has signed nothing yet, and is refused. It is no substitute for the look at the bytes, which knows
 * nothing of this one and is made of every transaction, whoever composed it.
 *
 * @returns why no transaction may be made of them; undefined where one may
 * @example
 * const refused = inspectInstructions(instructions, terms, policy)
 * if (refused !== undefined) return { ok: false, refusal: refused }
 */
export function inspectInstructions(
  loose: readonly LooseInstruction[],
  terms: SwapTerms,
  policy: InspectionPolicy,
): InspectionRefusal | undefined {
  const message = messageOf(loose, terms.wallet)
  const acts = message.instructions.map((instruction) => ({ ...effectOf(instruction, policy.programs), program: instruction.program }))
  return firstRefusal(CHECKS, (check) => check({ message, acts, terms, policy }))
}

/** As the agent would sign it: nothing is compiled yet, so that there are neither bytes nor tables to look at. */
function messageOf(loose: readonly LooseInstruction[], wallet: string): Message {
  const signers = loose.flatMap(({ accounts }) => accounts.filter(({ isSigner }) => isSigner).map(({ address }) => address))
  return {
    version: 'legacy',
    bytes: 0,
    signers: [...new Set([wallet, ...signers])],
    signatures: [],
    blockhash: '',
    instructions: loose.map(({ program, accounts, data }) => ({ program, accounts: accounts.map(({ address }) => address), data })),
    unresolvedTables: [],
    signed: new Uint8Array(),
  }
}
