import type { Act } from './checks/check.ts'
import type { InspectionRefusal } from './codes.ts'
import { computeBudgetOf } from './computeBudget.ts'
import type { JupiterSwap } from './jupiter/swap.ts'
import { type Message, readMessage } from './message.ts'
import { effectOf, programName } from './programs/index.ts'
import type { InspectionPolicy, LookupTables } from './terms.ts'

/** What a transaction says, for logs and the journal. */
export interface Inspected {
  readonly version: 'legacy' | 0
  readonly bytes: number
  readonly payer: string
  readonly blockhash: string
  /** Each once, in the order they are called. */
  readonly programs: readonly { readonly id: string; readonly name: string | undefined }[]
  /** The first swap of Jupiter's that could be read. */
  readonly jupiter: JupiterSwap | undefined
  readonly computePriceMicroLamports: bigint
  /** As asked for; undefined leaves it to the chain. */
  readonly computeUnitLimit: number | undefined
  /** What is signed. */
  readonly message: Uint8Array
}

export interface Reading {
  readonly message: Message
  readonly acts: readonly Act[]
  readonly facts: Inspected
}

/**
 * Reads a transaction without judging it: the programs it calls, the swap it makes.
 *
 * @example
 * const read = readTransaction(Buffer.from(swapTransaction, 'base64'))
 * if ('facts' in read) console.log(read.facts.jupiter?.inAmount)
 */
export function readTransaction(
  transaction: Uint8Array,
  tables?: LookupTables,
  programs: InspectionPolicy['programs'] = {},
): Reading | InspectionRefusal {
  const message = readMessage(transaction, tables)
  if ('code' in message) return message
  const acts = message.instructions.map((instruction) => ({ ...effectOf(instruction, programs), program: instruction.program }))
  const { priceMicroLamports, unitLimit } = computeBudgetOf(acts)
  const called = [...new Set(message.instructions.map(({ program }) => program))]
  return {
    message,
    acts,
    facts: {
      version: message.version,
      bytes: message.bytes,
      payer: message.signers[0] ?? '',
      blockhash: message.blockhash,
      programs: called.map((id) => ({ id, name: programName(id, programs) })),
      jupiter: acts.find((act) => act.kind === 'swap')?.swap,
      computePriceMicroLamports: priceMicroLamports,
      computeUnitLimit: unitLimit,
      message: message.signed,
    },
  }
}
