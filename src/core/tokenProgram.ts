import { PublicKey, TransactionInstruction } from '@solana/web3.js'

// SPL Token, and what Token-2022 has in common with it. The layouts are those of the programs' sources and never change on chain:
// https://github.com/solana-program/token/blob/main/interface/src (state.rs, instruction.rs). The tests compare them with the
// programs' own client.

export const TOKEN_PROGRAM_ID = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const TOKEN_2022_PROGRAM_ID = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
/** The programs that token accounts are of, base58. */
export const TOKEN_PROGRAMS: readonly string[] = [TOKEN_PROGRAM_ID.toBase58(), TOKEN_2022_PROGRAM_ID.toBase58()]
export const ASSOCIATED_TOKEN_PROGRAM_ID = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
const SYSTEM_PROGRAM_ID = PublicKey.default

/** Bytes of a token account. Accounts of Token-2022 can be longer: see {@link isTokenAccountData}. */
export const TOKEN_ACCOUNT_BYTES = 165
/** Bytes of a mint. */
export const MINT_BYTES = 82
/** The byte after the base of an extended account of Token-2022 says what it is: 1 a mint, 2 a token account. */
const EXTENDED_TOKEN_ACCOUNT = 2

/** The account states of the token programs. */
export const TOKEN_ACCOUNT_STATE = { uninitialized: 0, initialized: 1, frozen: 2 } as const

/** A token account's fields. An option that is not set is undefined. */
export interface TokenAccountData {
  readonly mint: PublicKey
  readonly owner: PublicKey
  /** Base units. */
  readonly amount: bigint
  readonly delegate: PublicKey | undefined
  /** One of {@link TOKEN_ACCOUNT_STATE}. */
  readonly state: number
  /** Of wrapped SOL alone: the lamports that keep the account alive. */
  readonly nativeReserve: bigint | undefined
  /** Base units. */
  readonly delegatedAmount: bigint
  readonly closeAuthority: PublicKey | undefined
}

/** True for data of a token account of either program, extended or not. */
export function isTokenAccountData(data: Uint8Array): boolean {
  return data.length === TOKEN_ACCOUNT_BYTES || (data.length > TOKEN_ACCOUNT_BYTES && data[TOKEN_ACCOUNT_BYTES] === EXTENDED_TOKEN_ACCOUNT)
}

/** Reads the first 165 bytes of a token account. */
export function readTokenAccount(data: Uint8Array): TokenAccountData {
  const bytes = bufferOf(data)
  return {
    mint: keyAt(bytes, 0),
    owner: keyAt(bytes, 32),
    amount: bytes.readBigUInt64LE(64),
    delegate: bytes.readUInt32LE(72) === 1 ? keyAt(bytes, 76) : undefined,
    state: bytes.readUInt8(108),
    nativeReserve: bytes.readUInt32LE(109) === 1 ? bytes.readBigUInt64LE(113) : undefined,
    delegatedAmount: bytes.readBigUInt64LE(121),
    closeAuthority: bytes.readUInt32LE(129) === 1 ? keyAt(bytes, 133) : undefined,
  }
}

/** The bytes of a token account without extensions. */
export function tokenAccountBytes(account: TokenAccountData): Buffer {
  const bytes = Buffer.alloc(TOKEN_ACCOUNT_BYTES)
  bytes.set(account.mint.toBytes(), 0)
  bytes.set(account.owner.toBytes(), 32)
  bytes.writeBigUInt64LE(account.amount, 64)
  writeKeyOption(bytes, account.delegate, 72)
  bytes.writeUInt8(account.state, 108)
  bytes.writeUInt32LE(account.nativeReserve === undefined ? 0 : 1, 109)
  bytes.writeBigUInt64LE(account.nativeReserve ?? 0n, 113)
  bytes.writeBigUInt64LE(account.delegatedAmount, 121)
  writeKeyOption(bytes, account.closeAuthority, 129)
  return bytes
}

/** The same account with another amount, in base units. Extensions stay as they are. */
export function withTokenAmount(data: Uint8Array, amount: bigint): Buffer {
  const bytes = Buffer.from(data)
  bytes.writeBigUInt64LE(amount, 64)
  return bytes
}

/** A mint's fields. */
export interface MintData {
  /** Base units. */
  readonly supply: bigint
  readonly decimals: number
  readonly isInitialized: boolean
}

/** Reads a mint. */
export function readMint(data: Uint8Array): MintData {
  const bytes = bufferOf(data)
  return { supply: bytes.readBigUInt64LE(36), decimals: bytes.readUInt8(44), isInitialized: bytes.readUInt8(45) === 1 }
}

/** The bytes of a mint that has no authorities. */
export function mintBytes({ supply, decimals, isInitialized }: MintData): Buffer {
  const bytes = Buffer.alloc(MINT_BYTES)
  bytes.writeBigUInt64LE(supply, 36)
  bytes.writeUInt8(decimals, 44)
  bytes.writeUInt8(isInitialized ? 1 : 0, 45)
  return bytes
}

