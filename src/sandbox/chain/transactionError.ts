import { invariant } from '../../core/error.ts'

/** Why a transaction failed, in the form Solana's JSON-RPC has it. */
export type TransactionError =
  | string
  | { readonly InstructionError: readonly [index: number, reason: string | { readonly Custom: number }] }
  | { readonly InsufficientFundsForRent: { readonly account_index: number } }
  | { readonly DuplicateInstruction: number }

/**
 * Reads the error out of the VM's own words: its types name errors by numbers that the package does not export.
 *
 * @param text such as `FailedTransactionMetadata { err: InstructionError(0, Custom(1)), meta: …`
 */
export function readTransactionError(text: string): TransactionError {
  const error = /err: (.*?), meta: /s.exec(text)?.[1]
  invariant(error !== undefined, `the VM's account of a failure reads otherwise than expected: ${text.slice(0, 200)}`)
  const custom = /^InstructionError\((\d+), Custom\((\d+)\)\)$/.exec(error)
  if (custom !== null) return { InstructionError: [Number(custom[1]), { Custom: Number(custom[2]) }] }
  const instruction = /^InstructionError\((\d+), (\w+)/.exec(error)
  if (instruction !== null) return { InstructionError: [Number(instruction[1]), instruction[2] ?? ''] }
  const rent = /^InsufficientFundsForRent \{ account_index: (\d+) \}$/.exec(error)
  if (rent !== null) return { InsufficientFundsForRent: { account_index: Number(rent[1]) } }
  const duplicate = /^DuplicateInstruction\((\d+)\)$/.exec(error)
  return duplicate === null ? error : { DuplicateInstruction: Number(duplicate[1]) }
}

/** The same as a validator words it for people, such as `Error processing Instruction 2: custom program error: 0x1`. */
export function wordsOf(error: TransactionError): string {
  if (typeof error === 'string') return WORDS[error] ?? error
  if ('InsufficientFundsForRent' in error)
    return `Transaction results in an account (${error.InsufficientFundsForRent.account_index}) with insufficient funds for rent`
  if ('DuplicateInstruction' in error) return `Transaction contains a duplicate instruction (${error.DuplicateInstruction})`
  const [index, reason] = error.InstructionError
  const words = typeof reason === 'string' ? reason : `custom program error: 0x${reason.Custom.toString(16)}`
  return `Error processing Instruction ${index}: ${words}`
}

const WORDS: Readonly<Record<string, string>> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  BlockhashNotFound: 'Blockhash not found',
  AlreadyProcessed: 'This transaction has already been processed',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  AddressLookupTableNotFound: 'Transaction loads an address table account that does not exist',
  SignatureFailure: 'Transaction did not pass signature verification',
}
