import { AccountRole, address, type Instruction, none, some } from '@solana/kit'
import { PublicKey, type TransactionInstruction } from '@solana/web3.js'
import {
  AccountState,
  findAssociatedTokenPda,
  getApproveCheckedInstruction,
  getBurnInstruction,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintDecoder,
  getMintEncoder,
  getSyncNativeInstruction,
  getTokenDecoder,
  getTokenEncoder,
  getTransferCheckedInstruction,
  getTransferInstruction,
  identifyTokenInstruction,
  TokenInstruction,
} from '@solana-program/token'
import { describe, expect, test } from 'vitest'
import {
  amountBytes,
  associatedTokenAddress,
  closeTokenAccount,
  isTokenAccountData,
  mintBytes,
  openTokenAccount,
  readMint,
  reads,
  readTokenAccount,
  signs,
  syncNative,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_ACCOUNT_BYTES,
  TOKEN_INSTRUCTIONS,
  TOKEN_PROGRAM_ID,
  tokenAccountBytes,
  tokenInstruction,
  transferTokens,
  transferTokensChecked,
  withTokenAmount,
  writes,
} from './tokenProgram.ts'

// Compared with the programs' own client, which comes by litesvm.

const key = (fill: number) => new PublicKey(new Uint8Array(32).fill(fill))
const at = (fill: number) => address(key(fill).toBase58())
/** An account that signs, as the client wants it: nothing here is signed. */
const signer = (fill: number) => ({ address: at(fill), signTransactions: async () => [] })
const [A, B, C, D] = [1, 2, 3, 4] as const

const shown = ({ programId, keys, data }: TransactionInstruction) => ({
  program: programId.toBase58(),
  keys: keys.map(({ pubkey, isSigner, isWritable }) => [pubkey.toBase58(), isSigner, isWritable]),
  data: [...data],
})
const theirs = ({ programAddress, accounts = [], data = new Uint8Array() }: Instruction & { readonly data?: unknown }) => ({
  program: programAddress as string,
  keys: accounts.map(({ address: account, role }) => [
    account as string,
    role === AccountRole.READONLY_SIGNER || role === AccountRole.WRITABLE_SIGNER,
    role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER,
  ]),
  data: [...(data as Uint8Array)],
})

describe('layouts', () => {
  const options = [
    [undefined, undefined, undefined],
    [key(C), 2_039_280n, key(D)],
  ] as const
  test.each(options)('of a token account with the options %s, %s, %s are the client’s', (delegate, nativeReserve, closeAuthority) => {
    const account = {
      mint: key(A),
      owner: key(B),
      amount: 2n ** 64n - 1n,
      delegate,
      state: 1,
      nativeReserve,
      delegatedAmount: 7n,
      closeAuthority,
    }
    const bytes = tokenAccountBytes(account)
    const option = (value: PublicKey | undefined) => (value === undefined ? null : address(value.toBase58()))
    const encoded = getTokenEncoder().encode({
      ...{ mint: at(A), owner: at(B), amount: account.amount, delegate: option(delegate), state: AccountState.Initialized },
      ...{
        isNative: nativeReserve ?? null,
        delegatedAmount: 7n,
        closeAuthority: option(closeAuthority),
      },
    })
    expect([...bytes]).toEqual([...encoded])
    expect(readTokenAccount(encoded as Uint8Array)).toEqual(account)
    expect(getTokenDecoder().decode(withTokenAmount(bytes, 5n))).toEqual({ ...getTokenDecoder().decode(bytes), amount: 5n })
  })

  test('of a mint are the client’s, with and without authorities', () => {
    const mint = { supply: 123_456_789_012n, decimals: 9, isInitialized: true }
    expect(getMintDecoder().decode(mintBytes(mint))).toEqual({ ...mint, mintAuthority: none(), freezeAuthority: none() })
    const encoded = getMintEncoder().encode({ ...mint, mintAuthority: some(at(A)), freezeAuthority: some(at(B)) })
    expect(readMint(encoded as Uint8Array)).toEqual(mint)
  })

  test.each([
    [TOKEN_ACCOUNT_BYTES, 0, true],
    [TOKEN_ACCOUNT_BYTES - 1, 0, false],
    [TOKEN_ACCOUNT_BYTES + 10, 2, true],
    [TOKEN_ACCOUNT_BYTES + 10, 1, false],
    [TOKEN_ACCOUNT_BYTES + 10, 0, false],
  ])('%i bytes with %i behind the base: a token account is %s', (length, kind, expected) => {
    expect(isTokenAccountData(new Uint8Array(length).fill(kind))).toBe(expected)
  })
})

test.each([
  TOKEN_PROGRAM_ID,
  TOKEN_2022_PROGRAM_ID,
])('the associated account of a wallet is the one that the client derives, under %s', async (program) => {
  for (const fill of [A, B, C]) {
    const [derived] = await findAssociatedTokenPda({ owner: at(fill), mint: at(D), tokenProgram: address(program.toBase58()) })
    expect(associatedTokenAddress(key(fill), key(D), program).toBase58()).toBe(derived)
  }
})

describe('instructions', () => {
  test('have the names of the client, each in its place', () => {
    expect(TOKEN_INSTRUCTIONS.length).toBeGreaterThan(20)
    for (const [byte, name] of TOKEN_INSTRUCTIONS.entries()) {
      expect(identifyTokenInstruction(Uint8Array.of(byte)), name).toBe(TokenInstruction[name])
    }
  })

  test('a sync is the client’s, but for the sysvar that the program has not needed for long', () => {
    const client = theirs(getSyncNativeInstruction({ account: at(A) }))
    expect(shown(syncNative(key(A)))).toEqual({ ...client, keys: client.keys.slice(0, 1) })
  })

  const amount = 5n
  const moved = { from: key(A), to: key(B), authority: key(C), amount }
  test.each([
    ['a transfer', transferTokens(moved), getTransferInstruction({ source: at(A), destination: at(B), authority: signer(C), amount })],
    [
      'a checked transfer',
      transferTokensChecked(moved, { mint: key(D), decimals: 6 }),
      getTransferCheckedInstruction({ source: at(A), mint: at(D), destination: at(B), authority: signer(C), amount, decimals: 6 }),
    ],
    [
      'a close',
      closeTokenAccount(key(A), key(B), key(C)),
      getCloseAccountInstruction({ account: at(A), destination: at(B), owner: signer(C) }),
    ],
    [
      'an opening',
      openTokenAccount(key(A), key(B), { owner: key(C), mint: key(D) }),
      getCreateAssociatedTokenIdempotentInstruction({ payer: signer(A), ata: at(B), owner: at(C), mint: at(D) }),
    ],
    [
      'a burn',
      tokenInstruction('Burn', [writes(key(A)), writes(key(D)), signs(key(C))], { data: amountBytes(amount) }),
      getBurnInstruction({ account: at(A), mint: at(D), authority: signer(C), amount }),
    ],
    [
      'a checked approval',
      tokenInstruction('ApproveChecked', [writes(key(A)), reads(key(D)), reads(key(B)), signs(key(C))], {
        data: Buffer.from([...amountBytes(amount), 6]),
      }),
      getApproveCheckedInstruction({ source: at(A), mint: at(D), delegate: at(B), owner: signer(C), amount, decimals: 6 }),
    ],
  ])('%s is the client’s', (_name, ours, client) => {
    expect(shown(ours)).toEqual(theirs(client))
  })
})
