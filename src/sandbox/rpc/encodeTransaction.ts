import { VersionedTransaction } from '@solana/web3.js'
import { invariant } from '../../core/error.ts'
import { base58Of } from '../chain/base58.ts'
import type { Landing, TokenBalance } from '../chain/landing.ts'
import { type DecodedTransaction, decodeTransaction } from '../chain/message.ts'
import type { StoredTransaction } from '../store/chainStore.ts'
import { tokenAmount } from './encodeAccount.ts'
import { RpcError, UNSUPPORTED_TRANSACTION_VERSION } from './rpcError.ts'

export type TransactionEncoding = 'json' | 'jsonParsed' | 'base58' | 'base64'

/** A landed transaction as `getTransaction` gives it. */
export function encodeTransaction(
  { bytes }: StoredTransaction,
  landing: Landing,
  { encoding, maxSupportedTransactionVersion }: { encoding: TransactionEncoding; maxSupportedTransactionVersion?: number | undefined },
) {
  const transaction = decodeTransaction(bytes)
  invariant(transaction !== undefined, 'a stored transaction does not read')
  if (transaction.version === 0 && maxSupportedTransactionVersion === undefined)
    throw new RpcError(
      UNSUPPORTED_TRANSACTION_VERSION,
      'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
    )
  return {
    slot: landing.slot,
    blockTime: Math.floor(landing.at / 1000),
    transaction: encoded(transaction, landing, encoding),
    meta: { ...metaOf(landing), loadedAddresses: loadedOf(transaction, landing) },
    ...(maxSupportedTransactionVersion === undefined ? {} : { version: transaction.version }),
  }
}

function metaOf({ error, feeLamports, preBalances, postBalances, preTokenBalances, postTokenBalances, logs, unitsConsumed }: Landing) {
  return {
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    fee: Number(feeLamports),
    preBalances: preBalances.map(Number),
    postBalances: postBalances.map(Number),
    preTokenBalances: preTokenBalances.map(encodeBalance),
    postTokenBalances: postTokenBalances.map(encodeBalance),
    innerInstructions: [],
    logMessages: logs,
    computeUnitsConsumed: Number(unitsConsumed),
    rewards: [],
  }
}

function encodeBalance({ accountIndex, mint, owner, amount, programId }: TokenBalance) {
  return { accountIndex, mint, owner, programId, uiTokenAmount: tokenAmount(amount, mint) }
}

/** What was taken from lookup tables stands behind the message's own accounts: what it may write to first. */
function loadedOf({ bytes, accounts: own }: DecodedTransaction, { accounts }: Landing) {
  const { addressTableLookups } = VersionedTransaction.deserialize(bytes).message
  const writable = addressTableLookups.reduce((sum, { writableIndexes }) => sum + writableIndexes.length, 0)
  return { writable: accounts.slice(own.length, own.length + writable), readonly: accounts.slice(own.length + writable) }
}

function encoded(transaction: DecodedTransaction, landing: Landing, encoding: TransactionEncoding) {
  if (encoding === 'base64') return [Buffer.from(transaction.bytes).toString('base64'), encoding]
  if (encoding === 'base58') return [base58Of(transaction.bytes), encoding]
  const { message, signatures } = VersionedTransaction.deserialize(transaction.bytes)
  const names = { signatures: signatures.map(base58Of) }
  const recentBlockhash = message.recentBlockhash
  const addressTableLookups = message.addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => ({
    accountKey: accountKey.toBase58(),
    writableIndexes: [...writableIndexes],
    readonlyIndexes: [...readonlyIndexes],
  }))
  if (encoding === 'jsonParsed') {
    const { writable } = loadedOf(transaction, landing)
    const accountKeys = landing.accounts.map((pubkey, index) => {
      const isOwn = index < transaction.accounts.length
      return {
        pubkey,
        signer: isOwn && message.isAccountSigner(index),
        writable: isOwn ? message.isAccountWritable(index) : writable.includes(pubkey),
        source: isOwn ? 'transaction' : 'lookupTable',
      }
    })
    const instructions = message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
      programId: landing.accounts[programIdIndex],
      accounts: accountKeyIndexes.map((index) => landing.accounts[index] ?? null),
      data: base58Of(data),
      stackHeight: 1,
    }))
    return { ...names, message: { accountKeys, instructions, recentBlockhash, addressTableLookups } }
  }
  const instructions = message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    programIdIndex,
    accounts: [...accountKeyIndexes],
    data: base58Of(data),
    stackHeight: 1,
  }))
  const lookups = transaction.version === 0 ? { addressTableLookups } : {}
  return { ...names, message: { header: message.header, accountKeys: transaction.accounts, recentBlockhash, instructions, ...lookups } }
}
