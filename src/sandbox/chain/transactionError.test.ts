import { expect, test } from 'vitest'
import { readTransactionError, wordsOf } from './transactionError.ts'

const told = (error: string) =>
  `FailedTransactionMetadata(FailedTransactionMetadata { err: ${error}, meta: TransactionMetadata { logs: [] } })`

test.each([
  ['AccountNotFound', 'AccountNotFound', 'Attempt to debit an account but found no record of a prior credit.'],
  ['InstructionError(2, Custom(1))', { InstructionError: [2, { Custom: 1 }] }, 'Error processing Instruction 2: custom program error: 0x1'],
  [
    'InstructionError(0, InvalidAccountData)',
    { InstructionError: [0, 'InvalidAccountData'] },
    'Error processing Instruction 0: InvalidAccountData',
  ],
  ['InstructionError(1, BorshIoError("x"))', { InstructionError: [1, 'BorshIoError'] }, 'Error processing Instruction 1: BorshIoError'],
  [
    'InsufficientFundsForRent { account_index: 1 }',
    { InsufficientFundsForRent: { account_index: 1 } },
    'Transaction results in an account (1) with insufficient funds for rent',
  ],
  ['DuplicateInstruction(3)', { DuplicateInstruction: 3 }, 'Transaction contains a duplicate instruction (3)'],
])('%s is read and worded as validators do', (error, read, words) => {
  expect(readTransactionError(told(error))).toEqual(read)
  expect(wordsOf(readTransactionError(told(error)))).toBe(words)
})

test('what reads otherwise is a fault, not a guess', () => {
  expect(() => readTransactionError('something else')).toThrow(/reads otherwise/)
})
