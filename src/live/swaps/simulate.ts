import { z } from 'zod'
import { ceilDivide } from '../../core/ceilDivide.ts'
import { readTransaction, type SimulatedChanges } from '../../guard/index.ts'
import type { ChainRpc, RpcAnswer } from './chainRpc.ts'
import { MOST_COMPUTE_UNITS } from './composing/computeBudget.ts'
import type { LookupTables } from './lookupTables.ts'
import { accountState, rpcAccountSchema } from './rpcAccount.ts'
import { walletMoves } from './walletMoves.ts'
import type { WireTransaction } from './wireTransaction.ts'

/** Most accounts one call of the RPC shows; the chain lets a transaction lock 64. */
const MOST_ACCOUNTS = 100
const LAMPORTS_PER_SIGNATURE = 5000n
const ALREADY_PROCESSED = 'AlreadyProcessed'
const MICRO = 1_000_000n

const accountsSchema = z.looseObject({ value: z.array(rpcAccountSchema) })
const simulationSchema = z.looseObject({
  value: z.looseObject({
    err: z.unknown(),
    accounts: z.array(rpcAccountSchema).nullish(),
    // A node that says nothing of it, or no number, does not spoil the rest.
    unitsConsumed: z.number().int().positive().optional().catch(undefined),
  }),
})

export interface Simulating {
  readonly wallet: string
  /** Base64. */
  readonly transaction: string
  readonly wire: WireTransaction
  readonly tables: LookupTables
}

/** What an unsigned transaction would change of the wallet's if it were executed now. */
export async function simulateSwap(rpc: ChainRpc, { wallet, transaction, wire, tables }: Simulating): Promise<RpcAnswer<SimulatedChanges>> {
  const looked = wire.lookups.flatMap(({ table, writable }) => writable.map((index) => tables.get(table)?.[index]))
  // What could not be read is at most a pool's: the simulation itself fails on a table that is not there.
  const addresses = [...new Set([...wire.writable, ...looked.filter((address) => address !== undefined)])]
  if (addresses.length > MOST_ACCOUNTS) return failed(`it writes to ${addresses.length} accounts`)
  const how = { encoding: 'base64', commitment: 'confirmed' }
  const [before, simulation] = await Promise.all([
    rpc.call('getMultipleAccounts', [addresses, how], accountsSchema),
    rpc.call(
      'simulateTransaction',
      [transaction, { ...how, sigVerify: false, replaceRecentBlockhash: false, accounts: { encoding: 'base64', addresses } }],
      simulationSchema,
    ),
  ])
  // A node that takes the transaction itself for wrong has said what its execution would come to.
  if (!simulation.ok) return simulation.isRefused ? failed(simulation.reason) : simulation
  const { err, accounts, unitsConsumed } = simulation.value.value
  // An equal swap of the same blockhash was executed: nothing is wrong with this one, and another blockhash makes it another.
  if (err === ALREADY_PROCESSED)
    return { ok: false, isRefused: false, isSpent: true, retryable: true, reason: 'the RPC has executed the same transaction before' }
  if (err !== null) return failed(rpc.words(err))
  if (!before.ok) return before
  const states = before.value.value
  if (accounts?.length !== addresses.length || states.length !== addresses.length)
    return { ok: false, isRefused: false, retryable: true, reason: 'the RPC does not show the accounts of a simulation' }
  const moves = walletMoves(
    wallet,
    addresses.map((address, index) => ({
      address,
      before: accountState(states[index] ?? null),
      after: accountState(accounts[index] ?? null),
    })),
  )
  const { tokens, lamports, rentLamports } = moves
  const changes = [...tokens].map(([mint, delta]) => ({ mint, delta }))
  const feeLamports = networkFee(transaction, tables)
  return { ok: true, value: { error: undefined, changes, lamports, rentLamports, feeLamports, unitsConsumed } }
}

const failed = (error: string): RpcAnswer<SimulatedChanges> => ({
  ok: true,
  value: { error, changes: [], lamports: 0n, rentLamports: 0n, feeLamports: 0n },
})

/**
 * What the network takes: 5,000 lamports a signature, and the price of the compute units asked for, rounded up
 * (https://solana.com/docs/core/fees). Taken too low, it makes the swap seem to cost more: the guard then refuses.
 */
function networkFee(transaction: string, tables: LookupTables): bigint {
  const read = readTransaction(Buffer.from(transaction, 'base64'), tables)
  if ('code' in read) return 0n
  const { computePriceMicroLamports, computeUnitLimit = 0 } = read.facts
  const units = BigInt(Math.min(computeUnitLimit, MOST_COMPUTE_UNITS))
  return LAMPORTS_PER_SIGNATURE * BigInt(read.message.signers.length) + ceilDivide(computePriceMicroLamports * units, MICRO)
}
