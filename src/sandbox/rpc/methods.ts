import { z } from 'zod'
import { SANDBOX_GENESIS } from '../../core/clusters.ts'
import { TOKEN_PROGRAMS } from '../../core/tokenProgram.ts'
import { type DecodedTransaction, publicBytes } from '../chain/message.ts'
import type { Trading } from '../chain/openTrading.ts'
import { isSignedBy } from '../chain/sign.ts'
import { BLOCKHASH_WINDOW_SLOTS } from '../chain/slots.ts'
import { holdingOf } from '../chain/tokenAccounts.ts'
import { type TransactionError, wordsOf } from '../chain/transactionError.ts'
import type { ChainAccount } from '../chain/vm.ts'
import type { SandboxService } from '../sandboxService.ts'
import type { StoredTransaction } from '../store/chainStore.ts'
import { encodeAccount, tokenAmount } from './encodeAccount.ts'
import { encodeTransaction } from './encodeTransaction.ts'
import { getBlock } from './getBlock.ts'
import { accountOptions, addressParam, listParam, optionsParam, type Params, signatureParam, transactionParam } from './params.ts'
import { INVALID_PARAMS, invalidParam, PREFLIGHT_FAILURE, RpcError, SIGNATURE_VERIFICATION_FAILURE } from './rpcError.ts'

/** What a method works on. */
export interface RpcCall extends Trading {
  readonly service: SandboxService
  readonly params: Params
}

/** After so many slots a block is final; there are no forks here, but clients wait for the word. */
const FINAL_AFTER_SLOTS = 32
const MOST_ACCOUNTS = 100
/** As long as an epoch of mainnet. */
const EPOCH_SLOTS = 432_000
const MOST_SIGNATURES = 256
const MOST_HISTORY = 1000

const valued = ({ chain }: RpcCall, value: unknown) => ({ context: { apiVersion: '2.3.0', slot: chain.slot() }, value })

/** Every method there is. Shapes as in Solana's RPC documentation; web3.js validates them. */
export const METHODS: Readonly<Record<string, (call: RpcCall) => unknown>> = {
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': '2.3.0', 'feature-set': 0 }),
  getSlot: ({ chain }) => chain.slot(),
  getGenesisHash: () => SANDBOX_GENESIS,
  getBlockTime: ({ chain, params: [slot] }) => {
    if (typeof slot !== 'number' || !Number.isInteger(slot) || slot < 0) throw invalidParam('expected a slot')
    return slot > chain.slot() ? null : Math.floor(chain.slotStartMs(slot) / 1000)
  },
  getEpochInfo: ({ chain }) => {
    const slot = chain.slot()
    const slotIndex = slot % EPOCH_SLOTS
    return {
      ...{ absoluteSlot: slot, blockHeight: slot, epoch: (slot - slotIndex) / EPOCH_SLOTS },
      ...{ slotIndex, slotsInEpoch: EPOCH_SLOTS, transactionCount: null },
    }
  },
  getBlock: ({ chain, params }) => getBlock(chain, params),
  getBlockHeight: ({ chain }) => chain.slot(),
  getLatestBlockhash: (call) => {
    const slot = call.chain.slot()
    return valued(call, { blockhash: call.chain.blockhash(slot), lastValidBlockHeight: slot + BLOCKHASH_WINDOW_SLOTS })
  },
  isBlockhashValid: (call) => valued(call, call.chain.slotOfBlockhash(addressParam(call.params[0])) !== undefined),
  getMinimumBalanceForRentExemption: ({ chain, params: [bytes] }) => {
    if (typeof bytes !== 'number' || !Number.isInteger(bytes) || bytes < 0) throw invalidParam('expected a number of bytes')
    return Number(chain.rentOf(bytes))
  },
  getBalance: (call) => valued(call, Number(call.chain.account(addressParam(call.params[0]))?.lamports ?? 0n)),
  getAccountInfo: (call) => {
    const options = optionsParam(accountOptions, call.params[1])
    const account = call.chain.account(addressParam(call.params[0]))
    return valued(call, account === undefined ? null : encodeAccount(account, options))
  },
  getMultipleAccounts: (call) => {
    const options = optionsParam(accountOptions, call.params[1])
    const accounts = listParam(call.params[0], MOST_ACCOUNTS).map((address) => call.chain.account(addressParam(address)))
    return valued(
      call,
      accounts.map((account) => (account === undefined ? null : encodeAccount(account, options))),
    )
  },
  getTokenAccountsByOwner,
  getTokenAccountBalance: (call) => {
    const account = call.chain.account(addressParam(call.params[0]))
    const holding = account && holdingOf(account)
    if (holding === undefined) throw invalidParam(account === undefined ? 'could not find account' : 'not a Token account')
    return valued(call, tokenAmount(holding.amount, holding.mint))
  },
  getSignatureStatuses: (call) => {
    const signatures = listParam(call.params[0], MOST_SIGNATURES).map(signatureParam)
    call.desk.landDue()
    return valued(
      call,
      signatures.map((signature) => statusOf(call, call.service.store.chain.transaction(signature))),
    )
  },
  getSignaturesForAddress,
  getTransaction: ({ desk, service, params }) => {
    const signature = signatureParam(params[0])
    const options = optionsParam(transactionOptions, params[1])
    desk.landDue()
    const found = service.store.chain.transaction(signature)
    return found === undefined || found.landing === null ? null : encodeTransaction(found, found.landing, options)
  },
  simulateTransaction,
  sendTransaction,
}