/** The associated token account of an owner: a search for a point off the curve, which takes a tenth of a millisecond. */
export function associatedTokenAddress(owner: PublicKey, mint: PublicKey, program: PublicKey): PublicKey {
  const seeds = [owner.toBytes(), program.toBytes(), mint.toBytes()]
  return PublicKey.findProgramAddressSync(seeds, ASSOCIATED_TOKEN_PROGRAM_ID)[0]
}

/** The instructions of SPL Token by their first byte; Token-2022 has more behind them. */
export const TOKEN_INSTRUCTIONS = [
  'InitializeMint',
  'InitializeAccount',
  'InitializeMultisig',
  'Transfer',
  'Approve',
  'Revoke',
  'SetAuthority',
  'MintTo',
  'Burn',
  'CloseAccount',
  'FreezeAccount',
  'ThawAccount',
  'TransferChecked',
  'ApproveChecked',
  'MintToChecked',
  'BurnChecked',
  'InitializeAccount2',
  'SyncNative',
  'InitializeAccount3',
  'InitializeMultisig2',
  'InitializeMint2',
  'GetAccountDataSize',
  'InitializeImmutableOwner',
  'AmountToUiAmount',
  'UiAmountToAmount',
] as const
export type TokenInstructionName = (typeof TOKEN_INSTRUCTIONS)[number]

/** An account that an instruction names. */
export interface KeyUse {
  readonly pubkey: PublicKey
  readonly isSigner: boolean
  readonly isWritable: boolean
}
export const reads = (pubkey: PublicKey): KeyUse => ({ pubkey, isSigner: false, isWritable: false })
export const writes = (pubkey: PublicKey): KeyUse => ({ pubkey, isSigner: false, isWritable: true })
export const signs = (pubkey: PublicKey): KeyUse => ({ pubkey, isSigner: true, isWritable: false })

/** Any instruction of the token programs; `data` follows the byte that names it. */
export function tokenInstruction(
  name: TokenInstructionName,
  keys: readonly KeyUse[],
  { data = new Uint8Array(), program = TOKEN_PROGRAM_ID }: { readonly data?: Uint8Array; readonly program?: PublicKey } = {},
): TransactionInstruction {
  const bytes = Buffer.concat([Buffer.from([TOKEN_INSTRUCTIONS.indexOf(name)]), data])
  return new TransactionInstruction({ programId: program, keys: [...keys], data: bytes })
}

/** A u64 as instructions have it. */
export function amountBytes(amount: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(amount)
  return bytes
}

/** Opens the associated token account of an owner where there is none. The payer signs and pays the rent. */
export function openTokenAccount(
  payer: PublicKey,
  account: PublicKey,
  { owner, mint, program = TOKEN_PROGRAM_ID }: { readonly owner: PublicKey; readonly mint: PublicKey; readonly program?: PublicKey },
): TransactionInstruction {
  const keys = [{ ...signs(payer), isWritable: true }, writes(account), reads(owner), reads(mint), reads(SYSTEM_PROGRAM_ID), reads(program)]
  // 0 creates and fails where there is one; 1 is the idempotent form.
  return new TransactionInstruction({ programId: ASSOCIATED_TOKEN_PROGRAM_ID, keys, data: Buffer.from([1]) })
}

/** Closes a token account: its lamports go to `to`, and with them what it holds of wrapped SOL. */
export const closeTokenAccount = (account: PublicKey, to: PublicKey, owner: PublicKey): TransactionInstruction =>
  tokenInstruction('CloseAccount', [writes(account), writes(to), signs(owner)])

/** Makes the amount of an account of wrapped SOL what its lamports are. */
export const syncNative = (account: PublicKey): TransactionInstruction => tokenInstruction('SyncNative', [writes(account)])

/** A transfer between two token accounts of one mint; the amount is in base units. */
export interface TokenTransfer {
  readonly from: PublicKey
  readonly to: PublicKey
  readonly authority: PublicKey
  readonly amount: bigint
  readonly program?: PublicKey
}

/** Moves tokens. */
export const transferTokens = ({ from, to, authority, amount, program = TOKEN_PROGRAM_ID }: TokenTransfer): TransactionInstruction =>
  tokenInstruction('Transfer', [writes(from), writes(to), signs(authority)], { data: amountBytes(amount), program })

/** Moves tokens, and names their mint and its decimals, which the program compares. */
export function transferTokensChecked(
  { from, to, authority, amount, program = TOKEN_PROGRAM_ID }: TokenTransfer,
  { mint, decimals }: { readonly mint: PublicKey; readonly decimals: number },
): TransactionInstruction {
  const data = Buffer.concat([amountBytes(amount), Buffer.from([decimals])])
  return tokenInstruction('TransferChecked', [writes(from), reads(mint), writes(to), signs(authority)], { data, program })
}

function bufferOf(data: Uint8Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

function keyAt(bytes: Buffer, offset: number): PublicKey {
  return new PublicKey(bytes.subarray(offset, offset + 32))
}

function writeKeyOption(bytes: Buffer, key: PublicKey | undefined, offset: number): void {
  bytes.writeUInt32LE(key === undefined ? 0 : 1, offset)
  if (key !== undefined) bytes.set(key.toBytes(), offset + 4)
}
