import { hash } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { COMPUTE_BUDGET_PROGRAM, effectOf, JUPITER_PROGRAM, SYSTEM_PROGRAM } from './index.ts'

const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
const accounts = Array.from({ length: 7 }, (_, n) => new PublicKey(hash('sha256', `account ${n}`, 'buffer')).toBase58())
const [a, b, c, d, , f] = accounts
const OPENED = { kind: 'open', payer: a, account: b, owner: c, mint: d, tokenProgram: f }
const ONE = '0100000000000000'
const CREATE_TOKEN_ACCOUNT = '93f17b64f484ae76'

const effect = (program: string, data: string, count = accounts.length) =>
  effectOf({ program, accounts: accounts.slice(0, count), data: Buffer.from(data, 'hex') }, {})

test.each([
  ['a transfer', SYSTEM_PROGRAM, `02000000${ONE}`, 2, { kind: 'lamports', from: a, to: b, lamports: 1n }],
  ['a token transfer', TOKEN, `03${ONE}`, 3, { kind: 'tokens', from: a, to: b, amount: 1n, authorities: [c] }],
  ['a token transfer of two signers', TOKEN, `03${ONE}`, 4, { kind: 'tokens', from: a, to: b, amount: 1n, authorities: [c, d] }],
  ['a checked token transfer', TOKEN_2022, `0c${ONE}06`, 4, { kind: 'tokens', from: a, to: c, amount: 1n, authorities: [d] }],
  ['a close', TOKEN, '09', 3, { kind: 'close', account: a, to: b, authorities: [c] }],
  ['a sync', TOKEN, '11', 1, { kind: 'harmless' }],
  ['an opening as it was first written', ASSOCIATED, '', 7, OPENED],
  ['an opening', ASSOCIATED, '00', 6, OPENED],
  ['an idempotent opening', ASSOCIATED, '01', 6, OPENED],
  ['a temporary account', JUPITER_PROGRAM, `${CREATE_TOKEN_ACCOUNT}ff`, 5, { kind: 'openTemporary', account: a }],
  ['a unit price', COMPUTE_BUDGET_PROGRAM, `03${ONE}`, 0, { kind: 'computePrice', microLamports: 1n }],
  ['a unit limit', COMPUTE_BUDGET_PROGRAM, '0205000000', 0, { kind: 'computeLimit', units: 5 }],
  ['a heap frame', COMPUTE_BUDGET_PROGRAM, '0100800000', 0, { kind: 'harmless' }],
  ['a limit of loaded data', COMPUTE_BUDGET_PROGRAM, '0400800000', 0, { kind: 'harmless' }],
  ['a memo', 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', 'ff', 1, { kind: 'harmless' }],
  ['an older memo', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo', '', 0, { kind: 'harmless' }],
])('%s is read', (_, program, data, count, expected) => {
  expect(effect(program, data, count)).toEqual(expected)
})

test.each([
  ['units with a fee of their own', COMPUTE_BUDGET_PROGRAM, '000500000001000000', 'RequestUnits'],
  ['a transfer under a seed', SYSTEM_PROGRAM, `0b000000${ONE}${ONE}41${'00'.repeat(32)}`, 'TransferWithSeed'],
  ['an allocation', SYSTEM_PROGRAM, `08000000${ONE}`, 'Allocate'],
  ['an account made', SYSTEM_PROGRAM, `00000000${ONE}${ONE}${'00'.repeat(32)}`, 'Create'],
  ['a withdrawal from a nonce', SYSTEM_PROGRAM, `05000000${ONE}`, 'WithdrawNonceAccount'],
  ['a freeze', TOKEN, '0a', 'FreezeAccount'],
  ['a minting', TOKEN, `07${ONE}`, 'MintTo'],
  ['an account initialized', TOKEN, `12${'00'.repeat(32)}`, 'InitializeAccount3'],
  ['a recovery of nested accounts', ASSOCIATED, '02', 'RecoverNested'],
])('%s is forbidden by name', (_, program, data, instruction) => {
  expect(effect(program, data)).toEqual({ kind: 'forbidden', instruction })
})

test.each([
  ['no data for the System program', SYSTEM_PROGRAM, ''],
  ['a transfer with bytes behind it', SYSTEM_PROGRAM, `02000000${ONE}00`],
  ['a System instruction nobody knows', SYSTEM_PROGRAM, 'ff000000'],
  ['no data for a token', TOKEN, ''],
  ['a token transfer with bytes behind it', TOKEN, `03${ONE}00`],
  ['a batch of token instructions', TOKEN, 'ff0301'],
  ['an extension of Token-2022', TOKEN_2022, `1a01${ONE}06${ONE}`],
  ['an opening with bytes behind it', ASSOCIATED, '0100'],
  ['an opening nobody knows', ASSOCIATED, '03'],
  ['a price that is cut short', COMPUTE_BUDGET_PROGRAM, '0320a107000000'],
  ['a budget nobody knows', COMPUTE_BUDGET_PROGRAM, '05'],
  ['no data for Jupiter', JUPITER_PROGRAM, ''],
  ['a temporary account with bytes behind it', JUPITER_PROGRAM, `${CREATE_TOKEN_ACCOUNT}ff00`],
  ['a temporary account cut short', JUPITER_PROGRAM, CREATE_TOKEN_ACCOUNT],
])('%s is unknown', (_, program, data) => {
  expect(effect(program, data)).toEqual({ kind: 'unknown' })
})

test('instructions without the accounts they need are unknown', () => {
  expect(effect(SYSTEM_PROGRAM, `02000000${ONE}`, 1)).toEqual({ kind: 'unknown' })
  expect(effect(TOKEN, `03${ONE}`, 2)).toEqual({ kind: 'unknown' })
  expect(effect(TOKEN, '09', 2)).toEqual({ kind: 'unknown' })
  expect(effect(ASSOCIATED, '01', 5)).toEqual({ kind: 'unknown' })
})