const transactionOptions = z
  .union([z.enum(['json', 'jsonParsed', 'base58', 'base64']).transform((encoding) => ({ encoding })), z.looseObject({})])
  .pipe(
    z.looseObject({
      encoding: z.enum(['json', 'jsonParsed', 'base58', 'base64']).default('json'),
      maxSupportedTransactionVersion: z.number().int().min(0).max(0).optional(),
    }),
  )

const ownerFilter = z.union([z.object({ mint: z.string() }), z.object({ programId: z.string() })])

function getTokenAccountsByOwner(call: RpcCall): unknown {
  const { chain, params } = call
  const owner = addressParam(params[0])
  const filter = optionsParam(ownerFilter, params[1])
  const options = optionsParam(accountOptions, params[2])
  const mint = 'mint' in filter ? addressParam(filter.mint) : undefined
  const program = 'programId' in filter ? addressParam(filter.programId) : undefined
  if (program !== undefined && !TOKEN_PROGRAMS.includes(program)) throw invalidParam('unrecognized Token program id')
  const held = (program === undefined ? TOKEN_PROGRAMS : [program])
    .flatMap((id) => chain.accountsOf(id))
    .filter((account) => {
      const holding = holdingOf(account)
      return holding?.owner === owner && (mint === undefined || holding.mint === mint)
    })
  return valued(
    call,
    held.map((account) => ({ pubkey: account.address, account: encodeAccount(account, options) })),
  )
}

const confirmationOf = (slots: number): string => (slots >= FINAL_AFTER_SLOTS ? 'finalized' : 'confirmed')

function statusOf({ chain }: RpcCall, found: StoredTransaction | undefined) {
  if (found === undefined || found.landing === null) return null
  const { slot, error } = found.landing
  const passed = chain.slot() - slot
  return {
    slot,
    confirmations: passed >= FINAL_AFTER_SLOTS ? null : passed,
    err: error,
    status: error === null ? { Ok: null } : { Err: error },
    confirmationStatus: confirmationOf(passed),
  }
}

const historyOptions = z.looseObject({
  limit: z.number().int().min(1).max(MOST_HISTORY).default(MOST_HISTORY),
  before: z.string().nullish(),
  until: z.string().nullish(),
})

function getSignaturesForAddress({ chain, desk, service, params }: RpcCall): unknown {
  const address = addressParam(params[0])
  const { limit, before, until } = optionsParam(historyOptions, params[1])
  desk.landDue()
  const store = service.store.chain
  const from = before ? (store.transaction(signatureParam(before))?.seq ?? 0) : Number.MAX_SAFE_INTEGER
  const least = until ? (store.transaction(signatureParam(until))?.seq ?? 0) : 0
  return store.transactionsOf(address, from, limit).flatMap(({ seq, signature, landing }) => {
    if (landing === null || seq <= least) return []
    const { slot, at, error } = landing
    return [
      {
        signature,
        slot,
        err: error,
        memo: null,
        blockTime: Math.floor(at / 1000),
        confirmationStatus: confirmationOf(chain.slot() - slot),
      },
    ]
  })
}

const simulationOptions = z.looseObject({
  encoding: z.enum(['base58', 'base64']).default('base58'),
  sigVerify: z.boolean().default(false),
  replaceRecentBlockhash: z.boolean().default(false),
  accounts: z
    .looseObject({
      addresses: z.array(z.string()).max(MOST_ACCOUNTS),
      encoding: z.enum(['base64', 'jsonParsed', 'base64+zstd']).default('base64'),
    })
    .nullish(),
})

