import { z } from 'zod'
import type { Landing, SentSwap } from '../../pipeline/index.ts'
import type { ChainRpc, RpcAnswer, RpcTrouble } from './chainRpc.ts'
import { lamportsSchema } from './rpcAccount.ts'
import { type AccountMove, type AccountState, walletChanges, walletMoves } from './walletMoves.ts'
import { readWireTransaction, type WireTransaction } from './wireTransaction.ts'

/** Slots a blockhash is good for (https://solana.com/docs/core/transactions/confirmation). */
const BLOCKHASH_WINDOW = 150
const PAGE = 20
const MOST_PAGES = 25
const MOST_COMPARED = 2000

const tokenBalances = z
  .array(
    z.looseObject({
      accountIndex: z.number().int(),
      mint: z.string(),
      owner: z.string(),
      uiTokenAmount: z.looseObject({
        amount: z
          .string()
          .regex(/^\d{1,20}$/)
          .transform(BigInt),
      }),
    }),
  )
  .nullish()
const addresses = z.array(z.string())
const balances = z.array(lamportsSchema)

const transactionSchema = z
  .looseObject({
    transaction: z.tuple([z.base64(), z.literal('base64')]).transform(([base64]) => base64),
    blockTime: z.number().int().nullish(),
    meta: z.looseObject({
      err: z.unknown(),
      fee: lamportsSchema,
      preBalances: balances,
      postBalances: balances,
      preTokenBalances: tokenBalances,
      postTokenBalances: tokenBalances,
      loadedAddresses: z.looseObject({ writable: addresses, readonly: addresses }).nullish(),
    }),
  })
  .nullable()
type Executed = NonNullable<z.output<typeof transactionSchema>>

const historySchema = z.array(z.looseObject({ signature: z.string(), slot: z.number().int() }))
const heightSchema = z.number().int().nonnegative()
const validSchema = z.looseObject({ value: z.boolean() })
const blockSchema = z.looseObject({ blockHeight: z.number().int().nonnegative() }).nullable()

type Looked = RpcAnswer<{ readonly signature: string; readonly executed: Executed } | undefined>

/** Looks on the chain for swaps that were sent. */
export class LandingFinder {
  readonly #rpc: ChainRpc
  /** Messages of the wallets' transactions, base64 by signature: what landed does not change, so each is read once. */
  readonly #compared = new Map<string, string>()

  constructor(rpc: ChainRpc) {
    this.#rpc = rpc
  }

  async find(sent: SentSwap): Promise<Landing> {
    const wire = readWireTransaction(sent.transaction)
    if (wire === undefined) return unavailable(trouble('what was sent reads as no transaction'))
    const look = () => (sent.signature === undefined ? this.#byMessage(sent, keyOf(wire)) : this.#bySignature(sent.signature))
    const first = await look()
    if (!first.ok) return unavailable(first)
    if (first.value !== undefined) return this.#landingOf(sent.wallet, first.value)
    const expired = await this.#hasExpired(wire.blockhash, sent.lastValidBlockHeight)
    if (!expired.ok) return unavailable(expired)
    if (!expired.value) return { status: 'pending' }
    // It may have landed between the two reads: its absence counts only in one that began after the expiry was seen.
    const second = await look()
    if (!second.ok) return unavailable(second)
    return second.value === undefined ? { status: 'expired' } : this.#landingOf(sent.wallet, second.value)
  }

  async #hasExpired(blockhash: string, lastValidBlockHeight: number): Promise<RpcAnswer<boolean>> {
    // The finalized height: a node behind the one that tells it is not behind by the 32 slots this is late.
    const height = await this.#rpc.call('getBlockHeight', [{ commitment: 'finalized' }], heightSchema)
    if (!height.ok) return height
    if (height.value <= lastValidBlockHeight) return { ok: true, value: false }
    // That height is the word of whoever built the transaction; the blockhash is the chain's.
    const valid = await this.#rpc.call('isBlockhashValid', [blockhash, { commitment: 'processed' }], validSchema)
    return valid.ok ? { ok: true, value: !valid.value.value } : valid
  }