function simulateTransaction(call: RpcCall): unknown {
  const options = optionsParam(simulationOptions, call.params[1])
  const transaction = transactionParam(call.params[0], options.encoding, call.chain)
  if (options.sigVerify && options.replaceRecentBlockhash)
    throw new RpcError(INVALID_PARAMS, 'sigVerify may not be used with replaceRecentBlockhash')
  if (options.sigVerify) requireSignatures(transaction)
  const simulated = simulate(call, transaction, options.replaceRecentBlockhash)
  const slot = call.chain.slot()
  const wanted = options.accounts?.addresses.map(addressParam) ?? null
  const shown = (address: string) => simulated.accounts.find((account) => account.address === address) ?? call.chain.account(address)
  return valued(call, {
    err: simulated.error,
    logs: simulated.logs,
    accounts:
      wanted?.map((address) => {
        const account = simulated.error === null ? shown(address) : undefined
        return account === undefined ? null : encodeAccount(account, { encoding: options.accounts?.encoding ?? 'base64' })
      }) ?? null,
    unitsConsumed: Number(simulated.unitsConsumed),
    returnData: null,
    ...(options.replaceRecentBlockhash
      ? { replacementBlockhash: { blockhash: call.chain.blockhash(slot), lastValidBlockHeight: slot + BLOCKHASH_WINDOW_SLOTS } }
      : {}),
  })
}

interface Simulated {
  readonly error: TransactionError | null
  readonly logs: readonly string[]
  readonly unitsConsumed: bigint
  readonly accounts: readonly ChainAccount[]
}

/** What a transaction would come to, the DEX's leg included. */
function simulate({ chain, dex, service }: RpcCall, transaction: DecodedTransaction, isBlockhashReplaced: boolean): Simulated {
  const refused = (error: TransactionError): Simulated => ({ error, logs: [], unitsConsumed: 0n, accounts: [] })
  if (!isBlockhashReplaced && service.store.chain.isKnown(transaction.messageHash)) return refused('AlreadyProcessed')
  if (!isBlockhashReplaced && chain.slotOfBlockhash(transaction.blockhash) === undefined) return refused('BlockhashNotFound')
  const simulated = chain.simulate(transaction)
  const failure = simulated.error === null ? dex.refusalNow(transaction) : null
  if (failure === null) return simulated
  return { ...simulated, error: failure.error, logs: [...simulated.logs, ...failure.logs], accounts: [] }
}

function requireSignatures({ message, signers }: DecodedTransaction): void {
  const isSigned = signers.every(({ address, signature }) => signature !== null && isSignedBy(message, signature, publicBytes(address)))
  if (!isSigned) throw new RpcError(SIGNATURE_VERIFICATION_FAILURE, 'Transaction signature verification failure')
}

const sendOptions = z.looseObject({ encoding: z.enum(['base58', 'base64']).default('base58'), skipPreflight: z.boolean().default(false) })

/** Takes in what is fully signed. Wallets of this chain are the agents', and so their owners are who can send. */
function sendTransaction(call: RpcCall): unknown {
  const { chain, dex, desk, service, params } = call
  const { encoding } = optionsParam(sendOptions, params[1])
  const transaction = dex.cosign(transactionParam(params[0], encoding, chain))
  requireSignatures(transaction)
  const simulated = simulate(call, transaction, false)
  if (simulated.error !== null) throw preflight(simulated.error, simulated)
  const agentId = service.read(
    ({ agents }) => [...agents.values()].find(({ walletAddress }) => walletAddress === transaction.payer)?.agentId,
  )
  if (agentId === undefined) throw preflight('AccountNotFound', simulated)
  const answer = desk.send(agentId, transaction)
  if (answer.ok) return answer.value.signature
  throw new RpcError(PREFLIGHT_FAILURE, `Transaction simulation failed: ${answer.refusal.message}`, {
    err: answer.refusal.code,
    logs: [],
    accounts: null,
    unitsConsumed: 0,
    returnData: null,
  })
}

function preflight(error: TransactionError, { logs, unitsConsumed }: Simulated): RpcError {
  const data = { err: error, logs, accounts: null, unitsConsumed: Number(unitsConsumed), returnData: null }
  return new RpcError(PREFLIGHT_FAILURE, `Transaction simulation failed: ${wordsOf(error)}`, data)
}