  async #bySignature(signature: string): Promise<Looked> {
    const how = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
    const answer = await this.#rpc.call('getTransaction', [signature, how], transactionSchema)
    if (!answer.ok) return answer
    return { ok: true, value: answer.value === null ? undefined : { signature, executed: answer.value } }
  }

  /** The service adds a signature and leaves the message as it is: the wallet's transactions since the blockhash are compared by it. */
  async #byMessage({ wallet, lastValidBlockHeight }: SentSwap, wanted: string): Promise<Looked> {
    let before: string | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const how = { limit: PAGE, commitment: 'confirmed', ...(before === undefined ? {} : { before }) }
      const history = await this.#rpc.call('getSignaturesForAddress', [wallet, how], historySchema)
      if (!history.ok) return history
      for (const { signature } of history.value) {
        const compared = this.#compared.get(signature)
        if (compared !== undefined && compared !== wanted) continue
        const looked = await this.#bySignature(signature)
        if (!looked.ok) return looked
        if (looked.value === undefined) return trouble(`the RPC names the transaction ${signature} and does not have it`)
        const found = readWireTransaction(looked.value.executed.transaction)
        if (found === undefined) return trouble(`the RPC gives the transaction ${signature} in bytes that read as none`)
        this.#note(signature, keyOf(found))
        if (keyOf(found) === wanted) return looked
      }
      const oldest = history.value.at(-1)
      if (oldest === undefined || history.value.length < PAGE) return { ok: true, value: undefined }
      const height = await this.#heightOf(oldest.slot)
      if (!height.ok) return height
      // Nothing older than its blockhash can be it.
      if (height.value <= lastValidBlockHeight - BLOCKHASH_WINDOW) return { ok: true, value: undefined }
      before = oldest.signature
    }
    return trouble(`the wallet has had over ${PAGE * MOST_PAGES} transactions since`)
  }

  async #heightOf(slot: number): Promise<RpcAnswer<number>> {
    const how = { transactionDetails: 'none', rewards: false, commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
    const block = await this.#rpc.call('getBlock', [slot, how], blockSchema)
    if (!block.ok) return block
    return block.value === null ? trouble(`the RPC does not have the block of slot ${slot}`) : { ok: true, value: block.value.blockHeight }
  }

  #landingOf(wallet: string, { signature, executed }: { signature: string; executed: Executed }): Landing {
    const { meta, transaction, blockTime } = executed
    const wire = readWireTransaction(transaction)
    const moves =
      wire && movesOf([...wire.accounts, ...(meta.loadedAddresses?.writable ?? []), ...(meta.loadedAddresses?.readonly ?? [])], meta)
    if (wire === undefined || moves === undefined)
      return { status: 'unavailable', reason: `what the RPC says of the transaction ${signature} does not fit together` }
    const feeLamports = wire.accounts[0] === wallet ? meta.fee : 0n
    if (meta.err !== null) return { status: 'reverted', signature, reason: this.#rpc.words(meta.err), feeLamports }
    const changes = walletChanges(walletMoves(wallet, moves), feeLamports)
    return { status: 'landed', signature, changes, feeLamports, blockTime: blockTime ?? undefined }
  }

  #note(signature: string, message: string): void {
    const oldest = this.#compared.size < MOST_COMPARED ? undefined : this.#compared.keys().next().value
    if (oldest !== undefined) this.#compared.delete(oldest)
    this.#compared.set(signature, message)
  }
}

const trouble = (reason: string): RpcTrouble => ({ ok: false, reason, retryable: true, isRefused: false })
const unavailable = ({ reason }: RpcTrouble): Landing => ({ status: 'unavailable', reason })

const keyOf = ({ message }: WireTransaction): string => Buffer.from(message).toString('base64')

/** Before and after of every account named; undefined where the lists are not of one length. */
function movesOf(accounts: readonly string[], meta: Executed['meta']): AccountMove[] | undefined {
  const { preBalances, postBalances } = meta
  if (preBalances.length !== accounts.length || postBalances.length !== accounts.length) return undefined
  const [held, holds] = [byIndex(meta.preTokenBalances), byIndex(meta.postTokenBalances)]
  const state = (lamports: bigint | undefined, token: AccountState['token']) => ({ lamports: lamports ?? 0n, token })
  return accounts.map((address, index) => ({
    address,
    before: state(preBalances[index], held.get(index)),
    after: state(postBalances[index], holds.get(index)),
  }))
}

function byIndex(balances: Executed['meta']['preTokenBalances']): Map<number, NonNullable<AccountState['token']>> {
  return new Map(balances?.map(({ accountIndex, mint, owner, uiTokenAmount: { amount } }) => [accountIndex, { mint, owner, amount }]))
}
